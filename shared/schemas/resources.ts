import * as v from 'valibot';
import {
  ABANDONED_URI_SECONDS,
  DESCRIPTION_MAX,
  NAME_MAX,
  RESOURCE_ACCESS_TTL_MAX_SECONDS,
  RESOURCE_REFRESH_TTL_MAX_SECONDS,
  RESOURCE_SCOPES_MAX,
  RESOURCE_TTL_MIN_SECONDS,
  SCOPE_SENTENCE_MAX,
  SECONDS_PER_DAY,
  SESSION_SECONDS_MAX,
  URI_MAX,
} from '../domain/basis/limits.ts';
import { byLanguage } from '../records/languages.ts';
import { resourceFields, scopeFields, sentenceFields } from '../records/resource.ts';
import { describe, described } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { createSchemas } from './fields/of-record.ts';
import {
  accessSeconds,
  id,
  integer,
  list,
  name,
  refreshSeconds,
  tenantId,
  textUpTo,
  toPage,
  toResult,
  uri,
} from './fields/record.ts';

// Schemas of resources: audiences of access tokens (SPEC E).

const resourceId = describe('ID of the resource.', '0q5w8h2tz9x4k7m1vd6rc3nyb');
const resourceUri = describe(
  `Absolute URI that becomes the audience (\`aud\`) of access tokens. Without fragment, at most ${URI_MAX} characters, compared character by character. It belongs to one tenant of the environment, which keeps it for ${ABANDONED_URI_SECONDS / SECONDS_PER_DAY} days after its last resource is gone.`,
  'https://api.example.com/orders',
);
const sentence = [
  textUpTo(SCOPE_SENTENCE_MAX),
  describe(`Sentence in this language. At most ${SCOPE_SENTENCE_MAX} characters.`, 'Read your orders'),
] as const;
const scope = createSchemas(
  scopeFields,
  {
    name: [
      // Scope token of RFC 6749 §3.3: printable ASCII without space, quote and backslash.
      v.pipe(v.string(), v.regex(/^[!#-[\]-~]{1,64}$/, 'must be a scope of at most 64 characters')),
      describe('Name of the scope in requests and tokens (RFC 6749 §3.3).', 'orders:read'),
    ],
    sentence: [
      createSchemas(
        sentenceFields,
        byLanguage(() => sentence),
        'whole',
      ),
      describe('Sentence that users read when asked to grant the scope, by language (default: the name).'),
    ],
    default: describe('Whether the scope is granted to requests without any scope (default: false).', false),
    acr: describe('`mfa` if a login that requests the scope requires a second factor.', 'mfa'),
    maxAge: [
      integer(0, SESSION_SECONDS_MAX),
      describe('Maximum age in seconds of a login that requests the scope (default: any).', 300),
    ],
  },
  'whole',
);
const resource = createSchemas(resourceFields, {
  resourceId,
  tenantId,
  name: [name, describe(`Display name. At most ${NAME_MAX} characters.`, 'Orders API')],
  description: [
    v.pipe(v.string(), maxCharacters(DESCRIPTION_MAX)),
    describe(
      `Description of the resource for readers. At most ${DESCRIPTION_MAX} characters.`,
      'Reads and places orders',
    ),
  ],
  uri: [uri, resourceUri],
  scopes: [
    { create: list(scope.create, RESOURCE_SCOPES_MAX), record: v.array(scope.record) },
    describe(
      `Scopes: what tokens may do at the resource (absent: it has none of its own). Requests ask for them by name, with or without \`openid\`. At most ${RESOURCE_SCOPES_MAX}; a list replaces the existing one.`,
    ),
  ],
  accessTokenSeconds: [
    accessSeconds,
    describe(
      `Lifetime of access tokens in seconds, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_ACCESS_TTL_MAX_SECONDS}. Fractions are rounded down. APIs that verify tokens offline accept a token until it expires.`,
      3600,
    ),
  ],
  refreshTokenSeconds: [
    refreshSeconds,
    describe(
      `Lifetime of a refresh token in seconds, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS}. Fractions are rounded down.`,
      1209600,
    ),
  ],
  maxRefreshRotateSeconds: [
    refreshSeconds,
    describe(
      `Total time in seconds during which a login can be refreshed, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS}. No refresh token lives longer.`,
      1209600,
    ),
  ],
});
/** Request bodies that create and change a resource (SPEC E1, E2). */
export const { create: CreateResourceBody, update: UpdateResourceBody } = resource;
export const ResourceRecord = described(resource.record, describe('An audience of access tokens.'));
export const ResourceResponse = toResult(ResourceRecord);
export const ResourceListResponse = toPage(ResourceRecord);
export const ResourceIdPath = v.object({ resourceId: described(id, resourceId) });
export const ResourceUriQuery = v.object({ resourceUri: described(uri, resourceUri) });

import * as v from 'valibot';
import {
  DESCRIPTION_MAX,
  NAME_MAX,
  RESOURCE_ACCESS_TTL_MAX_SECONDS,
  RESOURCE_REFRESH_TTL_MAX_SECONDS,
  RESOURCE_SCOPES_MAX,
  RESOURCE_TTL_MIN_SECONDS,
  SCOPE_SENTENCE_MAX,
  SECONDS_PER_DAY,
  SESSION_SECONDS_MAX,
  URI_HELD_SECONDS,
  URI_MAX,
} from '../domain/basis/limits.ts';
import { byLanguage } from '../records/languages.ts';
import { resourceFields, scopeFields, sentenceFields } from '../records/resource.ts';
import { described, doc } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { schemasOf } from './fields/of-record.ts';
import {
  accessSeconds,
  id,
  integer,
  list,
  listOf,
  name,
  refreshSeconds,
  resultOf,
  tenantId,
  textUpTo,
  uri,
} from './fields/record.ts';

// Resources: audiences of access tokens (SPEC E).

const resourceId = doc('ID of the resource.', '0q5w8h2tz9x4k7m1vd6rc3nyb');
const resourceUri = doc(
  `Absolute URI that becomes the audience (\`aud\`) of access tokens. Without fragment, at most ${URI_MAX} characters, compared character by character. It belongs to one tenant of the environment, which keeps it for ${URI_HELD_SECONDS / SECONDS_PER_DAY} days after its last resource is gone.`,
  'https://api.example.com/orders',
);
const sentence = [
  textUpTo(SCOPE_SENTENCE_MAX),
  doc(`Sentence in this language. At most ${SCOPE_SENTENCE_MAX} characters.`, 'Read your orders'),
] as const;
const scope = schemasOf(
  scopeFields,
  {
    name: [
      // RFC 6749 §3.3: printable ASCII without space, quote and backslash.
      v.pipe(v.string(), v.regex(/^[!#-[\]-~]{1,64}$/, 'must be a scope of at most 64 characters')),
      doc('Name of the scope in requests and tokens (RFC 6749 §3.3).', 'orders:read'),
    ],
    sentence: [
      schemasOf(
        sentenceFields,
        byLanguage(() => sentence),
        'whole',
      ),
      doc('Sentence that users read when asked to grant the scope, by language (default: the name).'),
    ],
    default: doc('Whether the scope is granted to requests without any scope (default: false).', false),
    acr: doc('`mfa` if a login that requests the scope requires a second factor.', 'mfa'),
    maxAge: [
      integer(0, SESSION_SECONDS_MAX),
      doc('Maximum age in seconds of a login that requests the scope (default: any).', 300),
    ],
  },
  'whole',
);
const resource = schemasOf(resourceFields, {
  resourceId,
  tenantId,
  name: [name, doc(`Display name. At most ${NAME_MAX} characters.`, 'Orders API')],
  description: [
    v.pipe(v.string(), maxCharacters(DESCRIPTION_MAX)),
    doc(
      `Description of the resource for readers. At most ${DESCRIPTION_MAX} characters.`,
      'Reads and places orders',
    ),
  ],
  uri: [uri, resourceUri],
  scopes: [
    { create: list(scope.create, RESOURCE_SCOPES_MAX), record: v.array(scope.record) },
    doc(
      `Scopes: what tokens may do at the resource (absent: it has none of its own). Requests ask for them by name, with or without \`openid\`. At most ${RESOURCE_SCOPES_MAX}; a list replaces the existing one.`,
    ),
  ],
  accessTokenSeconds: [
    accessSeconds,
    doc(
      `Lifetime of access tokens in seconds, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_ACCESS_TTL_MAX_SECONDS}. Fractions are rounded down. APIs that verify tokens offline accept a token until it expires.`,
      3600,
    ),
  ],
  refreshTokenSeconds: [
    refreshSeconds,
    doc(
      `Lifetime of a refresh token in seconds, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS}. Fractions are rounded down.`,
      1209600,
    ),
  ],
  maxRefreshRotateSeconds: [
    refreshSeconds,
    doc(
      `Total time in seconds during which a login can be refreshed, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS}. No refresh token lives longer.`,
      1209600,
    ),
  ],
});
/** Requests that create and change a resource (SPEC E1, E2). */
export const { create: CreateResourceBody, update: UpdateResourceBody } = resource;
export const ResourceRecord = described(resource.record, doc('An audience of access tokens.'));
export const ResourceResponse = resultOf(ResourceRecord);
export const ResourceListResponse = listOf(ResourceRecord);
export const ResourceIdPath = v.object({ resourceId: described(id, resourceId) });
export const ResourceUriQuery = v.object({ resourceUri: described(uri, resourceUri) });

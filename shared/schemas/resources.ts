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

/** Audiences of access tokens (SPEC E). */

const resourceId = doc('ID of the resource.', '0q5w8h2tz9x4k7m1vd6rc3nyb');
const resourceUri = doc(
  `Absolute URI that becomes the audience (\`aud\`) of access tokens. Without fragment, at most ${URI_MAX} characters, compared character by character. It belongs to one tenant of the environment, which keeps it for ${URI_HELD_SECONDS / SECONDS_PER_DAY} days after giving it up.`,
  'https://api.example.com/orders',
);
const sentence = [
  textUpTo(SCOPE_SENTENCE_MAX),
  doc(`In this language. At most ${SCOPE_SENTENCE_MAX} characters.`, 'Read your orders'),
] as const;
const scope = schemasOf(
  scopeFields,
  {
    name: [
      // RFC 6749 §3.3: printable ASCII without space, quote and backslash.
      v.pipe(v.string(), v.regex(/^[!#-[\]-~]{1,64}$/, 'must be a scope of at most 64 characters')),
      doc('The scope, as requests and tokens name it (RFC 6749 §3.3).', 'orders:read'),
    ],
    sentence: [
      schemasOf(
        sentenceFields,
        byLanguage(() => sentence),
        'whole',
      ),
      doc('What people read who are asked for it, by language (default: the name).'),
    ],
    default: doc('Whether a request without any scope is granted it (default: false).', false),
    acr: doc('`mfa`: a login that asks for it takes a second factor.', 'mfa'),
    maxAge: [
      integer(0, SESSION_SECONDS_MAX),
      doc('The oldest login that it takes, in seconds (default: any).', 300),
    ],
  },
  'whole',
);
const resource = schemasOf(resourceFields, {
  resourceId,
  tenantId,
  name: [name, doc(`Name for people. At most ${NAME_MAX} characters.`, 'Orders API')],
  description: [
    v.pipe(v.string(), maxCharacters(DESCRIPTION_MAX)),
    doc(`Description for people. At most ${DESCRIPTION_MAX} characters.`, 'Reads and places orders'),
  ],
  uri: [uri, resourceUri],
  scopes: [
    { create: list(scope.create, RESOURCE_SCOPES_MAX), record: v.array(scope.record) },
    doc(
      `What tokens may do at the resource (absent: nothing of its own). Requests ask for it by name, beside \`openid\` or without. At most ${RESOURCE_SCOPES_MAX}; a list replaces the former one.`,
    ),
  ],
  accessTokenSeconds: [
    accessSeconds,
    doc(
      `Lifetime of access tokens in seconds, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_ACCESS_TTL_MAX_SECONDS}. Fractions are rounded down. APIs that verify offline take a token until its end.`,
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
      `How long a login can be refreshed in all, in seconds, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS}. A refresh token that would live longer ends then.`,
      1209600,
    ),
  ],
});
/** SPEC E1, E2. */
export const { create: CreateResourceBody, update: UpdateResourceBody } = resource;
export const ResourceRecord = described(resource.record, doc('An audience of access tokens.'));
export const ResourceResponse = resultOf(ResourceRecord);
export const ResourceListResponse = listOf(ResourceRecord);
export const ResourceIdPath = v.object({ resourceId: described(id, resourceId) });
export const ResourceUriQuery = v.object({ resourceUri: described(uri, resourceUri) });

import * as v from 'valibot';
import {
  DESCRIPTION_MAX,
  NAME_MAX,
  RESOURCE_ACCESS_TTL_MAX_SECONDS,
  RESOURCE_REFRESH_TTL_MAX_SECONDS,
  RESOURCE_TTL_MIN_SECONDS,
  SECONDS_PER_DAY,
  URI_HELD_SECONDS,
  URI_MAX,
} from '../domain/basis/limits.ts';
import { described, doc } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import {
  accessSeconds,
  dates,
  field,
  id,
  listOf,
  name,
  refreshSeconds,
  resultOf,
  shown,
  tenantId,
  uri,
} from './fields/record.ts';

/** Audiences of access tokens (SPEC E). */

const resourceId = doc('ID of the resource.', '0q5w8h2tz9x4k7m1vd6rc3nyb');
const nameOfResource = doc(`Name for people. At most ${NAME_MAX} characters.`, 'Orders API');
const description = doc(
  `Description for people. At most ${DESCRIPTION_MAX} characters.`,
  'Reads and places orders',
);
const resourceUri = doc(
  `Absolute URI that becomes the audience (\`aud\`) of access tokens. Without fragment, at most ${URI_MAX} characters, compared character by character. It belongs to one tenant of the environment, which keeps it for ${URI_HELD_SECONDS / SECONDS_PER_DAY} days after giving it up.`,
  'https://api.example.com/orders',
);
const accessTtl = doc(
  `Lifetime of access tokens in seconds, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_ACCESS_TTL_MAX_SECONDS}. Fractions are rounded down. APIs that verify offline take a token until its end.`,
  3600,
);
const refreshTtl = doc(
  `Lifetime of a refresh token in seconds, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS}. Fractions are rounded down.`,
  1209600,
);
const maxRotate = doc(
  `How long a login can be refreshed in all, in seconds, ${RESOURCE_TTL_MIN_SECONDS} to ${RESOURCE_REFRESH_TTL_MAX_SECONDS}. A refresh token that would live longer ends then.`,
  1209600,
);

/** SPEC E1. */
export const CreateResourceBody = v.object({
  name: described(name, nameOfResource),
  description: field(v.pipe(v.string(), maxCharacters(DESCRIPTION_MAX)), description),
  uri: described(uri, resourceUri),
  access_token_ttl: described(accessSeconds, accessTtl),
  refresh_token_ttl: described(refreshSeconds, refreshTtl),
  max_refresh_rotate: described(refreshSeconds, maxRotate),
});
export type ResourceFields = v.InferOutput<typeof CreateResourceBody>;
/** SPEC E2. */
export const UpdateResourceBody = v.partial(CreateResourceBody);
export const ResourceRecord = described(
  v.object({
    resource_id: described(v.string(), resourceId),
    tenant_id: described(v.string(), tenantId),
    name: described(v.string(), nameOfResource),
    description: shown(v.string(), description),
    uri: described(v.string(), resourceUri),
    access_token_ttl: described(v.number(), accessTtl),
    refresh_token_ttl: described(v.number(), refreshTtl),
    max_refresh_rotate: described(v.number(), maxRotate),
    ...dates,
  }),
  doc('An audience of access tokens.'),
);
export type ResourceRecord = v.InferOutput<typeof ResourceRecord>;
export const ResourceResponse = resultOf(ResourceRecord);
export const ResourceListResponse = listOf(ResourceRecord);
export const ResourceIdPath = v.object({ resourceId: described(id, resourceId) });
export const ResourceUriQuery = v.object({ resourceUri: described(uri, resourceUri) });

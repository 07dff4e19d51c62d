import * as v from 'valibot';
import { DESCRIPTION_MAX } from '../domain/basis/limits.ts';
import { maxCharacters } from './max-characters.ts';
import {
  accessSeconds,
  dates,
  field,
  id,
  listOf,
  name,
  refreshSeconds,
  resultOf,
  uri,
} from './record-fields.ts';

/** Audiences of access tokens. */

/** SPEC E1. */
export const CreateResourceBody = v.object({
  name,
  description: field(v.pipe(v.string(), maxCharacters(DESCRIPTION_MAX))),
  uri,
  access_token_ttl: accessSeconds,
  refresh_token_ttl: refreshSeconds,
  max_refresh_rotate: refreshSeconds,
});
export type ResourceFields = v.InferOutput<typeof CreateResourceBody>;
/** SPEC E2. */
export const UpdateResourceBody = v.partial(CreateResourceBody);
export const ResourceRecord = v.object({
  resource_id: v.string(),
  tenant_id: v.string(),
  name: v.string(),
  description: v.optional(v.string()),
  uri: v.string(),
  access_token_ttl: v.number(),
  refresh_token_ttl: v.number(),
  max_refresh_rotate: v.number(),
  ...dates,
});
export type ResourceRecord = v.InferOutput<typeof ResourceRecord>;
export const ResourceResponse = resultOf(ResourceRecord);
export const ResourceListResponse = listOf(ResourceRecord);
export const ResourceIdPath = v.object({ resourceId: id });
export const ResourceUriQuery = v.object({ resourceUri: uri });

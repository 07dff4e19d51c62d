import * as v from 'valibot';
import { CLIENT_KEYS_MAX, ROLES_MAX } from '../domain/basis/limits.ts';
import { permissions, roleNames } from './applications.ts';
import {
  accessSeconds,
  date,
  dates,
  field,
  id,
  listOf,
  name,
  refreshSeconds,
  resultOf,
} from './record-fields.ts';

/** Credentials that act for an application, or for the whole tenant. */

const authMethod = v.picklist(['secret', 'private_key_jwt', 'none']);
/** RFC 7517; which keys are good is for the rules to say. */
const jwk = v.looseObject({ kty: v.string() });

const clientFields = {
  /** Without any, and without roles: all permissions of the application. */
  permissions: field(permissions),
  roles: field(roleNames(ROLES_MAX)),
  trusted: field(v.boolean()),
  auth_method: field(authMethod),
  jwks: field(v.object({ keys: v.pipe(v.array(jwk), v.minLength(1), v.maxLength(CLIENT_KEYS_MAX)) })),
  strict_audience: field(v.boolean()),
  require_pkce: field(v.boolean()),
  require_pushed_requests: field(v.boolean()),
  bound_codes: field(v.boolean()),
  dpop_bound: field(v.boolean()),
  dpop_nonce: field(v.boolean()),
  access_token_ttl: field(accessSeconds),
  refresh_token_ttl: field(refreshSeconds),
  max_refresh_rotate: field(refreshSeconds),
};

export const CreateClientBody = v.object({ name, ...clientFields });
export const UpdateClientBody = v.object({ name: v.optional(name), ...clientFields });
export type ClientFields = v.InferOutput<typeof UpdateClientBody>;
export const ClientRecord = v.object({
  client_id: v.string(),
  tenant_id: v.string(),
  app_id: v.optional(v.string()),
  kind: v.picklist(['application', 'management']),
  name: v.string(),
  permissions: v.optional(v.array(v.string())),
  roles: v.optional(v.array(v.string())),
  trusted: v.boolean(),
  auth_method: authMethod,
  jwks: v.optional(v.object({ keys: v.array(jwk) })),
  strict_audience: v.boolean(),
  require_pkce: v.boolean(),
  require_pushed_requests: v.boolean(),
  bound_codes: v.boolean(),
  dpop_bound: v.boolean(),
  dpop_nonce: v.boolean(),
  access_token_ttl: v.optional(v.number()),
  refresh_token_ttl: v.optional(v.number()),
  max_refresh_rotate: v.optional(v.number()),
  secrets: v.array(v.object({ secret_id: v.string(), created_at: date })),
  /** Only in the answer that follows the making of the secret. */
  client_secret: v.optional(v.string()),
  ...dates,
});
export type ClientRecord = v.InferOutput<typeof ClientRecord>;
export const ClientResponse = resultOf(ClientRecord);
export const ClientIdPath = v.object({ appId: id, clientId: id });
export const ClientSecretPath = v.object({ appId: id, clientId: id, secretId: id });
export const ClientListResponse = listOf(ClientRecord);
export const ManagementClientPath = v.object({ clientId: id });
export const ManagementClientSecretPath = v.object({ clientId: id, secretId: id });

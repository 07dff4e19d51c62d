import type { Client, ClientRecords, ClientSecret, Clients, PublicJwk } from '../../ports/directory.ts';
import {
  asJson,
  maps,
  number,
  omitUndefined,
  oneOf,
  optionalFlag,
  optionalJson,
  optionalNumber,
  optionalText,
  optionalTexts,
  text,
} from '../attributes.ts';
import { clientKey, listPartitions } from '../keys.ts';
import { lookup, type RecordKind, recordStore } from '../record-store.ts';
import type { Item, Table } from '../table.ts';

function toSecret(item: Item): ClientSecret {
  return {
    secretId: text(item, 'secret_id'),
    hash: text(item, 'hash'),
    createdAt: number(item, 'created_at'),
  };
}

const AUTH_METHODS = ['secret', 'private_key_jwt', 'none'] as const;

function toKeys(item: Item): Client['jwks'] {
  const stored = optionalJson(item, 'jwks');
  return (
    stored && { keys: maps(stored, 'keys').map((jwk): PublicJwk => ({ ...jwk, kty: text(jwk, 'kty') })) }
  );
}

function toClient(item: Item): Client {
  return omitUndefined({
    clientId: text(item, 'client_id'),
    tenantId: text(item, 'tenant_id'),
    applicationId: optionalText(item, 'application_id'),
    kind: oneOf(item, 'kind', ['application', 'management']),
    name: text(item, 'name'),
    secrets: maps(item, 'secrets').map(toSecret),
    authMethod: item.auth_method === undefined ? undefined : oneOf(item, 'auth_method', AUTH_METHODS),
    jwks: toKeys(item),
    strictAudience: optionalFlag(item, 'strict_audience'),
    requirePkce: optionalFlag(item, 'require_pkce'),
    requirePushedRequests: optionalFlag(item, 'require_pushed_requests'),
    dpopBound: optionalFlag(item, 'dpop_bound'),
    dpopNonce: optionalFlag(item, 'dpop_nonce'),
    permissions: optionalTexts(item, 'permissions'),
    roles: optionalTexts(item, 'roles'),
    trusted: optionalFlag(item, 'trusted'),
    accessTokenSeconds: optionalNumber(item, 'access_token_seconds'),
    refreshTokenSeconds: optionalNumber(item, 'refresh_token_seconds'),
    maxRefreshRotateSeconds: optionalNumber(item, 'max_refresh_rotate_seconds'),
    createdAt: number(item, 'created_at'),
    updatedAt: number(item, 'updated_at'),
  });
}

const kind: RecordKind<Client> = {
  key: clientKey,
  id: (client) => client.clientId,
  /** Management clients belong to the tenant. */
  list: (client) => listPartitions.clients(client.applicationId ?? client.tenantId),
  listOf: listPartitions.clients,
  fromItem: toClient,
  toAttributes: (client) => ({
    client_id: client.clientId,
    tenant_id: client.tenantId,
    application_id: client.applicationId,
    kind: client.kind,
    name: client.name,
    secrets: client.secrets.map(({ secretId, hash, createdAt }) => ({
      secret_id: secretId,
      hash,
      created_at: createdAt,
    })),
    auth_method: client.authMethod,
    jwks: asJson(client.jwks),
    strict_audience: client.strictAudience,
    require_pkce: client.requirePkce,
    require_pushed_requests: client.requirePushedRequests,
    dpop_bound: client.dpopBound,
    dpop_nonce: client.dpopNonce,
    permissions: client.permissions,
    roles: client.roles,
    trusted: client.trusted,
    access_token_seconds: client.accessTokenSeconds,
    refresh_token_seconds: client.refreshTokenSeconds,
    max_refresh_rotate_seconds: client.maxRefreshRotateSeconds,
    created_at: client.createdAt,
    updated_at: client.updatedAt,
  }),
};

export const clients = (table: Table): Clients => lookup(table, kind);
export const clientRecords = (table: Table): ClientRecords => recordStore(table, kind);

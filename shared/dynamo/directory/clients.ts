import type {
  Client,
  ClientRecords,
  ClientSecret,
  Clients,
  PublicJwk,
  RevokedId,
} from '../../ports/directory.ts';
import type { Item } from '../attributes.ts';
import { readMaps, readText } from '../attributes.ts';
import { codec, flag, json, maps, number, oneOf, optional, text, texts } from '../codec.ts';
import { clientKey, listPartitions } from '../keys.ts';
import { lookup, type RecordKind, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const secret = codec<ClientSecret>({
  secretId: text('secret_id'),
  hash: text('hash'),
  createdAt: number('created_at'),
});

const revokedId = codec<RevokedId>({ id: text('id'), until: number('until') });

type Jwks = NonNullable<Client['jwks']>;

const readJwk = (jwk: Item): PublicJwk => ({ ...jwk, kty: readText(jwk, 'kty') });

const clientItem = codec<Client>({
  clientId: text('client_id'),
  tenantId: text('tenant_id'),
  applicationId: optional(text('application_id')),
  kind: oneOf('kind', ['application', 'management']),
  name: text('name'),
  secrets: maps('secrets', secret),
  authMethod: optional(oneOf('auth_method', ['secret', 'private_key_jwt', 'none'])),
  jwks: optional(json<Jwks>('jwks', (set) => ({ keys: readMaps(set, 'keys').map(readJwk) }))),
  strictAudience: optional(flag('strict_audience')),
  requirePkce: optional(flag('require_pkce')),
  requirePushedRequests: optional(flag('require_pushed_requests')),
  boundCodes: flag('bound_codes'),
  offlineAccessWithoutConsent: optional(flag('offline_access_without_consent')),
  dpopBound: optional(flag('dpop_bound')),
  dpopNonce: optional(flag('dpop_nonce')),
  profile: optional(oneOf('profile', ['fapi2'])),
  acrValues: optional(oneOf('acr_values', ['require', 'prefer'])),
  backchannelLogoutUri: optional(text('backchannel_logout_uri')),
  backchannelLogoutSessionRequired: optional(flag('backchannel_logout_session_required')),
  refreshTokenRotation: optional(flag('refresh_token_rotation')),
  idTokenSignedResponseAlg: optional(oneOf('id_token_signed_response_alg', ['RS256', 'PS256', 'ES256'])),
  permissions: optional(texts('permissions')),
  roles: optional(texts('roles')),
  trusted: optional(flag('trusted')),
  accessTokenSeconds: optional(number('access_token_seconds')),
  refreshTokenSeconds: optional(number('refresh_token_seconds')),
  maxRefreshRotateSeconds: optional(number('max_refresh_rotate_seconds')),
  revoked: optional(maps('revoked', revokedId)),
  tokensAfter: optional(number('tokens_after')),
  createdAt: number('created_at'),
  updatedAt: number('updated_at'),
});

const kind: RecordKind<Client> = {
  key: clientKey,
  id: (client) => client.clientId,
  /** Management clients belong to the tenant. */
  list: (client) => listPartitions.clients(client.applicationId ?? client.tenantId),
  listOf: listPartitions.clients,
  codec: clientItem,
};

export const clients = (table: Table): Clients => lookup(table, kind);
export const clientRecords = (table: Table): ClientRecords => recordStore(table, kind);

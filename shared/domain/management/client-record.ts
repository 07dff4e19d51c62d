import { invalidInput } from '../../errors/service-error.ts';
import type { Client, ClientAuthMethod } from '../../ports/directory.ts';
import type { ClientFields, ClientRecord } from '../../schemas/clients.ts';
import { changed } from '../basis/change-record.ts';
import { algorithmsOn } from '../basis/key-algorithms.ts';
import { CLIENT_TOKEN_SECONDS } from '../basis/limits.ts';
import { allFields } from '../basis/omit-undefined.ts';
import { wireDate } from '../basis/time.ts';
import { readClientKeys } from '../credentials/client-keys.ts';
import { requireUsableKey, withProfile } from '../oauth/client-profile.ts';
import { readTokenLifetime } from './lifetimes.ts';
import { readWebUri } from './redirect-uris.ts';
import { readPermissions } from './roles.ts';

/** A client as operators see it. `client_secret` is there only when the secret has just been made. */
export function clientRecord(client: Client, secret?: string): ClientRecord {
  return allFields<ClientRecord>({
    client_id: client.clientId,
    tenant_id: client.tenantId,
    app_id: client.applicationId,
    kind: client.kind,
    name: client.name,
    permissions: client.permissions && [...client.permissions],
    roles: client.roles && [...client.roles],
    trusted: client.trusted ?? false,
    auth_method: client.authMethod ?? 'secret',
    jwks: client.jwks && { keys: [...client.jwks.keys] },
    strict_audience: client.strictAudience ?? false,
    require_pkce: client.requirePkce ?? false,
    require_pushed_requests: client.requirePushedRequests ?? false,
    bound_codes: client.boundCodes,
    offline_access_without_consent: client.offlineAccessWithoutConsent ?? false,
    dpop_bound: client.dpopBound ?? false,
    dpop_nonce: client.dpopNonce ?? false,
    profile: client.profile,
    acr_values: client.acrValues ?? 'require',
    backchannel_logout_uri: client.backchannelLogoutUri,
    backchannel_logout_session_required: client.backchannelLogoutSessionRequired ?? false,
    refresh_token_rotation: client.refreshTokenRotation ?? true,
    id_token_signed_response_alg: client.idTokenSignedResponseAlg ?? 'RS256',
    access_token_ttl: client.accessTokenSeconds,
    refresh_token_ttl: client.refreshTokenSeconds,
    max_refresh_rotate: client.maxRefreshRotateSeconds,
    secrets: client.secrets.map(({ secretId, createdAt }) => ({
      secret_id: secretId,
      created_at: wireDate(createdAt),
    })),
    client_secret: secret,
    created_at: wireDate(client.createdAt),
    updated_at: wireDate(client.updatedAt),
  });
}

/** What a client of an application may do. A management client has none of both: it may do everything. */
function readGrants({ applicationId }: Client, { permissions, roles }: ClientFields) {
  if (applicationId !== undefined)
    return {
      permissions: permissions && readPermissions(applicationId, permissions),
      roles: roles && [...new Set(roles)],
    };
  for (const [name, given] of Object.entries({ permissions, roles }))
    if (given) throw invalidInput(`${name}: a management client may do everything in its tenant`);
  return { permissions, roles };
}

/** Secrets go with the method that they belong to: none comes back to life when the method changes once more. */
function authentication(current: Client, fields: ClientFields) {
  const authMethod = changed(current.authMethod, fields.auth_method);
  const jwks = changed(current.jwks, fields.jwks && readClientKeys(fields.jwks));
  if (authMethod === 'private_key_jwt' && !jwks) throw invalidInput('jwks: is required with private_key_jwt');
  if (authMethod === 'none' && current.kind === 'management')
    throw invalidInput('auth_method: a management client must prove who it is');
  return {
    authMethod,
    jwks,
    strictAudience: changed(current.strictAudience, fields.strict_audience),
    secrets: hasSecrets({ authMethod }) ? current.secrets : [],
  };
}

/** What the environment lets clients choose. */
export type SigningChoice = Parameters<typeof algorithmsOn>[0];

/** A record that has an algorithm since before it was switched off can be written as it is. */
function signedResponseAlg(current: Client, fields: ClientFields, choice: SigningChoice) {
  const { id_token_signed_response_alg: alg } = fields;
  const on = algorithmsOn(choice);
  if (alg && alg !== current.idTokenSignedResponseAlg && !on.includes(alg))
    throw invalidInput(
      `id_token_signed_response_alg: ${alg} is off in this environment, ${on.join(' and ')} are on`,
    );
  return changed(current.idTokenSignedResponseAlg, alg);
}

export function hasSecrets({ authMethod }: { readonly authMethod?: ClientAuthMethod | undefined }): boolean {
  return authMethod === undefined || authMethod === 'secret';
}

/** A token that stays the same must not be worth anything by itself (FAPI 2.0 Security Profile §5.3.2.1, RFC 9700 §2.2.2). */
function requireRotation({ refreshTokenRotation, authMethod, dpopBound }: Client): void {
  const isProven = authMethod === 'private_key_jwt' || (authMethod !== 'none' && dpopBound === true);
  if (refreshTokenRotation === false && !isProven)
    throw invalidInput(
      'refresh_token_rotation: may be false with private_key_jwt, or with a secret and dpop_bound',
    );
}

function lifetime(
  name: 'access_token_ttl' | 'refresh_token_ttl' | 'max_refresh_rotate',
  fields: ClientFields,
): number | null | undefined {
  const given = fields[name];
  return typeof given === 'number' ? readTokenLifetime(name, given) : given;
}

/** The client with the given fields in place of the former ones. Errors: `system_invalid_input`. */
export function clientWithFields(
  current: Client,
  given: ClientFields,
  at: number,
  choice: SigningChoice = { es256: false },
): Client {
  const fields = withProfile(current, given);
  const grants = readGrants(current, fields);
  const { clientId, tenantId, applicationId, kind, revoked, tokensAfter, createdAt } = current;
  const next = allFields<Client>({
    clientId,
    tenantId,
    applicationId,
    kind,
    revoked,
    tokensAfter,
    createdAt,
    name: fields.name ?? current.name,
    permissions: changed(current.permissions, grants.permissions),
    roles: changed(current.roles, grants.roles),
    trusted: changed(current.trusted, fields.trusted),
    ...authentication(current, fields),
    requirePkce: changed(current.requirePkce, fields.require_pkce),
    requirePushedRequests: changed(current.requirePushedRequests, fields.require_pushed_requests),
    boundCodes: changed(current.boundCodes, fields.bound_codes) ?? true,
    offlineAccessWithoutConsent: changed(
      current.offlineAccessWithoutConsent,
      fields.offline_access_without_consent,
    ),
    dpopBound: changed(current.dpopBound, fields.dpop_bound),
    dpopNonce: changed(current.dpopNonce, fields.dpop_nonce),
    profile: changed(current.profile, fields.profile),
    acrValues: changed(current.acrValues, fields.acr_values),
    backchannelLogoutUri: changed(
      current.backchannelLogoutUri,
      fields.backchannel_logout_uri && readWebUri(fields.backchannel_logout_uri, 'backchannel_logout_uri'),
    ),
    backchannelLogoutSessionRequired: changed(
      current.backchannelLogoutSessionRequired,
      fields.backchannel_logout_session_required,
    ),
    refreshTokenRotation: changed(current.refreshTokenRotation, fields.refresh_token_rotation),
    idTokenSignedResponseAlg: signedResponseAlg(current, fields, choice),
    accessTokenSeconds: changed(current.accessTokenSeconds, lifetime('access_token_ttl', fields)),
    refreshTokenSeconds: changed(current.refreshTokenSeconds, lifetime('refresh_token_ttl', fields)),
    maxRefreshRotateSeconds: changed(current.maxRefreshRotateSeconds, lifetime('max_refresh_rotate', fields)),
    updatedAt: at,
  });
  requireUsableKey(next);
  requireRotation(next);
  if (kind === 'management' && fields.access_token_ttl && fields.access_token_ttl > CLIENT_TOKEN_SECONDS)
    throw invalidInput(`access_token_ttl: must be at most ${CLIENT_TOKEN_SECONDS} for a management client`);
  return next;
}

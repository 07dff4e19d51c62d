import { invalidInput } from '../../errors/service-error.ts';
import type {
  Client,
  ClientAuthMethod,
  ClientFields,
  ClientRecord,
  TokenAlgorithm,
} from '../../ports/directory.ts';
import { clientFields } from '../../records/client.ts';
import { applyChanges, toRecordView } from '../../records/record.ts';
import { listEnabledAlgorithms } from '../basis/key-algorithms.ts';
import { CLIENT_TOKEN_SECONDS } from '../basis/limits.ts';
import { type LocalExceptions, readCalledUri } from '../basis/redirect-uri.ts';
import { readClientKeys } from '../credentials/client-keys.ts';
import { applyProfile, requireUsableKey } from '../oauth/client-profile.ts';
import { tokenLifetimes } from './lifetimes.ts';
import { readPermissions } from './roles.ts';

/** Converts a client to its API representation. `clientSecret` is shown once, right after it was created. */
export const toClientRecord = (client: Client, clientSecret?: string): ClientRecord =>
  toRecordView(clientFields, {
    ...client,
    ...(client.authMethod === 'none' && { requirePkce: true }),
    clientSecret,
  });

/**
 * Returns the ID of the client's application. Rejects management clients, which cannot have permissions or roles. Errors:
 * `system_invalid_input`.
 */
function requireApplicationClient({ applicationId }: Client, name: string): string {
  if (applicationId === undefined)
    throw invalidInput(`${name}: a management client already has all permissions in its tenant`);
  return applicationId;
}

/** Rejects an authentication method that the client cannot use. */
function requireMethod({ authMethod, jwks, kind }: Client): void {
  if (authMethod === 'private_key_jwt' && !jwks) throw invalidInput('jwks: is required with private_key_jwt');
  if (authMethod === 'none' && kind === 'management')
    throw invalidInput('auth_method: a management client must authenticate');
}

/** Settings of the environment that limit the settings of clients. */
export type ClientEnvironment = Parameters<typeof listEnabledAlgorithms>[0] & LocalExceptions;

/** Rejects a signature algorithm that the environment has disabled. A client that already uses the algorithm may keep it. */
function signedResponseAlg(current: Client, alg: TokenAlgorithm, choice: ClientEnvironment): TokenAlgorithm {
  const on = listEnabledAlgorithms(choice);
  if (alg !== current.idTokenSignedResponseAlg && !on.includes(alg))
    throw invalidInput(
      `id_token_signed_response_alg: ${alg} is not enabled in this environment, only ${on.join(' and ')} are on`,
    );
  return alg;
}

export function hasSecrets({ authMethod }: { readonly authMethod?: ClientAuthMethod | undefined }): boolean {
  return authMethod === undefined || authMethod === 'secret';
}

/**
 * Rejects refresh tokens without rotation unless a stolen token is useless without the client's key or secret (FAPI 2.0
 * Security Profile §5.3.2.1, RFC 9700 §2.2.2).
 */
function requireRotation({ refreshTokenRotation, authMethod, dpopBound }: Client): void {
  const isProven = authMethod === 'private_key_jwt' || (authMethod !== 'none' && dpopBound === true);
  if (refreshTokenRotation === false && !isProven)
    throw invalidInput(
      'refresh_token_rotation: may be false with private_key_jwt, or with a secret and dpop_bound',
    );
}

/** Applies the given fields to a client; leaves the other fields unchanged. Errors: `system_invalid_input`. */
export function applyClientFields(
  current: Client,
  given: ClientFields,
  at: number,
  choice: ClientEnvironment = { es256: false, loopback: false },
): Client {
  const fields = applyProfile(current, given);
  const changed = applyChanges(clientFields, current, fields, {
    permissions: (names) => readPermissions(requireApplicationClient(current, 'permissions'), names),
    roles: (names) => {
      requireApplicationClient(current, 'roles');
      return [...new Set(names)];
    },
    jwks: readClientKeys,
    backchannelLogoutUri: (uri) => readCalledUri(uri, 'backchannel_logout_uri', choice),
    idTokenSignedResponseAlg: (alg) => signedResponseAlg(current, alg, choice),
    ...tokenLifetimes,
  });
  requireMethod(changed);
  // Secrets are deleted when the client changes to a method without secrets, so that changing back does not make them valid
  // again.
  const next = { ...changed, secrets: hasSecrets(changed) ? current.secrets : [], updatedAt: at };
  requireUsableKey(next);
  requireRotation(next);
  const { access_token_ttl: seconds } = fields;
  if (current.kind === 'management' && seconds && seconds > CLIENT_TOKEN_SECONDS)
    throw invalidInput(`access_token_ttl: must be at most ${CLIENT_TOKEN_SECONDS} for a management client`);
  return next;
}

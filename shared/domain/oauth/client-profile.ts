import { invalidInput } from '../../errors/service-error.ts';
import type { Client, ClientFields } from '../../ports/directory.ts';
import { applyChange } from '../basis/change-record.ts';
import { listAcceptedAlgorithms, listKeyAlgorithms } from '../basis/key-algorithms.ts';

/**
 * Client settings that FAPI 2.0 Security Profile §5.3.2 requires, apart from those of all clients (`iss`, 60 s codes, PKCE).
 */
const FAPI2 = {
  auth_method: 'private_key_jwt',
  strict_audience: true,
  require_pkce: true,
  require_pushed_requests: true,
  dpop_bound: true,
  refresh_token_rotation: false,
} as const satisfies ClientFields;

/** Returns the signature algorithm for a FAPI client's ID tokens. PS256, which every environment has, replaces RS256. */
function idTokenAlgorithm(
  { idTokenSignedResponseAlg: before = 'RS256' }: Client,
  { id_token_signed_response_alg: given }: ClientFields,
): ClientFields['id_token_signed_response_alg'] {
  if (given === null || given === 'RS256')
    throw invalidInput('id_token_signed_response_alg: must be PS256 or ES256 with the profile fapi2');
  return given ?? (before === 'RS256' ? 'PS256' : undefined);
}

/**
 * Adds the settings that the client's profile requires to the fields of a change. The settings stay when the profile is
 * removed. Errors: `system_invalid_input` if a field contradicts the profile.
 */
export function applyProfile(current: Client, fields: ClientFields): ClientFields {
  const profile = applyChange(current.profile, fields.profile);
  if (profile === undefined) return fields;
  const given: Readonly<Record<string, unknown>> = fields;
  for (const [name, demanded] of Object.entries(FAPI2))
    if (given[name] !== undefined && given[name] !== demanded)
      throw invalidInput(`${name}: must be ${demanded} with the profile ${profile}`);
  return { ...fields, ...FAPI2, id_token_signed_response_alg: idTokenAlgorithm(current, fields) };
}

/** Rejects a client whose keys cannot use any algorithm of its profile. Errors: `system_invalid_input`. */
export function requireUsableKey(client: Client): void {
  const accepted = listAcceptedAlgorithms(client);
  const keys = client.jwks?.keys ?? [];
  if (keys.length > 0 && !keys.some((jwk) => listKeyAlgorithms(jwk).some((name) => accepted.includes(name))))
    throw invalidInput(`jwks.keys: one key must support one of ${accepted.join(', ')} with the profile`);
}

/**
 * Rejects a client with a profile, because its logins must use pushed requests (FAPI 2.0 Security Profile §5.3.2.2). Errors:
 * `system_invalid_input`.
 */
export function requireNoProfile({ profile }: Client): void {
  if (profile !== undefined)
    throw invalidInput(
      `redirect_uri: a client with the profile ${profile} must use pushed authorization requests`,
    );
}

import type { PasskeyArtifacts } from '../../shared/domain/passkeys/passkey-artifacts.ts';
import { invalidInput } from '../../shared/errors/service-error.ts';
import type { OperationPorts, OperationRequest } from '../../shared/operation.ts';
import type { DpopProof } from '../../shared/tokens/dpop.ts';
import type { OAuthCaller } from '../../shared/tokens/oauth-caller.ts';
import type { token as operation } from './rows.ts';

type TokenForm = OperationRequest<typeof operation>['form'];

/**
 * Token request of an authenticated client. `proof` contains the DPoP key that the tokens will be bound to, and is undefined if
 * the request has no DPoP proof.
 */
export interface GrantRequest
  extends Pick<OperationRequest<typeof operation>, 'form' | 'request' | 'settings' | 'audit'> {
  readonly caller: OAuthCaller;
  readonly proof: DpopProof | undefined;
}

/** Successful response of the token endpoint (RFC 6749 §5.1, OIDC Core §3.1.3.3). */
export interface TokenAnswer {
  readonly access_token: string;
  /** Type of the issued token in a token exchange (RFC 8693 §2.2.1). */
  readonly issued_token_type?: string;
  readonly token_type: 'Bearer' | 'DPoP';
  readonly expires_in: number;
  readonly scope: string;
  readonly id_token?: string | undefined;
  readonly refresh_token?: string | undefined;
  readonly session_id?: string;
  readonly signing_artifacts?: PasskeyArtifacts | undefined;
}

export type GrantPorts = OperationPorts<typeof operation>;

/** Function that handles one grant type (RFC 6749 §1.3). */
export type Grant = (request: GrantRequest, ports: GrantPorts) => Promise<TokenAnswer>;

/**
 * Returns a form field that the grant type requires.
 * @throws `system_invalid_input` if the field is missing
 */
export function requireField(
  form: TokenForm,
  name: 'code' | 'refresh_token' | 'subject_token' | 'subject_token_type',
): string {
  const value = form[name];
  if (value === undefined) throw invalidInput(`${name}: is required`);
  return value;
}

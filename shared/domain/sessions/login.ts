import type { ClientCaller } from '../../operation.ts';
import type { Device, MethodUse, ProvenMethod, Session } from '../../ports/flows.ts';
import type { Membership, RecordedProof, User } from '../../ports/people.ts';
import type { ClaimsRequest } from '../claims/claims-request.ts';
import { readStoredClaims } from '../claims/stored-claims.ts';
import type { AuthenticationProof } from '../credentials/authentication-proof.ts';
import type { Audience } from './audience.ts';

/** Login in progress, from its consumed credential to its tokens. Each step adds the data that it has found. */
export interface Login {
  /** Proof of the consumed credential, without which no tokens are issued. */
  readonly proof: AuthenticationProof;
  readonly caller: Pick<ClientCaller, 'client' | 'tenant' | 'application'>;
  readonly issuer: string;
  readonly user: User;
  readonly membership: Membership | undefined;
  /** Methods that the login is based on. They determine `amr` and `acr` of its tokens, now and at each refresh. */
  readonly factors: readonly ProvenMethod[];
  readonly audience: Audience;
  readonly scope: string;
  readonly claims: ClaimsRequest;
  /** Set to `requested` if ID tokens contain only the claims that the scope and the `claims` parameter request. */
  readonly idTokenClaims?: 'requested' | undefined;
  readonly nonce?: string | undefined;
  /** ID of the user's consent, for clients that are identified by a metadata document. */
  readonly consentId?: string | undefined;
  /** JWK thumbprint of the DPoP key that the access token is bound to (RFC 9449 §6). */
  readonly dpopJkt?: string | undefined;
  /** Time in epoch seconds at which the tokens are issued. */
  readonly at: number;
}

/** Login that starts a session or joins an existing session. */
export interface ProvenLogin extends Login {
  readonly joined: Session | undefined;
  /** Methods proven in this login. Empty if the login reuses a browser's session. */
  readonly methods: readonly MethodUse[];
  readonly device: Device;
  /** Address that the login verifies, with its new trust. */
  readonly noted?: RecordedProof | undefined;
  /** True if a refresh token is issued. */
  readonly offlineAccess: boolean;
  /**
   * IDs that were chosen with the authorization code, so that a second use of the code finds the session and tokens of the
   * first use.
   */
  readonly ids?: { readonly sessionId: string; readonly familyId: string };
}

/** Login with its session, for which tokens can be signed. */
export interface LoginInSession extends Login {
  readonly session: Session;
  readonly newUser: boolean;
  /** ID of the refresh token family that the tokens belong to. Revoking the family revokes the tokens (RFC 7009 §2.1). */
  readonly familyId: string | undefined;
  /** `jti` of the access token. Set only if the same access token must be issued again. */
  readonly jti?: string | undefined;
}

/** Returns the grant of a login, as stored in an authorization code or refresh token family for later tokens. */
export function readGrant({
  scope,
  claims,
  idTokenClaims,
  nonce,
  consentId,
}: {
  readonly scope: string;
  readonly claims?: string;
  readonly idTokenClaims?: 'requested';
  readonly nonce?: string;
  readonly consentId?: string;
}): Pick<Login, 'scope' | 'claims' | 'idTokenClaims' | 'nonce' | 'consentId'> {
  return { scope, claims: readStoredClaims(claims), idTokenClaims, nonce, consentId };
}

import type { ClientCaller } from '../../operation.ts';
import type { Device, MethodUse, ProvenMethod, Session } from '../../ports/flows.ts';
import type { Membership, NotedProof, User } from '../../ports/people.ts';
import type { ClaimsRequest } from '../claims/claims-request.ts';
import { readStoredClaims } from '../claims/stored-claims.ts';
import type { AuthenticationProof } from '../credentials/authentication-proof.ts';
import type { Audience } from './audience.ts';

/** A login from the consumed credential to its tokens: one value travels, and each step adds what it has learned. */
export interface Login {
  /** Without a consumed credential there are no tokens. */
  readonly proof: AuthenticationProof;
  readonly caller: Pick<ClientCaller, 'client' | 'tenant' | 'application'>;
  readonly issuer: string;
  readonly user: User;
  readonly membership: Membership | undefined;
  /** What the login rests on: `amr` and `acr` of its tokens, now and at each refresh. */
  readonly factors: readonly ProvenMethod[];
  readonly audience: Audience;
  readonly scope: string;
  readonly claims: ClaimsRequest;
  /** The ID tokens give only what scope and claims ask for. */
  readonly idTokenClaims?: 'requested' | undefined;
  readonly nonce?: string | undefined;
  /** The consent of the person that it rests on: of a client by document. */
  readonly consentId?: string | undefined;
  /** RFC 9449 §6: the key that the access token is bound to. */
  readonly dpopJkt?: string | undefined;
  /** Epoch seconds at which the tokens are issued. */
  readonly at: number;
}

/** A login that starts a session, or joins one. */
export interface ProvenLogin extends Login {
  readonly joined: Session | undefined;
  /** Proven in this very login; empty when a browser's session is used again. */
  readonly methods: readonly MethodUse[];
  readonly device: Device;
  /** The address that it proves, and what that is from now on. */
  readonly noted?: NotedProof | undefined;
  /** Whether a refresh token is issued. */
  readonly offlineAccess: boolean;
  /** Chosen before, so that a second use of a code finds what the first one made. */
  readonly ids?: { readonly sessionId: string; readonly familyId: string };
}

/** A login in its session: ready to sign tokens. */
export interface LoginInSession extends Login {
  readonly session: Session;
  readonly newUser: boolean;
  /** The refresh family of the tokens: revoking it revokes them (RFC 7009 §2.1). */
  readonly familyId: string | undefined;
  /** Of the access token; given where the same token must be issued again. */
  readonly jti?: string | undefined;
}

/** What a login granted, as codes and refresh families keep it for the tokens that come later. */
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

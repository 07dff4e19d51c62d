import { type ErrorDetail, ServiceError } from '../../errors/service-error.ts';
import type { AuthorizationCode, CodeOwner } from '../../ports/authorization.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { AUTHORIZATION_CODE_SECONDS, RESOURCE_ACCESS_TTL_MAX_SECONDS } from '../basis/limits.ts';
import { hashSecret, newId, newSecret, newSessionId } from '../basis/random.ts';
import { nowSeconds } from '../basis/time.ts';
import {
  type AuthenticationProof,
  type Consumption,
  createConsumption,
  provenBy,
} from '../credentials/authentication-proof.ts';
import { isMailedLink } from '../credentials/mailed-link.ts';
import { sealTraces, unsealTraces } from '../credentials/sealed-traces.ts';
import type { CodeFacts } from './code-facts.ts';
import { checkCodeVerifier } from './pkce.ts';

// Authorization codes: 256 random bits, stored as a hash and used once. A second use indicates theft, so it revokes the tokens
// that were issued for the first use (RFC 6749 §4.1.2, RFC 9700 §4.5).

export interface NewAuthorizationCode {
  readonly code: string;
  readonly record: AuthorizationCode;
}

/** Creates an authorization code that is valid for `lifetimeSeconds` from `issuedAt` (epoch seconds). Stores nothing. */
export function createAuthorizationCode(
  facts: CodeFacts,
  issuedAt: number,
  lifetimeSeconds = AUTHORIZATION_CODE_SECONDS,
  code = newSecret(),
): NewAuthorizationCode {
  const { joinsSession, ...rest } = facts;
  const record: AuthorizationCode = {
    ...rest,
    hash: hashSecret(code),
    sessionId: joinsSession ?? newSessionId(facts.userId),
    startsSession: joinsSession === undefined,
    familyId: newId(),
    issuedAt,
    expiresAt: issuedAt + lifetimeSeconds,
  };
  return { code, record: sealTraces(code, record) };
}

/** Reads the stored record of an authorization code, even if the code has expired or was used. */
export async function readAuthorizationCode(
  ports: PortsWith<'codes.find'>,
  code: string,
): Promise<AuthorizationCode | undefined> {
  const record = await ports.codes.find(hashSecret(code));
  return record && unsealTraces(code, record);
}

function badCode(audit?: ErrorDetail['audit']): ServiceError {
  return new ServiceError('invalid_grant', {
    message: 'code: is invalid, expired or already used',
    ...(audit && { audit }),
  });
}

/** Builds the error for the second use of an authorization code, with a security event for the audit log. */
const reused = ({ userId, sessionId }: AuthorizationCode): ServiceError =>
  badCode({ userId, sessionId, events: ['token.reused'] });

const ISSUED_ID_LENGTH = 22;

/**
 * Returns the `jti` of the access token that is issued for a code. It is derived from the ID of the refresh family, so that a
 * second use of the code can revoke that token. If the exchange joins a session and issues no refresh token, only this
 * revocation ends the token.
 */
export function deriveAccessTokenId(familyId: string): string {
  return hashSecret(`access token of ${familyId}`).slice(0, ISSUED_ID_LENGTH);
}

export type CodePorts = PortsWith<
  | 'codes.consume'
  | 'codes.find'
  | 'codes.undoConsume'
  | 'codes.finalizeConsumption'
  | 'sessions.endFamily'
  | 'sessions.forbid'
  | 'revokedTokens.revoke'
>;

/**
 * Revokes the tokens that were issued for a code. Either of the code's two uses may be the thief's, so neither keeps its tokens
 * (RFC 9700 §4.5). Nothing is revoked if a rejected exchange has restored the code in the meantime, because that exchange
 * issued nothing.
 */
async function revokeIssued(
  { codes, sessions, revokedTokens }: CodePorts,
  code: AuthorizationCode,
  at: number,
): Promise<void> {
  if (!(await codes.finalizeConsumption(code.hash))) throw badCode();
  if (code.startsSession) return sessions.forbid(code.sessionId, at);
  await awaitAll(
    sessions.endFamily(code.sessionId, code.familyId, at),
    // Uses the current time instead of `at`, because a concurrent request may have issued its token after this request arrived.
    revokedTokens.revoke(deriveAccessTokenId(code.familyId), nowSeconds() + RESOURCE_ACCESS_TTL_MAX_SECONDS),
  );
}

export interface PresentedCode {
  /** Time in epoch seconds at which the code was presented. */
  readonly now: number;
  readonly code: string;
  readonly clientId: string;
  readonly codeVerifier: string | undefined;
  /** Redirect URI in the request. If present, it must equal the URI for which the code was issued. */
  readonly redirectUri: string | undefined;
  /**
   * Condition under which a code from the authorization endpoint must be presented with its redirect URI (RFC 6749 §4.1.3).
   * With neither the URI nor PKCE, a client would exchange a stolen code that an attacker has injected (RFC 9700 §4.5).
   */
  readonly needsRedirectUri: 'always' | 'without PKCE' | 'without PKCE or proof of the client';
  /** Thumbprint of the request's DPoP key. A code that is bound to a key requires this key (RFC 9449 §10). */
  readonly dpopJkt: string | undefined;
}

function needsRedirectUri(
  { origin, codeChallenge, provenClient }: AuthorizationCode,
  { needsRedirectUri: when }: PresentedCode,
): boolean {
  if (origin !== 'oidc') return false;
  if (when === 'always') return true;
  return codeChallenge === undefined && !(provenClient && when === 'without PKCE or proof of the client');
}

/**
 * Validates a code without consuming it. The code stays usable for its owner if the client, redirect URI or verifier is wrong.
 * Errors: `invalid_grant`.
 */
export async function validateAuthorizationCode(
  ports: CodePorts,
  presented: PresentedCode,
): Promise<AuthorizationCode> {
  const code = await readAuthorizationCode(ports, presented.code);
  if (!code || code.clientId !== presented.clientId || code.requireMfa) throw badCode();
  checkCodeVerifier(code.codeChallenge, presented.codeVerifier);
  if (code.dpopJkt !== undefined && code.dpopJkt !== presented.dpopJkt)
    throw new ServiceError('invalid_grant', { message: 'DPoP: the code is bound to another key' });
  if (code.consumedAt !== undefined) {
    await revokeIssued(ports, code, presented.now);
    throw reused(code);
  }
  if (code.expiresAt <= presented.now) throw badCode();
  const needed = needsRedirectUri(code, presented) && presented.redirectUri === undefined;
  if (needed || (presented.redirectUri !== undefined && presented.redirectUri !== code.redirectUri))
    throw new ServiceError('invalid_grant', {
      message: 'redirect_uri: differs from that of the authorization request',
    });
  return code;
}

/**
 * Consumes a code at `at` (epoch seconds), for the code's user and session or, if given, those in `instead`. Only one of
 * several concurrent callers succeeds; each other caller revokes the tokens that the successful caller got. Errors:
 * `invalid_grant`.
 */
export async function consumeAuthorizationCode(
  ports: CodePorts,
  code: AuthorizationCode,
  at: number,
  { instead, holder }: { readonly instead?: CodeOwner | undefined; readonly holder: string },
): Promise<AuthenticationProof> {
  if (!(await ports.codes.consume(code.hash, at, instead, holder))) {
    const used = (await ports.codes.find(code.hash)) ?? code;
    await revokeIssued(ports, used, at);
    throw reused(used);
  }
  const last = code.methods.at(-1);
  if (!last) throw new Error('a code without any authentication');
  return provenBy({
    method: last.method,
    ...(isMailedLink(code) ? { at } : { at: last.at, authTime: code.authTime }),
    ...(code.approvalData ? { approvalData: code.approvalData } : {}),
    ...(code.deliveredToHash === undefined ? {} : { deliveredToHash: code.deliveredToHash }),
  });
}

/**
 * Prepares the consumption of an authorization code, so that a failed exchange can undo it. A session or refresh family that
 * the exchange may have started cannot start again, so the next exchange gets new IDs.
 */
export const createCodeConsumption = (
  ports: PortsWith<'codes.undoConsume'>,
  { code, record }: { readonly code: string; readonly record: AuthorizationCode },
): Consumption =>
  createConsumption((holder) => {
    const renamed = {
      familyId: newId(),
      ...(record.startsSession ? { sessionId: newSessionId(record.userId) } : {}),
    };
    return ports.codes.undoConsume(sealTraces(code, { ...record, ...renamed }), holder);
  });

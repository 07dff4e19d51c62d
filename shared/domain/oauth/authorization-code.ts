import { type ErrorDetail, ServiceError } from '../../errors/service-error.ts';
import type { AuthorizationCode, CodeOwner } from '../../ports/authorization.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { AUTHORIZATION_CODE_SECONDS, RESOURCE_ACCESS_TTL_MAX_SECONDS } from '../basis/limits.ts';
import { hashSecret, newId, newSecret, newSessionId } from '../basis/random.ts';
import { nowSeconds } from '../basis/time.ts';
import {
  type AuthenticationProof,
  type Hold,
  newHold,
  provenBy,
} from '../credentials/authentication-proof.ts';
import { isMailedLink } from '../credentials/mailed-link.ts';
import { openTraces, sealTraces } from '../credentials/sealed-traces.ts';
import type { CodeFacts } from './code-facts.ts';
import { checkCodeVerifier } from './pkce.ts';

/**
 * Authorization codes. 256 bits, stored as a hash, used once. A second use tells of a theft and revokes what the first one
 * issued (RFC 6749 §4.1.2, RFC 9700 §4.5).
 */

export interface MadeCode {
  readonly code: string;
  readonly record: AuthorizationCode;
}

/** Makes a code that is issued at `issuedAt` and lives for `lifetimeSeconds` (60 s by default); nothing is stored yet. */
export function makeCode(
  facts: CodeFacts,
  issuedAt: number,
  lifetimeSeconds = AUTHORIZATION_CODE_SECONDS,
  code = newSecret(),
): MadeCode {
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

/** The record of a code, also when expired or consumed. */
export async function readCode(
  ports: Using<'codes.find'>,
  code: string,
): Promise<AuthorizationCode | undefined> {
  const record = await ports.codes.find(hashSecret(code));
  return record && openTraces(code, record);
}

function badCode(audit?: ErrorDetail['audit']): ServiceError {
  return new ServiceError('invalid_grant', {
    message: 'code: is invalid, expired or used already',
    ...(audit && { audit }),
  });
}

/** A second use is a security event of its own. */
const reused = ({ userId, sessionId }: AuthorizationCode): ServiceError =>
  badCode({ userId, sessionId, events: ['token.reused'] });

const ISSUED_ID_LENGTH = 22;

/**
 * The `jti` of the access token that a code is exchanged for. Derived, so that a second use can revoke the token where
 * nothing else ends with it: in a joined session without a refresh token.
 */
export function issuedTokenId(familyId: string): string {
  return hashSecret(`access token of ${familyId}`).slice(0, ISSUED_ID_LENGTH);
}

export type CodePorts = Using<
  | 'codes.consume'
  | 'codes.find'
  | 'codes.giveBack'
  | 'codes.keepConsumed'
  | 'sessions.endFamily'
  | 'sessions.forbid'
  | 'revokedTokens.revoke'
>;

/**
 * The first or the second use may be the thief's, so what was issued ends for both (RFC 9700 §4.5). Not for a code that was
 * given back meanwhile: its look-ups had refused it, and nothing was issued.
 */
async function revokeIssued(
  { codes, sessions, revokedTokens }: CodePorts,
  code: AuthorizationCode,
  at: number,
): Promise<void> {
  if (!(await codes.keepConsumed(code.hash))) throw badCode();
  if (code.startsSession) return sessions.forbid(code.sessionId, at);
  await awaitAll(
    sessions.endFamily(code.sessionId, code.familyId, at),
    // From now, not from `at`: a faster request may have issued its token after this one came.
    revokedTokens.revoke(issuedTokenId(code.familyId), nowSeconds() + RESOURCE_ACCESS_TTL_MAX_SECONDS),
  );
}

export interface PresentedCode {
  /** Epoch seconds at which it came. */
  readonly now: number;
  readonly code: string;
  readonly clientId: string;
  readonly codeVerifier: string | undefined;
  /** Compared if given. */
  readonly redirectUri: string | undefined;
  /**
   * When a code of the authorization endpoint must come with its redirect URI (RFC 6749 §4.1.3). Without it and without PKCE
   * a client exchanges any stolen code that an attacker gives it (RFC 9700 §4.5).
   */
  readonly needsRedirectUri: 'always' | 'without PKCE' | 'without PKCE or proof of the client';
  /** RFC 9449 §10: a bound code needs this key. */
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
 * Checks a code without consuming it. A foreign client, a wrong redirect URI or verifier leave it usable for its owner.
 * Errors: `invalid_grant`.
 */
export async function checkCode(ports: CodePorts, presented: PresentedCode): Promise<AuthorizationCode> {
  const code = await readCode(ports, presented.code);
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
      message: 'redirect_uri: is not that of the authorization request',
    });
  return code;
}

/**
 * Consumes the code `at` (epoch seconds), for the user and session that it began with or those `instead`. Of many callers one
 * succeeds; every other revokes what that one gets.
 * Errors: `invalid_grant`.
 */
export async function consumeCode(
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
 * Lets an exchange give the code back. What the failed one has begun has ended under its names, so the next one takes new ones.
 */
export const holdCode = (
  ports: Using<'codes.giveBack'>,
  { code, record }: { readonly code: string; readonly record: AuthorizationCode },
): Hold =>
  newHold((holder) => {
    const renamed = {
      familyId: newId(),
      ...(record.startsSession ? { sessionId: newSessionId(record.userId) } : {}),
    };
    return ports.codes.giveBack(sealTraces(code, { ...record, ...renamed }), holder);
  });

import { type ErrorDetail, ServiceError } from '../../errors/service-error.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { AUTHORIZATION_CODE_SECONDS, RESOURCE_ACCESS_TTL_MAX_SECONDS } from '../basis/limits.ts';
import { hashSecret, newId, newSecret } from '../basis/random.ts';
import { type AuthenticationProof, provenBy } from '../credentials/authentication-proof.ts';
import { isMailedLink } from '../credentials/mailed-link.ts';
import { openTraces, sealTraces } from '../credentials/sealed-traces.ts';
import { newSessionId } from '../sessions/session.ts';
import type { CodeFacts } from './code-facts.ts';
import { checkCodeVerifier } from './pkce.ts';

/**
 * Codes that a redirect brings to the caller. 256 bits, stored as a hash, used once; a second use tells of a theft, so it
 * revokes what the first one issued (RFC 6749 §4.1.2, RFC 9700 §4.5).
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

/** The record of a code, whatever has become of it. */
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

/** A code that comes twice is worth a line of its own in the user's timeline. */
const reused = ({ userId, sessionId }: AuthorizationCode): ServiceError =>
  badCode({ userId, sessionId, events: ['token.reused'] });

const ISSUED_ID_LENGTH = 22;

/**
 * The `jti` of the access token that the exchange of a code issues. It is known before, so that a second use revokes the
 * token even when nothing else can be ended: it joined a session, and no refresh token was issued with it.
 */
export function issuedTokenId(familyId: string): string {
  return hashSecret(`access token of ${familyId}`).slice(0, ISSUED_ID_LENGTH);
}

export type CodePorts = Using<
  'codes.consume' | 'codes.find' | 'sessions.endFamily' | 'sessions.forbid' | 'revokedTokens.revoke'
>;

/** A stolen code came second, or first: nobody can tell which, so nobody keeps what it bought. */
async function revokeIssued(
  { sessions, revokedTokens }: CodePorts,
  code: AuthorizationCode,
  at: number,
): Promise<void> {
  if (code.startsSession) return sessions.forbid(code.sessionId, at);
  await awaitAll(
    sessions.endFamily(code.sessionId, code.familyId, at),
    revokedTokens.revoke(issuedTokenId(code.familyId), at + RESOURCE_ACCESS_TTL_MAX_SECONDS),
  );
}

export interface PresentedCode {
  /** Epoch seconds at which it came. */
  readonly now: number;
  readonly code: string;
  readonly clientId: string;
  readonly codeVerifier: string | undefined;
  /** Compared when given. */
  readonly redirectUri: string | undefined;
  /** Where it can be given, it must be for codes of the authorization endpoint. */
  readonly takesRedirectUri: boolean;
  /** RFC 9449 §10: a code that is bound to a key is exchanged with that key alone. */
  readonly dpopJkt: string | undefined;
}

/**
 * Checks a code without using it up. Foreign client, wrong redirect URI and wrong verifier leave it usable for its owner.
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
  const needed = presented.takesRedirectUri && code.origin === 'oidc' && presented.redirectUri === undefined;
  if (needed || (presented.redirectUri !== undefined && presented.redirectUri !== code.redirectUri))
    throw new ServiceError('invalid_grant', {
      message: 'redirect_uri: is not that of the authorization request',
    });
  return code;
}

/** Uses the code up; of many callers exactly one gets past this line, every other one revokes what that one gets. */
export async function consumeCode(
  ports: CodePorts,
  code: AuthorizationCode,
  at: number,
): Promise<AuthenticationProof> {
  if (!(await ports.codes.consume(code.hash, at))) {
    await revokeIssued(ports, code, at);
    throw reused(code);
  }
  const last = code.methods.at(-1);
  if (!last) throw new Error('a code without any authentication');
  return provenBy({
    method: last.method,
    at: isMailedLink(code) ? at : code.authTime,
    ...(code.approvalData ? { approvalData: code.approvalData } : {}),
    ...(code.deliveredToHash === undefined ? {} : { deliveredToHash: code.deliveredToHash }),
  });
}

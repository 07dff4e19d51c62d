import { type ErrorDetail, ServiceError } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { AuthenticationMethod, CodeChannel, OneTimeCodeKey, StoredCode } from '../../ports/flows.ts';
import type { Identifier, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { awaitAll } from '../basis/await-all.ts';
import { deviceOf } from '../basis/client-attributes.ts';
import { PASSCODE_MAX_FAILURES } from '../basis/limits.ts';
import { equalSecrets } from '../basis/random.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import { isAtRisk } from '../identifiers/proven-address.ts';
import { type AuthenticationProof, provenBy, provesAddress } from './authentication-proof.ts';
import { matchesRequestId } from './request-id.ts';

/**
 * One-time codes: digits that a user types, bound to application and identifier. A million tries guess six digits, so every
 * try is counted before anything is compared (NIST SP 800-63B-4 §3.1.3.2). The counter belongs to the identifier and survives
 * a resend. The stored MAC cannot be searched without the KMS key.
 */

type GuessPorts = Using<
  'otps.countTry' | 'otps.find' | 'otps.refundTry' | 'codeMac' | 'users.switchPasscodesOff'
>;

export function codeKey(tenant: Tenant, application: Application, identifier: Identifier): OneTimeCodeKey {
  return { applicationId: application.applicationId, identifierHash: identifierHash(tenant, identifier) };
}

/** The key as text, for `passcodesOff` of a user. */
export function codeKeyText({ applicationId, identifierHash: hash }: OneTimeCodeKey): string {
  return `${applicationId}#${hash}`;
}

function codeKeyOf(text: string): OneTimeCodeKey {
  const separator = text.lastIndexOf('#');
  return { applicationId: text.slice(0, separator), identifierHash: text.slice(separator + 1) };
}

/** People type codes with spaces; nothing else is forgiven. */
export function macOfPasscode(
  ports: Using<'codeMac'>,
  key: OneTimeCodeKey,
  passcode: string,
): Promise<string> {
  return ports.codeMac.mac(['passcode', codeKeyText(key), passcode.replace(/\s/g, '')].join('\n'));
}

export interface PasscodeGuess {
  readonly key: OneTimeCodeKey;
  readonly clientId: string;
  /** Lets a code that another client of the application sent be used. */
  readonly acrossClients: boolean;
  readonly purpose: NonNullable<StoredCode['purpose']>;
  readonly passcode: string;
  readonly requestId?: string | undefined;
  /** Epoch seconds of the try. */
  readonly at: number;
}

/** A code whose digits were right, its try counted; still to be consumed. */
export interface CheckedCode {
  readonly key: OneTimeCodeKey;
  readonly code: StoredCode;
}

function isMeant(guess: PasscodeGuess, code: StoredCode, mac: string): boolean {
  const digits = equalSecrets(mac, code.mac);
  const client = code.clientId === guess.clientId || guess.acrossClients;
  const purpose = (code.purpose ?? 'one-time') === guess.purpose;
  return digits && client && purpose && matchesRequestId(code.requestIdHash, guess.requestId);
}

function auditOf(code: StoredCode | undefined): NonNullable<ErrorDetail['audit']> {
  return code ? { userId: code.userId, channel: code.channel } : {};
}

/** 100 consecutive failures switch codes off. The user's record notes it, and a login by another method clears it. */
async function noteSwitchedOff(
  ports: Using<'users.switchPasscodesOff'>,
  key: OneTimeCodeKey,
  { userId }: StoredCode,
  failures: number,
): Promise<void> {
  if (failures >= PASSCODE_MAX_FAILURES) await ports.users.switchPasscodesOff(userId, codeKeyText(key));
}

/**
 * Why no try could be counted. Without any code nothing is written; the digits of an expired code are compared first
 * (they open nothing any more), and only wrong ones are counted.
 */
async function explainRefusal(ports: GuessPorts, guess: PasscodeGuess, mac: string): Promise<never> {
  const { key, at } = guess;
  const state = await ports.otps.find(key);
  const code = state?.code;
  // Noted again on each try, for the one that reached the limit may have crashed before it could.
  if (code) await noteSwitchedOff(ports, key, code, state.failures);
  const isFinal = (state?.failures ?? 0) >= PASSCODE_MAX_FAILURES;
  const locked = (state?.lockedUntil ?? 0) > at || isFinal;
  const audit = auditOf(code);
  if (locked) throw new ServiceError('auth_locked', { audit, isFinal });
  if (!code || code.consumedAt !== undefined || code.expiresAt > at)
    throw new ServiceError('auth_invalid_credentials', { audit });
  if (isMeant(guess, code, mac)) throw new ServiceError('auth_otp_passcode_expired', { audit });
  const counted = await ports.otps.countTry(key, { at, maxFailures: PASSCODE_MAX_FAILURES, expired: true });
  if (counted) await noteSwitchedOff(ports, key, code, counted.failures);
  throw new ServiceError('auth_invalid_credentials', { audit });
}

/**
 * Counts the try, then compares. The last failed try of a lock's worth is answered like the ones before it.
 * Errors: `auth_invalid_credentials`, `auth_otp_passcode_expired`, `auth_locked`.
 */
export async function checkPasscode(ports: GuessPorts, guess: PasscodeGuess): Promise<CheckedCode> {
  const { key, at } = guess;
  const counting = ports.otps.countTry(key, { at, maxFailures: PASSCODE_MAX_FAILURES });
  const [counted, mac] = await awaitAll(
    counting,
    macOfPasscode(ports, key, guess.passcode).catch(async (error: unknown) => {
      // Nothing was compared: a busy KMS must not use up tries.
      const uncompared = await counting;
      if (uncompared) await ports.otps.refundTry(key, uncompared.code.mac);
      throw error;
    }),
  );
  if (!counted) return explainRefusal(ports, guess, mac);
  if (isMeant(guess, counted.code, mac)) return { key, code: counted.code };
  await noteSwitchedOff(ports, key, counted.code, counted.failures);
  const audit = auditOf(counted.code);
  const locks = counted.triesLeft === 0 && counted.code.kind === 'known';
  throw new ServiceError('auth_invalid_credentials', {
    audit: locks ? { ...audit, events: ['login.locked'] } : audit,
  });
}

/**
 * Rejects right digits like wrong ones when their number is at risk: it may be hijacked. Errors: `auth_invalid_credentials`.
 */
export function requireTrustedNumber(tenant: Tenant, user: User, { code }: CheckedCode): void {
  const { deliveredToHash, alternativeHash } = code;
  if (isAtRisk(tenant, user, deliveredToHash) || isAtRisk(tenant, user, alternativeHash))
    throw new ServiceError('auth_invalid_credentials', { audit: auditOf(code) });
}

/** Runs the rest after right digits. If it fails, refunds the try: it was no guess. */
export async function orRefund<T>(
  ports: Using<'otps.refundTry'>,
  { key, code }: CheckedCode,
  rest: Promise<T>,
): Promise<T> {
  try {
    return await rest;
  } catch (error) {
    await ports.otps.refundTry(key, code.mac);
    throw error;
  }
}

const METHODS: Readonly<Record<CodeChannel, AuthenticationMethod>> = {
  email: 'eotp',
  sms: 'sms',
  direct: 'otp',
};

/**
 * Consumes the code `at` (epoch seconds). Of many callers with right digits one succeeds.
 * Errors: `auth_invalid_credentials`.
 */
export async function consumePasscode(
  ports: Using<'otps.consume'>,
  { key, code }: CheckedCode,
  at: number,
): Promise<AuthenticationProof> {
  if (!(await ports.otps.consume(key, code.mac, at))) throw new ServiceError('auth_invalid_credentials');
  return provenBy({
    method: METHODS[code.channel],
    at,
    ...(code.approvalData ? { approvalData: code.approvalData } : {}),
    ...provesAddress(code.deliveredToHash, key.applicationId),
    device: deviceOf(code),
  });
}

/** After a login by another method: codes that 100 failures switched off work again. */
export async function clearSwitchedOffCodes(
  ports: Using<'otps.remove'>,
  keys: readonly string[] | undefined,
): Promise<void> {
  await Promise.all((keys ?? []).map((text) => ports.otps.remove(codeKeyOf(text))));
}

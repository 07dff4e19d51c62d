// One-time codes: digits that a user types, bound to an application and an identifier. Six digits can be guessed with a million
// attempts, so every attempt is counted before the code is compared (NIST SP 800-63B-4 §3.1.3.2). Each attempt counts twice: in
// its slot, where a few wrong codes lock the caller (`basis/code-lock`), and for the user, where the limit of §3.2.2 applies.
// The digits cannot be computed from a stored MAC without the MAC key of that day, which KMS derives.
import { createHmac } from 'node:crypto';
import { type ErrorDetail, ServiceError } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type {
  AttemptOutcome,
  AuthenticationMethod,
  CodeCaller,
  OneTimeCodeKey,
  StoredCode,
} from '../../ports/flows.ts';
import type { Identifier, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type CodeChannel, channels } from '../../records/channels.ts';
import { awaitAll } from '../basis/await-all.ts';
import { pickDevice } from '../basis/client-attributes.ts';
import { HOUR_SECONDS } from '../basis/limits.ts';
import { areSecretsEqual, hashSecret } from '../basis/random.ts';
import { toWireDate } from '../basis/time.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';
import { isAtRisk } from '../identifiers/proven-address.ts';
import {
  type AuthenticationProof,
  type Consumption,
  consumeInParallel,
  createConsumption,
  provenBy,
  restoreOnFailure,
} from './authentication-proof.ts';
import { admitCorrectCode, countsForUser, countWrongGuess } from './guesses.ts';
import { normalisePasscode } from './typed-passcode.ts';

type GuessPorts = PortsWith<
  'otps.countAttempt' | 'otps.refundAttempt' | 'guesses.count' | 'codeMac' | 'users.noteWrongGuess'
>;

/** Returns the storage slot of a hosted login's code. Attackers cannot know it, so they can neither revoke nor try the code. */
export const toLoginSlot = (loginHash: string): string => `login:${loginHash}`;

/** Returns the storage slot of a backend's code: one per `request_id`, else one per client or for clients that share codes. */
export function toClientSlot(application: Application, clientId: string, requestIdHash?: string): string {
  if (requestIdHash !== undefined) return `request:${requestIdHash}`;
  return application.passcodesAcrossClients ? 'clients' : `client:${clientId}`;
}

/** Returns the storage slots in which an API login looks for its code. A `request_id` for which no code was sent is ignored. */
export function listClientSlots(
  application: Application,
  clientId: string,
  requestId: string | undefined,
): readonly string[] {
  const own = toClientSlot(application, clientId);
  return requestId === undefined ? [own] : [toClientSlot(application, clientId, hashSecret(requestId)), own];
}

export function codeKey(
  tenant: Tenant,
  application: Application,
  identifier: Identifier,
  slot: string,
): OneTimeCodeKey {
  return {
    applicationId: application.applicationId,
    identifierHash: identifierHash(tenant, identifier),
    slot,
  };
}

type IdentifierKey = Omit<OneTimeCodeKey, 'slot'>;

/** Returns the MAC of a typed passcode under a key, as `<name of the key>.<MAC>`. */
async function computeMac(
  { codeMac }: PortsWith<'codeMac'>,
  keyName: string,
  { applicationId, identifierHash: hash }: IdentifierKey,
  { passcode, prefetch }: { readonly passcode: string; readonly prefetch?: readonly string[] },
): Promise<string> {
  const message = ['passcode', `${applicationId}#${hash}`, normalisePasscode(passcode)].join('\n');
  return `${keyName}.${await codeMac.mac(keyName, message, prefetch)}`;
}

/** Returns the name of a UTC day's MAC key. Each day has its own key: if one key leaks, the codes of other days stay secret. */
const keyNameAt = (at: number): string => toWireDate(at).slice(0, 'yyyy-mm-dd'.length);
/**
 * Returns the name of the MAC key of the next or previous UTC day if midnight is at most an hour away. Both keys are then
 * cached, so that a failure of KMS around midnight does not reject codes.
 */
const keyNamesAround = (at: number): readonly string[] =>
  [at - HOUR_SECONDS, at + HOUR_SECONDS].map(keyNameAt).filter((name) => name !== keyNameAt(at));
const keyNameIn = (mac: string): string => mac.slice(0, mac.indexOf('.'));

/** Returns the MAC of a passcode under the key of the day of `at` (epoch seconds). */
export const computePasscodeMac = (
  ports: PortsWith<'codeMac'>,
  identifierKey: IdentifierKey,
  passcode: string,
  at: number,
): Promise<string> =>
  computeMac(ports, keyNameAt(at), identifierKey, { passcode, prefetch: keyNamesAround(at) });

/** Hashes entered digits with the login's ID as the key, to detect a form that is sent twice. The login's ID is not stored. */
export function hashEnteredCode(loginId: string, passcode: string): string {
  return createHmac('sha256', loginId)
    .update(`tried\n${normalisePasscode(passcode)}`)
    .digest('base64url');
}

export interface PasscodeGuess extends CodeCaller {
  readonly applicationId: string;
  readonly identifierHash: string;
  /** Storage slots in which to look for the code, by priority. The first slot with a code is used. */
  readonly slots: readonly string[];
  readonly clientId: string;
  /** True if codes that other clients of the application have sent are accepted, too. */
  readonly acrossClients: boolean;
  readonly purpose: StoredCode['purpose'];
  readonly passcode: string;
  /** Time of the attempt, in epoch seconds. */
  readonly at: number;
}

/** Code whose digits were correct. The attempt is counted, but the user's limit of wrong codes is not checked yet. */
export interface CheckedCode {
  readonly key: OneTimeCodeKey;
  /** MAC of the newest code in the slot. The store changes the slot only if this code is still the newest. */
  readonly newest: string;
  readonly caller: CodeCaller;
  readonly code: StoredCode;
  /** Time of the attempt in epoch seconds. */
  readonly at: number;
}

declare const admitted: unique symbol;

/** Correct code that is within the user's limit of wrong codes. It is not consumed yet. */
export interface AdmittedCode extends CheckedCode {
  readonly [admitted]: true;
}

function matches(guess: PasscodeGuess, code: StoredCode, mac: string): boolean {
  const digits = areSecretsEqual(mac, code.mac);
  const client = code.clientId === guess.clientId || guess.acrossClients;
  return digits && client && code.purpose === guess.purpose;
}

function toAudit(code: StoredCode | undefined): NonNullable<ErrorDetail['audit']> {
  return code ? { userId: code.userId, channel: code.channel } : {};
}

interface SlotAttempt {
  readonly key: OneTimeCodeKey;
  readonly outcome: AttemptOutcome;
}

async function tryIn(
  ports: GuessPorts,
  { applicationId, identifierHash: hash, slots, ...guess }: PasscodeGuess,
  expired?: boolean,
): Promise<SlotAttempt> {
  const [slot = '', ...others] = slots;
  const { at, network, tag } = guess;
  const key = { applicationId, identifierHash: hash, slot };
  const outcome = await ports.otps.countAttempt(key, { at, network, tag, ...(expired ? { expired } : {}) });
  const isAbsent = !outcome.counted && outcome.why === 'absent';
  if (!isAbsent || others.length === 0) return { key, outcome };
  return tryIn(ports, { applicationId, identifierHash: hash, ...guess, slots: others }, expired);
}

/** Counts a wrong code for the user and throws `auth_invalid_credentials`, or `auth_locked` at the user's limit. */
async function refuseWrong(
  ports: GuessPorts,
  code: StoredCode,
  attemptsLeft: number,
  at: number,
): Promise<never> {
  const isCounted = await countWrongGuess(ports, code, at);
  const locks = attemptsLeft === 0 && code.kind === 'known';
  const audit = { ...toAudit(code), ...(locks ? { events: ['login.locked' as const] } : {}) };
  throw isCounted
    ? new ServiceError('auth_invalid_credentials', { audit, attemptsLeft })
    : new ServiceError('auth_locked', { audit, isFinal: true });
}

/**
 * Throws the error for an attempt that was not counted. If the code has expired, its digits are compared first and only wrong
 * digits are counted, because an expired code can no longer log in. If there is no code, nothing is written.
 */
async function explainRefusal(
  ports: GuessPorts,
  guess: PasscodeGuess,
  { key, outcome }: SlotAttempt,
  isRight: boolean,
): Promise<never> {
  if (outcome.counted) throw new Error('a counted try is not refused');
  const { why, code, lockedUntil } = outcome;
  const audit = toAudit(code);
  if (lockedUntil !== undefined)
    throw new ServiceError('auth_locked', {
      message: `Too many failed attempts: try again after ${toWireDate(lockedUntil)}`,
      retryAfterSeconds: lockedUntil - guess.at,
      audit,
    });
  if (why !== 'expired' || !code) throw new ServiceError('auth_invalid_credentials', { audit });
  if (isRight) throw new ServiceError('auth_otp_passcode_expired', { audit });
  const counted = (await tryIn(ports, { ...guess, slots: [key.slot] }, true)).outcome;
  if (counted.counted) return refuseWrong(ports, code, counted.attemptsLeft, guess.at);
  throw new ServiceError('auth_invalid_credentials', { audit });
}

/**
 * Finds the code in the slot that matches the entered digits. The MAC under today's key is computed while the attempt is
 * counted. A code from before midnight has a MAC under another day's key and does not depend on today's key.
 */
async function findMatchingCode(
  ports: GuessPorts,
  guess: PasscodeGuess,
  counting: Promise<SlotAttempt>,
): Promise<StoredCode | undefined> {
  const { passcode, at } = guess;
  const today = keyNameAt(at);
  const [tried, underToday] = await Promise.allSettled([
    counting,
    computePasscodeMac(ports, guess, passcode, at),
  ]);
  if (tried.status === 'rejected') throw tried.reason;
  const { code, earlier } = tried.value.outcome;
  const others = earlier.filter(({ expiresAt }) => expiresAt > at);
  for (const each of code ? [code, ...others] : []) {
    const keyName = keyNameIn(each.mac);
    if (keyName === today && underToday.status === 'rejected') throw underToday.reason;
    const isToday = keyName === today && underToday.status === 'fulfilled';
    const mac = isToday ? underToday.value : await computeMac(ports, keyName, guess, { passcode });
    if (matches(guess, each, mac)) return each;
  }
  return undefined;
}

/**
 * Counts an attempt, then compares the code. The failed attempt that causes a lock gets the same error as the attempts before
 * it. Digits that this login has tried before are compared again but not counted, because a browser may submit a form twice.
 * Errors: `auth_invalid_credentials`, `auth_otp_passcode_expired`, `auth_locked`.
 */
export async function checkPasscode(ports: GuessPorts, guess: PasscodeGuess): Promise<CheckedCode> {
  const { network, tag } = guess;
  const counting = tryIn(ports, guess);
  const code = await findMatchingCode(ports, guess, counting).catch(async (error: unknown) => {
    // The attempt was counted, but no code was compared. Refund it, so that throttling by KMS does not use up attempts.
    const { key, outcome } = await counting;
    if (outcome.counted) await ports.otps.refundAttempt(key, outcome.code.mac, { network, tag });
    throw error;
  });
  const tried = await counting;
  const { key, outcome } = tried;
  const isCompared = outcome.counted || outcome.why === 'repeated';
  if (isCompared && code && outcome.code)
    return { key, newest: outcome.code.mac, code, caller: { network, tag }, at: guess.at };
  return outcome.counted
    ? refuseWrong(ports, outcome.code, outcome.attemptsLeft, guess.at)
    : explainRefusal(ports, guess, tried, code !== undefined);
}

/** Rejects a correct code if its phone number is at risk of being hijacked. Errors: `auth_invalid_credentials`. */
export function requireTrustedNumber(tenant: Tenant, user: User, { code }: CheckedCode): void {
  const { deliveredToHash, alternativeHash } = code;
  if (isAtRisk(tenant, user, deliveredToHash) || isAtRisk(tenant, user, alternativeHash))
    throw new ServiceError('auth_invalid_credentials', { audit: toAudit(code) });
}

/** Result of the look-ups for a code: the user whom the code logs in, or no user if the code creates a new one. */
type Found = { readonly user?: User | undefined } | undefined;

type AdmissionPorts = PortsWith<
  'otps.refundAttempt' | 'guesses.count' | 'guesses.clearBelow' | 'users.noteWrongGuess'
>;

const codesAreOff = ({ code }: CheckedCode) =>
  new ServiceError('auth_locked', { audit: toAudit(code), isFinal: true });

/**
 * Handles a correct code that a look-up rejects, and throws the error. The attempt is refunded, because it was not a guess. If
 * the error equals that for a wrong code, the attempt counts as wrong, so that the lock does not reveal a correct code.
 */
async function refuseRight(ports: AdmissionPorts, checked: CheckedCode, error: unknown): Promise<never> {
  const { key, newest, code, caller, at } = checked;
  if (!(error instanceof ServiceError && error.key === 'auth_invalid_credentials'))
    await ports.otps.refundAttempt(key, newest, caller);
  else if (!(await countWrongGuess(ports, code, at))) throw codesAreOff(checked);
  throw error;
}

function admission(
  ports: AdmissionPorts,
  tenant: Tenant,
  { code }: CheckedCode,
  lookingUp: Promise<Found>,
): Promise<boolean> {
  return countsForUser(tenant, code)
    ? lookingUp.then((of) => admitCorrectCode(ports, code, of?.user))
    : admitCorrectCode(ports, code);
}

async function requireAdmitted<T>(
  ports: AdmissionPorts,
  checked: CheckedCode,
  admitting: Promise<readonly [T, boolean]>,
): Promise<T> {
  const [result, isAdmitted] = await admitting.catch((error: unknown) => refuseRight(ports, checked, error));
  if (!isAdmitted) throw codesAreOff(checked);
  return result;
}

/**
 * Admits a correct code, after the first look-ups, unless the user's limit of wrong codes is reached. Concurrent attempts
 * cannot exceed the limit.
 * Errors: `auth_locked`, and those of the look-ups, after which the attempt is refunded.
 */
export async function admitCheckedCode<T extends Found>(
  ports: AdmissionPorts,
  tenant: Tenant,
  checked: CheckedCode,
  lookingUp: Promise<T>,
): Promise<{ readonly code: AdmittedCode; readonly result: T }> {
  const admitting = awaitAll(lookingUp, admission(ports, tenant, checked, lookingUp));
  const result = await requireAdmitted(ports, checked, admitting);
  return { code: checked as AdmittedCode, result };
}

type UsePorts = PortsWith<'otps.consume' | 'otps.undoConsume' | 'otps.refundAttempt'>;

const createCodeConsumption = (ports: UsePorts, { key, newest, at }: CheckedCode): Consumption =>
  createConsumption((holder) => ports.otps.undoConsume(key, newest, holder, at));

/** Extends the consumption of a code: undoing it also refunds the attempt, because a correct code was not a guess. */
function withRefund(ports: UsePorts, { key, newest, caller }: CheckedCode, inner: Consumption): Consumption {
  const undo = () => inner.undo().finally(() => ports.otps.refundAttempt(key, newest, caller));
  return { ...inner, undo };
}

/**
 * Applies the user's limit of wrong codes to a correct code, consumes the code in parallel with look-ups, and logs in with it.
 * The code is restored if a look-up rejects the request or the service fails. If the user's limit rejects the code, the code
 * stays consumed, because an attacker could otherwise use it after the limit. Exactly one of several concurrent callers
 * succeeds. Errors: those of `admitCheckedCode`, then `auth_invalid_credentials`.
 */
export async function usePasscode<T extends Found, Answer>(
  ports: AdmissionPorts & UsePorts,
  { tenant, checked }: { readonly tenant: Tenant; readonly checked: CheckedCode },
  lookingUp: Promise<T>,
  logIn: (proof: AuthenticationProof, found: T) => Promise<Answer>,
): Promise<Answer> {
  const consumption = createCodeConsumption(ports, checked);
  const consuming = consumeInParallel(
    consumption,
    consumeChecked(ports, checked, consumption.holder),
    lookingUp,
  ).then((consumed) => ({ ...consumed, user: consumed.result?.user }));
  const admitting = restoreOnFailure(consumption, () =>
    awaitAll(consuming, admission(ports, tenant, checked, consuming)),
  );
  const { proof, result } = await requireAdmitted(ports, checked, admitting);
  return restoreOnFailure(withRefund(ports, checked, consumption), () => logIn(proof, result));
}

export const toAuthenticationMethod = (channel: CodeChannel): AuthenticationMethod =>
  channel === 'direct' ? 'otp' : channels[channel].method;

async function consumeChecked(
  ports: PortsWith<'otps.consume'>,
  { key, newest, code, caller, at }: CheckedCode,
  holder: string,
): Promise<AuthenticationProof> {
  if (!(await ports.otps.consume(key, newest, { ...caller, at, holder })))
    throw new ServiceError('auth_invalid_credentials');
  return provenBy({
    method: toAuthenticationMethod(code.channel),
    at,
    ...(code.approvalData ? { approvalData: code.approvalData } : {}),
    ...(code.deliveredToHash === undefined ? {} : { deliveredToHash: code.deliveredToHash }),
    device: pickDevice(code),
  });
}

/**
 * Consumes a code after an attempt with it was admitted; the time of the attempt becomes the time of the proof. Calls `goOn`
 * with the promise of the proof. If the service fails, the code is restored. Exactly one of several concurrent callers
 * succeeds. Errors: `auth_invalid_credentials`.
 */
export function useAdmittedCode<Answer>(
  ports: UsePorts,
  code: AdmittedCode,
  goOn: (consuming: Promise<AuthenticationProof>) => Promise<Answer>,
): Promise<Answer> {
  const consumption = createCodeConsumption(ports, code);
  return restoreOnFailure(withRefund(ports, code, consumption), () =>
    goOn(consumeChecked(ports, code, consumption.holder)),
  );
}

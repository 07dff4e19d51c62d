import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { findSessionOfCookie } from '../../shared/domain/basis/browser.ts';
import {
  admitCheckedCode,
  type CheckedCode,
  checkPasscode,
  hashEnteredCode,
  toLoginSlot,
  useAdmittedCode,
} from '../../shared/domain/credentials/one-time-code.ts';
import { passcodeSettings } from '../../shared/domain/credentials/passcode-settings.ts';
import { findPasscode } from '../../shared/domain/credentials/typed-passcode.ts';
import {
  isPendingLink,
  type LoginProgress,
  type PendingCredential,
  saveProgress,
  withFactor,
} from '../../shared/domain/hosted-login/login-transaction.ts';
import { findLoginUser } from '../../shared/domain/hosted-login/undo-login.ts';
import { isAtRisk, isStillReachable, provenAddress } from '../../shared/domain/identifiers/proven-address.ts';
import { creditRange } from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import { filterValidProofs } from '../../shared/domain/trust/factor-types.ts';
import {
  currentGeneration,
  FIRST_GENERATION,
  hasEnded,
  TENANT_WIDE,
} from '../../shared/domain/trust/generations.ts';
import { canProveWithoutPasskeys, proveAddress } from '../../shared/domain/trust/prove-address.ts';
import { requireLoginUser } from '../../shared/domain/users/login-user.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { addAddress, type PhonePorts } from '../../shared/flows/hosted-login/prove-phone.ts';
import type { Refusal } from '../../shared/flows/hosted-login/show-page.ts';
import type { AuditContext } from '../../shared/operation.ts';
import type { MethodUse, StoredCode } from '../../shared/ports/flows.ts';
import type { RecordedProof, User } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import {
  channels,
  type PasscodeChannel,
  sendsCode,
  toAddressAttribute,
} from '../../shared/records/channels.ts';
import type { ProofOutcome } from './resolve.ts';

type VerifyPorts = PhonePorts &
  PortsWith<
    | 'otps.consume'
    | 'otps.countAttempt'
    | 'otps.undoConsume'
    | 'otps.refundAttempt'
    | 'guesses.clearBelow'
    | 'guesses.count'
    | 'codeMac'
    | 'sessions.find'
    | 'users.find'
    | 'users.noteProof'
    | 'passkeys.listOf'
    | 'users.noteWrongGuess'
    | 'windows.confirm'
  >;

/** Page errors for a wrong code, by the number of tries that this login has left. */
const ATTEMPTS_LEFT: Readonly<Record<number, Refusal>> = { 0: 'locked', 1: 'code_last' };

/**
 * Returns the page error for a failed verification. For a missing user, returns the error for a wrong code, so that the page
 * does not reveal who has an account.
 */
function toRefusal({ key, detail }: ServiceError): Refusal | undefined {
  switch (key) {
    case 'auth_invalid_credentials':
      return ATTEMPTS_LEFT[detail.attemptsLeft ?? -1] ?? 'code_wrong';
    case 'login_user_gone':
    case 'user_not_active':
      return 'code_wrong';
    case 'auth_otp_passcode_expired':
      return 'code_expired';
    case 'auth_locked':
      return detail.isFinal ? 'codes_off' : 'locked';
    default:
      return undefined;
  }
}

/** Converts an error into a rejected proof with its page error and log entry. Rethrows errors that the page cannot show. */
function rejectedCode(error: unknown, { channel, kind, userId }: PendingCredential): ProofOutcome {
  if (!(error instanceof ServiceError)) throw error;
  const refused = toRefusal(error);
  if (!refused) throw error;
  const { events = [] } = error.detail.audit ?? {};
  const known = kind === 'known' ? { userId, events } : {};
  return { refused, note: { channel, result: error.key, ...known } };
}

/** A pending code or link with the user to whom it was sent. */
interface PendingWithUser {
  readonly pending: PendingCredential;
  /** User to whom the pending code or link was sent, and the proofs of the browser's session. Undefined during sign-up. */
  readonly found: Awaited<ReturnType<typeof requirePendingUser>>;
}

/**
 * Factor that a code or link verifies, and the resulting change to the address's state. Both are computed while the code is
 * consumed.
 */
interface ReadProof {
  readonly use: MethodUse;
  readonly noted: RecordedProof | undefined;
}

/**
 * Returns the proof of an address during sign-up. The new user has no other credential, so the address counts as proven. If the
 * sign-up began with an identity provider account, the address only counts as verified and not as a second factor.
 */
const signUpUse = (
  { sealedSignUp }: LoginProgress,
  channel: PendingCredential['channel'],
  proof: Pick<MethodUse, 'method' | 'at'>,
): MethodUse => ({
  method: proof.method,
  at: proof.at,
  worth: sealedSignUp === undefined ? 'proven' : 'verified',
  scope: TENANT_WIDE,
  credential: toAddressAttribute(channel),
});

/** Determines which factor a correct code or link verifies. This depends on how far the service trusts the user's address. */
async function readProof(
  ports: VerifyPorts,
  { tenant, application, login, now: at }: LoginContext,
  { pending: { channel, deliveredToHash }, found }: PendingWithUser,
  proof: Pick<MethodUse, 'method' | 'at'>,
): Promise<ReadProof> {
  const { user, sessionProofs = [] } = found ?? {};
  const given = user && provenAddress(tenant, user, deliveredToHash);
  const address = given && user[given.attribute];
  if (!user || !given || !address)
    return { use: signUpUse(login.progress, channel, proof), noted: undefined };
  const proofs =
    login.progress.userId === undefined ? sessionProofs : [...sessionProofs, ...login.progress.proven];
  const isEnough = canProveWithoutPasskeys(user, address, application, proofs);
  const passkeys = isEnough ? [] : await ports.passkeys.listOf(user.userId);
  const binding = { user, passkeys, application, proofs, at };
  const { use, trust, newGenerations } = proveAddress(
    binding,
    { attribute: given.attribute, address },
    proof,
    'pages',
  );
  return { use, noted: trust && { ...given, trust, newGenerations } };
}

/**
 * Saves a proof as a factor of the login. The first verification of an address that was set without a login supersedes all
 * earlier credentials of the account and ends its sessions.
 */
async function saveFactor(
  ports: VerifyPorts,
  context: LoginContext,
  { pending, found }: PendingWithUser,
  { use, noted }: ReadProof,
): Promise<ProofOutcome> {
  const { now, login } = context;
  const user = found?.user;
  const newGenerations = noted?.newGenerations;
  const endsSessions = newGenerations !== undefined && user?.lastAuthAt !== undefined;
  const note: AuditContext = {
    userId: pending.userId,
    method: use.method,
    channel: pending.channel,
    verified: pending.channel,
    ...(endsSessions && { events: ['user.reclaimed'] }),
  };
  const sealedSignUp = pending.kind === 'signUp' ? pending.sealedAddress : undefined;
  const save = async () => {
    // If two proofs of an unverified address are stored concurrently, only one succeeds, because both may have chosen the same
    // generation.
    if (user && noted && !(await ports.users.noteProof(user, noted)))
      throw new ServiceError('login_user_gone');
    const before = newGenerations
      ? { ...login.progress, generation: currentGeneration({ generations: newGenerations }) }
      : login.progress;
    const generation = user
      ? currentGeneration(newGenerations ? { generations: newGenerations } : user)
      : FIRST_GENERATION;
    return saveProgress(ports, context, withFactor(before, pending, { use, sealedSignUp, generation }));
  };
  const [next] = await awaitAll(
    save(),
    endsSessions && user ? ports.sessions.endAllOf(user.userId, now) : Promise.resolve(),
  );
  return next && { login: next, note };
}

/**
 * Finds the user to whom a pending code or link was sent, and the proofs of the browser's session. Undefined during sign-up.
 * @throws `auth_invalid_credentials`, `login_user_gone`, `user_not_active`
 */
async function requirePendingUser(
  ports: VerifyPorts,
  context: LoginContext,
  pending: PendingCredential,
  code?: StoredCode,
): Promise<{ readonly user: User; readonly sessionProofs: readonly MethodUse[] } | undefined> {
  const { tenant, application, login, cookieSession, now } = context;
  // Another tab of this login may have sent a code to the same address.
  if (code && code.userId !== pending.userId) throw new ServiceError('auth_invalid_credentials');
  // Both factors must belong to one user.
  const { userId, sealedSignUp } = login.progress;
  if (pending.kind === 'unknown' || (userId !== undefined && userId !== pending.userId))
    throw new ServiceError('auth_invalid_credentials');
  if (pending.kind === 'signUp' || sealedSignUp !== undefined) return undefined;
  // Reads the record with its version, because the first proof of an address changes the record.
  const find = async (id: string) => (await findLoginUser(ports.userRecords, context, id)).user;
  const [user, session] = await awaitAll(
    requireLoginUser({ users: { find } }, tenant.tenantId, pending.userId),
    findSessionOfCookie(ports, cookieSession, now),
  );
  if (userId !== undefined && hasEnded(user, login.progress)) throw new ServiceError('login_user_gone');
  if (isAtRisk(tenant, user, pending.deliveredToHash)) throw new ServiceError('auth_invalid_credentials');
  // The user may have changed the address since the code was sent.
  if (!pending.adds && !isStillReachable(tenant, user, pending.deliveredToHash))
    throw new ServiceError('login_user_gone');
  const isOwnBrowser = session?.userId === user.userId && !hasEnded(user, session);
  return {
    user,
    sessionProofs: isOwnBrowser ? filterValidProofs(session.methods, application.applicationId) : [],
  };
}

/** Checks a typed passcode against the pending passcode of this login, and counts the attempt. */
function checkPending(
  ports: VerifyPorts,
  { application, client, login, now }: LoginContext,
  { codeKey, channel }: { readonly codeKey: string; readonly channel: PasscodeChannel },
  passcode: string,
): Promise<CheckedCode> {
  const preference = application.loginPreferences?.[channel] ?? {};
  const typed = findPasscode(passcode, passcodeSettings(preference, undefined).digits);
  return checkPasscode(ports, {
    applicationId: application.applicationId,
    identifierHash: codeKey,
    slots: [toLoginSlot(login.transaction.hash)],
    clientId: client.clientId,
    acrossClients: true,
    purpose: 'hosted',
    passcode: typed,
    tag: hashEnteredCode(login.loginId, typed),
    at: now,
  });
}

/**
 * Adds a verified address to the user. The address does not count as a factor of this login.
 * @throws the errors of `addAddress`
 */
async function saveAddress(
  ports: VerifyPorts,
  context: LoginContext,
  pending: PendingCredential,
  audit: (context: AuditContext) => void,
): Promise<ProofOutcome> {
  const login = await addAddress(ports, context, pending, audit);
  return login && { login, note: { userId: pending.userId, verified: pending.channel } };
}

/**
 * Verifies a typed passcode. A correct passcode becomes a factor or adds its address to the user.
 * @throws the errors of `addAddress`
 */
export async function verifyPasscode(
  ports: VerifyPorts,
  context: LoginContext,
  passcode: string,
  audit: (context: AuditContext) => void,
): Promise<ProofOutcome> {
  const { pending } = context.login.progress;
  // An earlier request has used the code and then failed before it could respond.
  if (!pending && context.login.progress.proven.length > 0) return { login: context.login, note: {} };
  if (!pending || !sendsCode(pending.channel)) return { refused: 'form_expired', note: {} };
  const { codeKey, channel } = pending;
  try {
    const checked = await checkPending(ports, context, { codeKey, channel }, passcode);
    const { tenant, now } = context;
    const requiring = requirePendingUser(ports, context, pending, checked.code);
    const { code, result: found } = await admitCheckedCode(ports, tenant, checked, requiring);
    const { method } = channels[channel];
    return await useAdmittedCode(ports, code, async (consuming) => {
      const [, read] = await awaitAll(
        consuming,
        pending.adds
          ? Promise.resolve(undefined)
          : readProof(ports, context, { pending, found }, { method, at: now }),
      );
      const paying = creditRange(ports, context, checked.code);
      const saving = read
        ? saveFactor(ports, context, { pending, found }, read)
        : saveAddress(ports, context, pending, audit);
      const [outcome] = await awaitAll(saving, paying);
      return outcome;
    });
  } catch (error) {
    return rejectedCode(error, pending);
  }
}

/**
 * Verifies a mailed link. The link's code has 256 bits, so attempts need not be counted. Saving the progress consumes the link,
 * so only one of two concurrent clicks succeeds.
 */
export async function verifyLink(
  ports: VerifyPorts,
  context: LoginContext,
  code: string,
  audit: (context: AuditContext) => void,
): Promise<ProofOutcome> {
  const { pending } = context.login.progress;
  if (!isPendingLink(pending, code, context.now))
    return { refused: 'link_over', note: { result: 'magic_link_code_invalid' } };
  try {
    const found = await requirePendingUser(ports, context, pending);
    if (pending.adds) return await saveAddress(ports, context, pending, audit);
    const read = await readProof(
      ports,
      context,
      { pending, found },
      { method: channels.link.method, at: context.now },
    );
    return await saveFactor(ports, context, { pending, found }, read);
  } catch (error) {
    return rejectedCode(error, pending);
  }
}

import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { findHeldSession } from '../../shared/domain/basis/browser.ts';
import { secondAtAfter } from '../../shared/domain/credentials/fresh-login.ts';
import { markBeside, provenAtOf } from '../../shared/domain/credentials/good-at.ts';
import {
  admitCode,
  type CheckedCode,
  checkPasscode,
  consumePasscode,
  slotOfLogin,
  tagOfTry,
} from '../../shared/domain/credentials/one-time-code.ts';
import { passcodeSettings } from '../../shared/domain/credentials/passcode-settings.ts';
import { withAsleep } from '../../shared/domain/hosted-login/login-passkey.ts';
import {
  isPendingLink,
  type PendingCredential,
  saveProgress,
  withFactor,
} from '../../shared/domain/hosted-login/login-transaction.ts';
import {
  isAtRisk,
  isProvenAt,
  isStillReachable,
  provenAddress,
} from '../../shared/domain/identifiers/proven-address.ts';
import { awakeAs, hasWaking, isAsleep, isOver } from '../../shared/domain/identifiers/sleep.ts';
import { payForSms } from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import { firstProofOf } from '../../shared/domain/users/first-proof.ts';
import { requireLoginUser } from '../../shared/domain/users/login-user.ts';
import { markVerified } from '../../shared/domain/users/verified-address.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { currentState } from '../../shared/flows/hosted-login/login-state.ts';
import { addAddress, type PhonePorts } from '../../shared/flows/hosted-login/prove-phone.ts';
import type { Refusal } from '../../shared/flows/hosted-login/show-page.ts';
import type { AuditContext } from '../../shared/operation.ts';
import type { MethodUse, StoredCode } from '../../shared/ports/flows.ts';
import type { User } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';
import type { ProofOutcome } from './resolve.ts';

type VerifyPorts = PhonePorts &
  Using<
    | 'otps.consume'
    | 'otps.countTry'
    | 'otps.refundTry'
    | 'guesses.clearBelow'
    | 'guesses.count'
    | 'codeMac'
    | 'sessions.find'
    | 'users.find'
    | 'users.putToSleep'
    | 'users.noteWrongGuess'
    | 'windows.pay'
  >;

/** The page error. It must not tell whether the address has an account, so a missing user reads as a wrong code. */
function refusalOf({ key, detail }: ServiceError): Refusal | undefined {
  switch (key) {
    case 'auth_invalid_credentials':
      return detail.isLastTry ? 'locked' : 'code_wrong';
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

function rejectedCode(error: unknown, { channel, kind, userId }: PendingCredential): ProofOutcome {
  if (!(error instanceof ServiceError)) throw error;
  const refused = refusalOf(error);
  if (!refused) throw error;
  const { events = [] } = error.detail.audit ?? {};
  const known = kind === 'known' ? { userId, events } : {};
  return { refused, note: { channel, result: error.key, ...known } };
}

/** Undefined during sign-up. */
type PendingUser = Awaited<ReturnType<typeof requirePendingUser>>;

/** What the login says of an address that its code proves beside another factor; read before the code is consumed. */
function readBinding(
  ports: VerifyPorts,
  context: LoginContext,
  { channel, kind }: PendingCredential,
  user?: User,
) {
  const { userId, sealedSignUp } = context.login.progress;
  const isJoining = userId !== undefined && sealedSignUp === undefined && kind === 'known';
  const isNeeded = isJoining && !isProvenAt(user?.[channel === 'sms' ? 'phoneNumber' : 'email'], undefined);
  return isNeeded ? currentState(ports, context) : Promise.resolve(undefined);
}

type Binding = Awaited<ReturnType<typeof readBinding>>;

/** Saves the proof. The first one of an address, outside of the user's own browser, puts all that was before to sleep. */
async function saveFactor(
  ports: VerifyPorts,
  context: LoginContext,
  pending: PendingCredential,
  found: PendingUser,
  proof: MethodUse,
  state: Binding,
): Promise<ProofOutcome> {
  const { tenant, now, login } = context;
  const { user, ownUses = [] } = found ?? {};
  const joins = login.progress.userId !== undefined;
  const address = user && provenAddress(tenant, user, pending.deliveredToHash);
  const known = address && user[address.attribute];
  const isUnproven = !isProvenAt(known, context.application);
  const isOwnBrowser = ownUses.length > 0;
  const isOwn = !joins && isOwnBrowser && isUnproven;
  const sleeps = user !== undefined && known !== undefined && !isOwn && isAsleep(user, known);
  const isFirst = !hasWaking(login.progress.proven) && !isOwnBrowser && !sleeps;
  const beside = joins ? login.progress.proven : [];
  const awakeBeside = isFirst ? [] : joins ? beside : ownUses;
  const use = user ? markBeside(proof, context, user, pending.deliveredToHash, beside, awakeBeside) : proof;
  const marked = sleeps && address ? { ...use, asleep: address.attribute } : use;
  const note: AuditContext = {
    ...{ userId: pending.userId, method: use.method },
    ...{ channel: pending.channel, verified: pending.channel },
  };
  const noteFirst = (more: AuditContext) => Object.assign(note, more);
  const first =
    user && isFirst ? firstProofOf(ports, user, address, context.application, now, noteFirst) : undefined;
  const sleepsAt = first?.sleepsAt;
  const sealed = pending.kind === 'signUp' ? pending.sealedAddress : undefined;
  const save = async () => {
    // Of two first proofs at once one comes first. The other may have chosen the same time.
    if (user && address && sleepsAt !== undefined && !(await ports.users.putToSleep(user, address, sleepsAt)))
      throw new ServiceError('login_user_gone');
    if (user && joins && !isProvenAt(known, undefined) && sleepsAt === undefined && !sleeps) {
      const { binding } = state ?? (await currentState(ports, context));
      const { wokenAt } = login.progress;
      const own = { ...awakeAs(wokenAt), ...(binding && secondAtAfter(binding)), ...provenAtOf(use) };
      await markVerified(ports, tenant, user, pending.deliveredToHash, own, user);
    }
    const before = sleepsAt === undefined ? login.progress : withAsleep(login.progress, sleepsAt);
    const proven = withFactor(before, pending, marked, sealed, sleepsAt ?? user?.asleepBefore);
    return saveProgress(ports, context, proven);
  };
  const [next] = await awaitAll(save(), first ? first.endSessions() : Promise.resolve());
  return next ? { login: next, note } : { movedOn: true };
}

/** Undefined during sign-up. Errors: `auth_invalid_credentials`, `login_user_gone`, `user_not_active`. */
async function requirePendingUser(
  ports: VerifyPorts,
  { tenant, login, held, now }: LoginContext,
  pending: PendingCredential,
  code?: StoredCode,
): Promise<{ readonly user: User; readonly ownUses: readonly MethodUse[] } | undefined> {
  // Another tab of this login may have sent a code to the same address.
  if (code && code.userId !== pending.userId) throw new ServiceError('auth_invalid_credentials');
  // Both factors must belong to one user.
  const { userId, sealedSignUp } = login.progress;
  if (pending.kind === 'unknown' || (userId !== undefined && userId !== pending.userId))
    throw new ServiceError('auth_invalid_credentials');
  if (pending.kind === 'signUp' || sealedSignUp !== undefined) return undefined;
  const [user, session] = await awaitAll(
    // With its version: a first proof is noted in it.
    requireLoginUser({ users: ports.userRecords }, tenant.tenantId, pending.userId),
    findHeldSession(ports, held, now),
  );
  if (userId !== undefined && isOver(user, login.progress)) throw new ServiceError('login_user_gone');
  if (isAtRisk(tenant, user, pending.deliveredToHash)) throw new ServiceError('auth_invalid_credentials');
  // The user may have changed the address since the send.
  if (!pending.adds && !isStillReachable(tenant, user, pending.deliveredToHash))
    throw new ServiceError('login_user_gone');
  const isOwnBrowser =
    session?.userId === user.userId && !isOver(user, session) && hasWaking(session.methods);
  return { user, ownUses: isOwnBrowser ? session.methods : [] };
}

/** People paste whole messages, and the name of the application may have digits. */
function digitsIn(typed: string, digits: number): string {
  const text = typed.normalize('NFKC').replaceAll('-', '');
  if (!/[^\d\s]/.test(text)) return text;
  return text.match(/\d+/g)?.findLast(({ length }) => length === digits) ?? text;
}

function checkPending(
  ports: VerifyPorts,
  { application, client, login, now }: LoginContext,
  { codeKey, channel }: PendingCredential,
  passcode: string,
): Promise<CheckedCode> {
  const preference = (channel !== 'link' && application.loginPreferences?.[channel]) || {};
  const typed = digitsIn(passcode, passcodeSettings(preference, undefined).digits);
  return checkPasscode(ports, {
    applicationId: application.applicationId,
    identifierHash: codeKey,
    slots: [slotOfLogin(login.transaction.hash)],
    clientId: client.clientId,
    acrossClients: true,
    purpose: 'hosted',
    passcode: typed,
    tag: tagOfTry(login.loginId, typed),
    at: now,
  });
}

/** Saves what was proven to be added; it is no factor. Errors: those of `addAddress`. */
async function saveAddress(
  ports: VerifyPorts,
  context: LoginContext,
  pending: PendingCredential,
  audit: (context: AuditContext) => void,
): Promise<ProofOutcome> {
  const login = await addAddress(ports, context, pending, audit);
  return login ? { login, note: { userId: pending.userId, verified: pending.channel } } : { movedOn: true };
}

/** Checks the pending code. Errors: those of `addAddress`. */
export async function verifyPasscode(
  ports: VerifyPorts,
  context: LoginContext,
  passcode: string,
  audit: (context: AuditContext) => void,
): Promise<ProofOutcome> {
  const { pending } = context.login.progress;
  if (!pending || pending.channel === 'link') return { refused: 'form_expired', note: {} };
  try {
    const checked = await checkPending(ports, context, pending, passcode);
    const { application, settings, now } = context;
    const requiring = requirePendingUser(ports, context, pending, checked.code);
    const { code, result: found } = await admitCode(ports, context.tenant, checked, now, requiring);
    const [{ method, at }, state] = await awaitAll(
      consumePasscode(ports, code, now),
      readBinding(ports, context, pending, found?.user),
    );
    const paying = payForSms(ports, application.applicationId, checked.code, settings, now);
    const saving = pending.adds
      ? saveAddress(ports, context, pending, audit)
      : saveFactor(ports, context, pending, found, { method, at }, state);
    const [outcome] = await awaitAll(saving, paying);
    return outcome;
  } catch (error) {
    return rejectedCode(error, pending);
  }
}

/** A link has 256 bits and needs no count of tries. Saving the progress spends it: of two clicks at once one wins. */
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
    const [found, state] = await awaitAll(
      requirePendingUser(ports, context, pending),
      readBinding(ports, context, pending),
    );
    if (pending.adds) return await saveAddress(ports, context, pending, audit);
    return await saveFactor(ports, context, pending, found, { method: 'eml', at: context.now }, state);
  } catch (error) {
    return rejectedCode(error, pending);
  }
}

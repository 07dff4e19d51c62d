import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { PASSCODE_LOCK_MINUTES, SECONDS_PER_MINUTE } from '../../shared/domain/basis/limits.ts';
import {
  type CheckedCode,
  checkPasscode,
  consumePasscode,
} from '../../shared/domain/credentials/one-time-code.ts';
import {
  isPendingLink,
  type PendingCredential,
  saveProgress,
  withFactor,
} from '../../shared/domain/hosted-login/login-transaction.ts';
import { countsAlone, isAtRisk, isStillReachable } from '../../shared/domain/identifiers/proven-address.ts';
import { payForSms } from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import { requireLoginUser } from '../../shared/domain/users/login-user.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { addPhone, type PhonePorts } from '../../shared/flows/hosted-login/prove-phone.ts';
import type { AuditContext } from '../../shared/operation.ts';
import type { MethodUse } from '../../shared/ports/flows.ts';
import type { User } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import type { ProofOutcome } from './resolve.ts';

type VerifyPorts = PhonePorts &
  Using<
    | 'otps.consume'
    | 'otps.countTry'
    | 'otps.find'
    | 'otps.refundTry'
    | 'codeMac'
    | 'users.find'
    | 'users.switchPasscodesOff'
    | 'windows.pay'
  >;

/** The page error. It must not tell whether the address has an account, so a missing user reads as a wrong code. */
function pageError({ key, detail }: ServiceError, lockMinutes: number): PageError | undefined {
  switch (key) {
    case 'auth_invalid_credentials':
    case 'login_user_gone':
    case 'user_not_active':
      return { key: 'code_wrong' };
    case 'auth_otp_passcode_expired':
      return { key: 'code_expired' };
    case 'auth_locked':
      if (detail.isFinal) return { key: 'codes_off' };
      return { key: 'locked', retryAfterSeconds: lockMinutes * SECONDS_PER_MINUTE };
    default:
      return undefined;
  }
}

function rejected(error: unknown, { application }: LoginContext, pending: PendingCredential): ProofOutcome {
  if (!(error instanceof ServiceError)) throw error;
  const { channel, kind, userId } = pending;
  const { lockMinutes } = (channel !== 'link' && application.loginPreferences?.[channel]) || {};
  const shown = pageError(error, lockMinutes ?? PASSCODE_LOCK_MINUTES);
  if (!shown) throw error;
  const note: AuditContext = { channel, result: error.key, ...(kind === 'known' ? { userId } : {}) };
  return { error: shown, note };
}

async function saveFactor(
  ports: VerifyPorts,
  context: LoginContext,
  pending: PendingCredential,
  user: User | undefined,
  proof: MethodUse,
): Promise<ProofOutcome> {
  const { tenant, login } = context;
  const joins = login.progress.userId !== undefined;
  const alone = user && countsAlone(tenant, user, pending.deliveredToHash, joins);
  const use = alone ? { ...proof, alone } : proof;
  const sealed = pending.kind === 'signUp' ? pending.sealedAddress : undefined;
  const proven = withFactor(context.login.progress, pending, use, sealed);
  const next = await saveProgress(ports, context, proven);
  return next
    ? {
        login: next,
        note: {
          userId: pending.userId,
          method: use.method,
          channel: pending.channel,
          verified: pending.channel,
        },
      }
    : { movedOn: true };
}

/** Undefined during sign-up. Errors: `auth_invalid_credentials`, `login_user_gone`, `user_not_active`. */
async function requirePendingUser(
  ports: VerifyPorts,
  { tenant, login }: LoginContext,
  pending: PendingCredential,
): Promise<User | undefined> {
  // Both factors must belong to one user.
  const { userId, sealedSignUp } = login.progress;
  if (pending.kind === 'unknown' || (userId !== undefined && userId !== pending.userId))
    throw new ServiceError('auth_invalid_credentials');
  if (pending.kind === 'signUp' || sealedSignUp !== undefined) return undefined;
  const user = await requireLoginUser(ports, tenant.tenantId, pending.userId);
  if (isAtRisk(tenant, user, pending.deliveredToHash)) throw new ServiceError('auth_invalid_credentials');
  // The user may have changed the address since the send.
  if (!pending.addsPhone && !isStillReachable(tenant, user, pending.deliveredToHash))
    throw new ServiceError('login_user_gone');
  return user;
}

function checkPending(
  ports: VerifyPorts,
  { application, client, login, now }: LoginContext,
  { codeKey }: PendingCredential,
  passcode: string,
): Promise<CheckedCode> {
  return checkPasscode(ports, {
    key: { applicationId: application.applicationId, identifierHash: codeKey },
    clientId: client.clientId,
    acrossClients: true,
    purpose: 'hosted',
    requestId: login.loginId,
    passcode: passcode.normalize('NFKC').replaceAll('-', ''),
    at: now,
  });
}

/** Checks the pending code. Errors: those of `addPhone`. */
export async function verifyPasscode(
  ports: VerifyPorts,
  context: LoginContext,
  passcode: string,
  audit: (context: AuditContext) => void,
): Promise<ProofOutcome> {
  const { pending } = context.login.progress;
  if (!pending || pending.channel === 'link') return { error: { key: 'form_expired' }, note: {} };
  try {
    const checked = await checkPending(ports, context, pending, passcode);
    // Another login may have sent a code to the same address.
    if (checked.code.userId !== pending.userId) throw new ServiceError('auth_invalid_credentials');
    const user = await requirePendingUser(ports, context, pending);
    const { method, at } = await consumePasscode(ports, checked, context.now);
    const { application, settings, now } = context;
    const paying = payForSms(ports, application.applicationId, checked.code, settings, now);
    if (!pending.addsPhone) {
      const [added] = await awaitAll(saveFactor(ports, context, pending, user, { method, at }), paying);
      return added;
    }
    const [login] = await awaitAll(addPhone(ports, context, pending, audit), paying);
    return login ? { login, note: { userId: pending.userId, verified: 'sms' } } : { movedOn: true };
  } catch (error) {
    return rejected(error, context, pending);
  }
}

/** A link has 256 bits and needs no count of tries. Saving the progress spends it: of two clicks at once one wins. */
export async function verifyLink(
  ports: VerifyPorts,
  context: LoginContext,
  code: string,
): Promise<ProofOutcome> {
  const { pending } = context.login.progress;
  if (!isPendingLink(pending, code, context.now))
    return { error: { key: 'code_expired' }, note: { result: 'magic_link_code_invalid' } };
  try {
    const user = await requirePendingUser(ports, context, pending);
    return await saveFactor(ports, context, pending, user, { method: 'eml', at: context.now });
  } catch (error) {
    return rejected(error, context, pending);
  }
}

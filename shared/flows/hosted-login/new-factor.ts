import { takesPasskeys } from '../../domain/hosted-login/login-passkey.ts';
import type { LoginProgress, OpenLogin } from '../../domain/hosted-login/login-transaction.ts';
import { TENANT } from '../../domain/trust/generations.ts';
import { isSettled } from '../../domain/trust/kinds.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { LoginContext } from './login-context.ts';

/** Logins in which a person binds the factor that they lack. */

/** A new factor in the place of a lost one, once a recovery counts and the user goes that way. */
export function replacedFactor({ login, application, settings, now }: LoginContext, user: User | undefined) {
  const { recovering, offered, sealedPhone } = login.progress;
  const isDone = offered !== undefined || sealedPhone !== undefined;
  if (!recovering || isDone || !isSettled(user?.wait, now)) return undefined;
  if (takesPasskeys(application, settings)) return { kind: 'passkey', isOffer: false } as const;
  return application.loginPreferences?.sms ? ({ kind: 'number' } as const) : undefined;
}

/** The second factor of a person who signs up: a passkey, else a number. */
export function firstFactor({ login, application, settings }: LoginContext, used: readonly MethodUse[]) {
  if (!bindsFactors(login)) return undefined;
  const { progress } = login;
  const isTexted = progress.sealedPhone !== undefined || used.some(({ method }) => method === 'sms');
  const takesNumber = application.loginPreferences?.sms !== undefined && !isTexted;
  if (!progress.offered && takesPasskeys(application, settings)) {
    const isFactor = takesNumber ? 'first' : 'last';
    return { kind: 'passkey', isOffer: false, isFactor } as const;
  }
  return takesNumber ? ({ kind: 'number' } as const) : undefined;
}

/**
 * Whether what is bound in this login is a factor of it: of a person who signs up, and has nothing yet that it could take over,
 * where the request demands two (NIST SP 800-63B-4 §4.1.2.1).
 */
const bindsFactors = ({ request, progress }: OpenLogin): boolean =>
  request.requireMfa === true && progress.sealedSignUp !== undefined;

/** The progress of a login in which something was bound. */
export function withBound(
  login: OpenLogin,
  progress: LoginProgress,
  bound: Pick<MethodUse, 'method' | 'credential' | 'at'>,
): LoginProgress {
  if (!bindsFactors(login)) return progress;
  return { ...progress, proven: [...progress.proven, { ...bound, worth: 'proven', scope: TENANT }] };
}

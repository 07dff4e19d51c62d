import { csrfToken } from '../../shared/domain/basis/browser.ts';
import { RECOVERY_DELAY_HOURS, SECONDS_PER_HOUR } from '../../shared/domain/basis/limits.ts';
import { saveProgress } from '../../shared/domain/hosted-login/login-transaction.ts';
import { ANYWHERE, isSettled, kindsHad, kindsOf, needsCompany } from '../../shared/domain/trust/kinds.ts';
import type { PowerPorts } from '../../shared/domain/trust/power.ts';
import { beginWait } from '../../shared/domain/users/wait.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserAnswer } from '../../shared/flows/browser/browser-answer.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { currentState, type StatePorts } from '../../shared/flows/hosted-login/login-state.ts';
import {
  formAnswer,
  loginPath,
  redirectToPage,
  showState,
} from '../../shared/flows/hosted-login/show-page.ts';
import type { AuditContext } from '../../shared/operation.ts';
import type { MethodUse } from '../../shared/ports/flows.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { recoveryPage, recoveryStartedPage } from '../../shared/templates/pages/recovery-page.ts';

/** For users who cannot give the second factor: see `domain/users/wait`. */

/** What needs company may be an attacker's: it begins no wait. */
const isAlone = ({ login }: LoginContext, earlier: readonly MethodUse[]) =>
  needsCompany([...earlier, ...login.progress.proven]);

/** Tells what a recovery is; while one counts, leads on to a new factor instead. */
export async function showRecovery(
  ports: StatePorts & Using<'loginTransactions.advance'>,
  context: LoginContext,
): Promise<BrowserAnswer> {
  const { state, user, earlier } = await currentState(ports, context);
  if (state.kind !== 'second-factor' || !user || isAlone(context, earlier)) return redirectToPage(context);
  const { login, language, brand, browser, tenant, now } = context;
  if (isSettled(user.wait, now)) {
    const { offered: _, ...progress } = login.progress;
    await saveProgress(ports, context, { ...progress, recovering: true });
    return redirectToPage(context);
  }
  const { loginId } = login;
  const action = loginPath(loginId, 'recover');
  const afterSeconds = (tenant.recoveryDelayHours ?? RECOVERY_DELAY_HOURS) * SECONDS_PER_HOUR;
  const csrf = csrfToken(browser, loginId);
  return formAnswer(
    context,
    recoveryPage({ language, brand, action, csrf, afterSeconds, backHref: loginPath(loginId) }),
  );
}

/** Begins a recovery. */
export async function startRecovery(
  ports: StatePorts & PowerPorts & Using<'userRecords.find' | 'userRecords.replace' | 'windows.count'>,
  context: LoginContext,
  audit: (context: AuditContext) => void,
): Promise<BrowserAnswer> {
  const { state, user, earlier, binding } = await currentState(ports, context);
  if (state.kind !== 'second-factor' || !user || isAlone(context, earlier)) return redirectToPage(context);
  const { login, language, brand, tenant, settings, now } = context;
  const { userId } = user;
  const backHref = loginPath(login.loginId);
  audit({ userId });
  const answer = (afterSeconds: number | undefined) =>
    formAnswer(context, recoveryStartedPage({ language, brand, afterSeconds, backHref }));
  try {
    const given = kindsOf([...earlier, ...login.progress.proven]);
    const { asked } = kindsHad({ user, passkeys: binding?.passkeys ?? [] }, ANYWHERE, now);
    const missing = [...asked].filter((kind) => !given.has(kind));
    const { wait, isNew } = await beginWait(ports, settings, { tenant, userId }, missing, now);
    if (isNew) audit({ events: ['user.recovery_requested'] });
    return answer(Math.max(0, wait.effectiveAt - now));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    audit({ result: error.key });
    if (error.key === 'recovery_impossible') return answer(undefined);
    if (error.key !== 'rate_limited') throw error;
    const retryAfterSeconds = error.detail.retryAfterSeconds ?? 0;
    return showState(context, state, { error: { key: 'rate_limited', retryAfterSeconds } });
  }
}

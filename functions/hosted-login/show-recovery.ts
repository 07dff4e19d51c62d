import { csrfToken } from '../../shared/domain/basis/browser.ts';
import { isWaiting, undoableChange } from '../../shared/domain/trust/changes.ts';
import { needsCompany } from '../../shared/domain/trust/kinds.ts';
import { delayOf, isAnnounced, isOpen } from '../../shared/domain/users/wait.ts';
import type { BrowserAnswer } from '../../shared/flows/browser/browser-answer.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { currentState, type StatePorts } from '../../shared/flows/hosted-login/login-state.ts';
import { formAnswer, loginPath, redirectToPage } from '../../shared/flows/hosted-login/show-page.ts';
import type { User } from '../../shared/ports/people.ts';
import { recoveryPage, recoveryStartedPage } from '../../shared/templates/pages/recovery-page.ts';

/** When what the user waits for begins, epoch seconds; `never` where no time makes up for what was lost. */
function waitsUntil(user: User | undefined, { login, now }: LoginContext): number | 'never' | undefined {
  const { undo } = login.request;
  if (!undo) {
    if (isAnnounced(user?.wait, now)) return user.wait.effectiveAt;
    return isOpen(user?.wait, now) ? 'never' : undefined;
  }
  const change = user && undoableChange(user, undo.changeId, now);
  return change && isWaiting(change) ? change.linkFrom : undefined;
}

/** The page of who cannot give the second factor: it asks whether to begin a recovery, or says when the one that was begun counts. */
export async function showRecovery(
  ports: StatePorts,
  context: LoginContext,
  lost: 'asked' | 'impossible',
): Promise<BrowserAnswer> {
  const { state, user, earlier } = await currentState(ports, context);
  const { login, language, browser, tenant, now } = context;
  if (state.kind !== 'second-factor' || !user || needsCompany([...earlier, ...login.progress.proven]))
    return redirectToPage(context);
  const { loginId, request } = login;
  // Another language would lead to the page of the login.
  const brand = { ...context.brand, languagesAt: undefined };
  const undoes = request.undo !== undefined;
  const shown = { language, brand, undoes, backHref: loginPath(loginId) };
  // A login that undoes a change sees the user as before it.
  const current = undoes ? await ports.users.find(user.userId) : user;
  const from = lost === 'impossible' ? 'never' : waitsUntil(current, context);
  if (from === undefined) {
    const asked = { action: loginPath(loginId, 'recover'), csrf: csrfToken(browser, loginId) };
    return formAnswer(context, recoveryPage({ ...shown, ...asked, afterSeconds: delayOf(tenant) }));
  }
  const afterSeconds = from === 'never' ? undefined : Math.max(0, from - now);
  return formAnswer(context, recoveryStartedPage({ ...shown, afterSeconds }));
}

import { computeCsrfToken } from '../../shared/domain/basis/browser.ts';
import { findUndoableChange, isLinkDelayed } from '../../shared/domain/trust/changes.ts';
import { needsAnotherFactor } from '../../shared/domain/trust/factor-types.ts';
import {
  isRecoveryOpen,
  mustNotifyRecovery,
  readRecoveryDelay,
} from '../../shared/domain/users/pending-recovery.ts';
import type { BrowserResponse } from '../../shared/flows/browser/browser-response.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { deriveCurrentState, type StatePorts } from '../../shared/flows/hosted-login/login-state.ts';
import { formResponse, loginPath, redirectToPage } from '../../shared/flows/hosted-login/show-page.ts';
import type { User } from '../../shared/ports/people.ts';
import { recoveryPage, recoveryStartedPage } from '../../shared/templates/pages/recovery-page.ts';

/**
 * Returns when the user's pending recovery or undo takes effect, in epoch seconds, or undefined if none is pending. `never`
 * means that waiting cannot replace the lost factor, so only an operator can help.
 */
function pendingUntil(user: User | undefined, { login, now }: LoginContext): number | 'never' | undefined {
  const { undo } = login.request;
  if (!undo) {
    if (mustNotifyRecovery(user?.recovery, now)) return user.recovery.effectiveAt;
    return isRecoveryOpen(user?.recovery, now) ? 'never' : undefined;
  }
  const change = user && findUndoableChange(user, undo.changeId, now);
  return change && isLinkDelayed(change) ? change.linkFrom : undefined;
}

/** Shows users who cannot present the second factor how to request a recovery, or when a pending recovery takes effect. */
export async function showRecovery(
  ports: StatePorts,
  context: LoginContext,
  lost: 'asked' | 'impossible',
): Promise<BrowserResponse> {
  const { state, user, earlier } = await deriveCurrentState(ports, context);
  const { login, language, browser, tenant, now } = context;
  if (state.kind !== 'second-factor' || !user || needsAnotherFactor([...earlier, ...login.progress.proven]))
    return redirectToPage(context);
  const { loginId, request } = login;
  // The page offers no other languages, because switching would lead back to the login page.
  const brand = { ...context.brand, languagePickerHref: undefined };
  const undoes = request.undo !== undefined;
  const shown = { language, brand, undoes, backHref: loginPath(loginId) };
  // In a login that undoes a change, `user` is the record before that change. The current record has the pending undo.
  const current = undoes ? await ports.users.find(user.userId) : user;
  const from = lost === 'impossible' ? 'never' : pendingUntil(current, context);
  if (from === undefined) {
    const asked = { action: loginPath(loginId, 'recover'), csrf: computeCsrfToken(browser, loginId) };
    return formResponse(
      context,
      recoveryPage({ ...shown, ...asked, afterSeconds: readRecoveryDelay(tenant) }),
    );
  }
  const afterSeconds = from === 'never' ? undefined : from - now;
  return formResponse(context, recoveryStartedPage({ ...shown, afterSeconds }));
}

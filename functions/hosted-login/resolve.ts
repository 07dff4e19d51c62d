import { hasMovedOn } from '../../shared/domain/hosted-login/login-transaction.ts';
import type { BrowserAnswer } from '../../shared/flows/browser/browser-answer.ts';
import { advance, type StepPorts, toPage } from '../../shared/flows/hosted-login/advance.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { type StandingPorts, standingOf } from '../../shared/flows/hosted-login/login-state.ts';
import { loginPage, type Shown } from '../../shared/flows/hosted-login/show-page.ts';
import type { Verified } from '../../shared/flows/hosted-login/verified.ts';
import type { AuditContext } from '../../shared/operation.ts';

/** The page once more, with what was wrong. */
export async function showAgain(
  context: LoginContext,
  ports: StandingPorts,
  shown: Shown,
): Promise<BrowserAnswer> {
  const { step } = await standingOf(ports, context);
  return loginPage(context, step, shown);
}

/** Where a credential leads that was right, wrong, or used up by another tab. */
export async function after(
  context: LoginContext,
  ports: StepPorts & StandingPorts,
  verified: Verified,
  audit: (note: AuditContext) => void,
): Promise<BrowserAnswer> {
  if ('movedOn' in verified) return toPage(context);
  audit(verified.note);
  if ('login' in verified) return advance(ports, { ...context, login: verified.login }, audit);
  // What another tab has used up is not wrong.
  if (await hasMovedOn(ports, context.login)) return toPage(context);
  return showAgain(context, ports, { error: verified.error });
}

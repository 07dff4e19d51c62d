import { hasMovedOn, type OpenLogin } from '../../shared/domain/hosted-login/login-transaction.ts';
import type { BrowserAnswer } from '../../shared/flows/browser/browser-answer.ts';
import { type AdvancePorts, advance } from '../../shared/flows/hosted-login/advance.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import type { CurrentState } from '../../shared/flows/hosted-login/login-state.ts';
import {
  type Feedback,
  type Refusal,
  redirectToPage,
  showPage,
} from '../../shared/flows/hosted-login/show-page.ts';
import type { AuditContext } from '../../shared/operation.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';

/** What became of a code, a link or a passkey. */
export type ProofOutcome =
  /** Right: the login with the new proof, and its state where that was read beside the write. */
  | { readonly login: OpenLogin; readonly note: AuditContext; readonly current?: CurrentState }
  /** Another tab has moved the login on. */
  | { readonly movedOn: true }
  /** A wrong code or link: the error for the page, and for the log. */
  | { readonly refused: Refusal; readonly note: AuditContext }
  /** A wrong passkey, alike. `unknown`: its credential ID, which is in no record of the environment. */
  | {
      readonly error: PageError;
      readonly note: AuditContext;
      readonly unknown?: Feedback['unknown'];
    };

/**
 * Answers a proof: a right one advances the login. A wrong code or link leads to its page, so that a reload tries nothing
 * again; a wrong passkey shows it.
 */
export async function resolve(
  ports: AdvancePorts,
  context: LoginContext,
  outcome: ProofOutcome,
  audit: (context: AuditContext) => void,
): Promise<BrowserAnswer> {
  if ('movedOn' in outcome) return redirectToPage(context);
  audit(outcome.note);
  if ('login' in outcome) return advance(ports, { ...context, login: outcome.login }, audit, outcome.current);
  if ('refused' in outcome) return redirectToPage(context, { refused: outcome.refused });
  // A proof that another tab has spent is not wrong.
  if (await hasMovedOn(ports, context)) return redirectToPage(context);
  const { error, unknown } = outcome;
  return showPage(ports, context, { error, unknown });
}

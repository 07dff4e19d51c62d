import { hasOtherTabProgressed, type OpenLogin } from '../../shared/domain/hosted-login/login-transaction.ts';
import type { BrowserResponse } from '../../shared/flows/browser/browser-response.ts';
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

/**
 * Outcome of verifying a code, a link or a passkey. Undefined if another browser tab has already advanced the login, so that
 * the proof was not saved.
 */
export type ProofOutcome =
  | undefined
  /** Success: the login with the new proof. `current` is the login's state, if it was read in parallel with the write. */
  | { readonly login: OpenLogin; readonly note: AuditContext; readonly current?: CurrentState }
  /** Rejected code or link: the error for the page and the entry for the log. */
  | { readonly refused: Refusal; readonly note: AuditContext }
  /** Rejected passkey: the error, the log entry and, in `unknown`, its credential ID if no record has this ID. */
  | {
      readonly error: PageError;
      readonly note: AuditContext;
      readonly unknown?: Feedback['unknown'];
    };

/**
 * Creates the response to a submitted proof. A valid proof advances the login. A rejected code or link redirects to its page,
 * so that a reload does not submit it again. A rejected passkey shows the page directly.
 */
export async function answerProof(
  ports: AdvancePorts,
  context: LoginContext,
  outcome: ProofOutcome,
  audit: (context: AuditContext) => void,
): Promise<BrowserResponse> {
  if (!outcome) return redirectToPage(context);
  audit(outcome.note);
  if ('login' in outcome) return advance(ports, { ...context, login: outcome.login }, audit, outcome.current);
  if ('refused' in outcome) return redirectToPage(context, { refused: outcome.refused });
  // The proof is not wrong if another tab has used it and advanced the login.
  if (await hasOtherTabProgressed(ports, context)) return redirectToPage(context);
  const { error, unknown } = outcome;
  return showPage(ports, context, { error, unknown });
}

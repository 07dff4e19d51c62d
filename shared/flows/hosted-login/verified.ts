import type { OpenLogin } from '../../domain/hosted-login/login-transaction.ts';
import type { AuditContext } from '../../operation.ts';
import type { PageError } from '../../templates/parts/form.ts';

/** The login with what was proven; `movedOn` when another tab has been faster; or the error for the page, and the log. */
export type Verified =
  | { readonly login: OpenLogin; readonly note: AuditContext }
  | { readonly movedOn: true }
  | { readonly error: PageError; readonly note: AuditContext };

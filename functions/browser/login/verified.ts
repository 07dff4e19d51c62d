import type { OpenLogin } from '../../../shared/domain/login-transaction.ts';
import type { AuditNote } from '../../../shared/operation.ts';
import type { PageError } from '../../../shared/templates/pages/form.ts';

/** The login with what was proven; `movedOn` when another tab has been faster; or the error for the page, and the log. */
export type Verified =
  | { readonly login: OpenLogin; readonly note: AuditNote }
  | { readonly movedOn: true }
  | { readonly error: PageError; readonly note: AuditNote };

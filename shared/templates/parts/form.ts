import { escapeHtml } from '../html.ts';
import { formatWaitingTime, type Language } from '../language.ts';
import type { FieldKind, LoginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { icons } from './icons.ts';

/** Target of a form, and the CSRF token that proves that the form is from a page of this service. */
export interface FormTarget {
  /** Path on this origin that the form is posted to. */
  readonly action: string;
  /** CSRF token, sent as the hidden field `csrf`. */
  readonly csrf: string;
}

/** Keys of error texts that are the same on every page. */
const ERROR_TEXT_KEYS = {
  number_needed: 'numberNeeded',
  number_ambiguous: 'numberAmbiguous',
  email_unmailable: 'emailUnmailable',
  method_unavailable: 'methodUnavailable',
  send_failed: 'sendFailed',
  code_wrong: 'codeWrong',
  code_replaced: 'codeReplaced',
  code_expired: 'codeExpired',
  link_over: 'linkOver',
  codes_off: 'codesOff',
  form_expired: 'formExpired',
  passkey_invalid: 'passkeyInvalid',
  passkey_expired: 'passkeyExpired',
  passkey_not_saved: 'passkeyNotSaved',
  passkey_exists: 'registerExists',
  provider_failed: 'providerFailed',
  account_exists: 'accountExists',
  account_unknown: 'accountUnknown',
} as const;

/** Keys of error texts that contain a time. `code_last` warns that the next wrong code locks codes for this time. */
const WAIT_TEXT_KEYS = { rate_limited: 'rateLimited', locked: 'locked', code_last: 'codeLast' } as const;

/** Error of the last form submission, shown when the page is displayed again. Times are in seconds. */
export type PageError =
  | { readonly key: keyof typeof ERROR_TEXT_KEYS | 'identifier_invalid' }
  | { readonly key: keyof typeof WAIT_TEXT_KEYS; readonly retryAfterSeconds: number };

const ABOUT_THE_FIELD: readonly string[] = [
  'identifier_invalid',
  'number_needed',
  'number_ambiguous',
  'email_unmailable',
  'code_wrong',
  'code_last',
  'code_replaced',
  'code_expired',
] satisfies PageError['key'][];

/**
 * Renders a form that is sent by POST. `content` is HTML. `csrf` can be omitted if the action contains a secret that other
 * sites do not know.
 */
export function form(
  { action, csrf, id }: Pick<FormTarget, 'action'> & Partial<FormTarget> & { readonly id?: string },
  content: string,
): string {
  const hidden = csrf === undefined ? '' : `\n<input type="hidden" name="csrf" value="${escapeHtml(csrf)}">`;
  const named = id === undefined ? '' : ` id="${id}"`;
  return `<form method="post" action="${escapeHtml(action)}"${named}>${hidden}
${content}
</form>`;
}

/**
 * Renders the box with an error message. Returns an empty string if there is no error. Screen readers announce the box, and
 * `describedBy` links the field to it.
 */
export function errorBox(text: string | undefined): string {
  if (text === undefined) return '';
  return `<div class="error" id="error" role="alert">${icons.warning}<p>${text}</p></div>\n`;
}

export function errorText(
  texts: LoginTexts,
  language: Language,
  error: PageError | undefined,
  kind: FieldKind = 'either',
): string | undefined {
  if (error === undefined) return undefined;
  if (error.key === 'identifier_invalid') return texts.identifierInvalid[kind];
  if (!('retryAfterSeconds' in error)) return texts[ERROR_TEXT_KEYS[error.key]];
  return fill(texts[WAIT_TEXT_KEYS[error.key]], {
    wait: formatWaitingTime(language, error.retryAfterSeconds),
  });
}

/** Returns the ARIA attributes that link a field to its error message and to the elements with the given IDs. */
export function describedBy(error: PageError | undefined, ...ids: readonly string[]): string {
  const all = [...(error ? ['error'] : []), ...ids];
  const described = all.length > 0 ? ` aria-describedby="${all.join(' ')}"` : '';
  return error && ABOUT_THE_FIELD.includes(error.key) ? `${described} aria-invalid="true"` : described;
}

/**
 * Returns the title of a page. After a failed submission, it begins with "Error", because screen readers read the title first.
 */
export function buildPageTitle(texts: LoginTexts, heading: string, error: PageError | undefined): string {
  return error ? fill(texts.errorTitle, { title: heading }) : heading;
}

import { escapeHtml } from '../html.ts';
import { type Language, waitText } from '../language.ts';
import type { FieldKind, LoginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { icons } from './icons.ts';

/** The action of a form, and the proof that a page of this service sent it. */
export interface FormTarget {
  /** Path on this origin. */
  readonly action: string;
  /** Becomes the field `csrf`. */
  readonly csrf: string;
}

/** The text of each error that is told in the same words on every page. */
const TOLD = {
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

/** The error of the last submit. Times in seconds. */
export type PageError =
  | { readonly key: keyof typeof TOLD | 'identifier_invalid' }
  | { readonly key: 'rate_limited' | 'locked'; readonly retryAfterSeconds: number };

const ABOUT_THE_FIELD: readonly string[] = [
  'identifier_invalid',
  'number_needed',
  'number_ambiguous',
  'email_unmailable',
  'code_wrong',
  'code_replaced',
  'code_expired',
] satisfies PageError['key'][];

/** A form that POSTs. `content` is HTML. Needs no `csrf` where the action holds a secret that no other site knows. */
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

/** The box of an error. Screen readers announce it, and it describes the field with `describedBy`. */
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
  if (error.key !== 'rate_limited' && error.key !== 'locked') return texts[TOLD[error.key]];
  const text = error.key === 'locked' ? texts.locked : texts.rateLimited;
  return fill(text, { wait: waitText(language, error.retryAfterSeconds) });
}

/** Attributes that link a field to its error and its descriptions. */
export function describedBy(error: PageError | undefined, ...ids: readonly string[]): string {
  const all = [...(error ? ['error'] : []), ...ids];
  const described = all.length > 0 ? ` aria-describedby="${all.join(' ')}"` : '';
  return error && ABOUT_THE_FIELD.includes(error.key) ? `${described} aria-invalid="true"` : described;
}

/** The title of a page. Begins with the error, for screen readers. */
export function titleOf(texts: LoginTexts, heading: string, error: PageError | undefined): string {
  return error ? fill(texts.errorTitle, { title: heading }) : heading;
}

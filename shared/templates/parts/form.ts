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

/** The error of the last submit. Times in seconds. */
export type PageError =
  | {
      readonly key:
        | 'identifier_invalid'
        | 'number_needed'
        | 'method_unavailable'
        | 'send_failed'
        | 'code_wrong'
        | 'code_replaced'
        | 'code_expired'
        | 'link_over'
        | 'codes_off'
        | 'form_expired'
        | 'passkey_invalid'
        | 'passkey_not_saved'
        | 'passkey_exists'
        | 'provider_failed'
        | 'account_exists'
        | 'account_unknown';
    }
  | { readonly key: 'rate_limited' | 'locked'; readonly retryAfterSeconds: number };

const ABOUT_THE_FIELD: readonly string[] = [
  'identifier_invalid',
  'number_needed',
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
  switch (error?.key) {
    case undefined:
      return undefined;
    case 'identifier_invalid':
      return texts.identifierInvalid[kind];
    case 'number_needed':
      return texts.numberNeeded;
    case 'method_unavailable':
      return texts.methodUnavailable;
    case 'send_failed':
      return texts.sendFailed;
    case 'code_wrong':
      return texts.codeWrong;
    case 'code_replaced':
      return texts.codeReplaced;
    case 'code_expired':
      return texts.codeExpired;
    case 'link_over':
      return texts.linkOver;
    case 'codes_off':
      return texts.codesOff;
    case 'form_expired':
      return texts.formExpired;
    case 'passkey_invalid':
      return texts.passkeyInvalid;
    case 'passkey_not_saved':
      return texts.passkeyNotSaved;
    case 'passkey_exists':
      return texts.registerExists;
    case 'provider_failed':
      return texts.providerFailed;
    case 'account_exists':
      return texts.accountExists;
    case 'account_unknown':
      return texts.accountUnknown;
    case 'rate_limited':
      return fill(texts.rateLimited, { wait: waitText(language, error.retryAfterSeconds) });
    case 'locked':
      return fill(texts.locked, { wait: waitText(language, error.retryAfterSeconds) });
  }
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

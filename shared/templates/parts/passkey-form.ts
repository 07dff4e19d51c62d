import { escapeHtml } from '../html.ts';
import type { FormTarget } from './form.ts';
import { icons } from './icons.ts';

/** Where the script of a page asks for options, and where it sends what the authenticator has signed. */
export interface PasskeyTarget extends FormTarget {
  readonly optionsAction: string;
}

interface PasskeyForm extends PasskeyTarget {
  readonly label: string;
  /** The way that the page recommends. */
  readonly isFirst: boolean;
  /** What is said when the person has cancelled or been too slow, when it could not be done, when there is one already. */
  readonly cancelled: string;
  readonly failed: string;
  readonly exists?: string | undefined;
  /** What is said where the browser has no passkeys; absent: nothing, for there are other ways. */
  readonly unsupported?: string | undefined;
  /** One was refused just now: the browser shall not offer it again by itself. */
  readonly isRefused?: boolean | undefined;
  /** HTML that is shown with the form alone. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Hidden until the script has found that the browser can do it. Posts `credential`. */
export function passkeyForm(input: PasskeyForm): string {
  const { action, csrf, optionsAction, label, isFirst, before = '', after = '' } = input;
  const said = (['cancelled', 'failed', 'exists', 'unsupported'] as const)
    .map((name) => (input[name] === undefined ? '' : ` data-${name}="${escapeHtml(input[name])}"`))
    .join('');
  return `<div id="passkey" hidden data-options="${escapeHtml(optionsAction)}"${said}${input.isRefused ? ' data-refused' : ''}>${before}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="csrf" value="${escapeHtml(csrf)}">
<input type="hidden" name="credential" autocomplete="off">
<button class="button${isFirst ? '' : ' second'}">${icons.passkey}<span>${label}</span></button>
</form>
<p class="soft note" id="passkey-note" role="status"></p>${after}</div>`;
}

/** For a browser without scripts, where a passkey was to be the way. */
export function withoutScript(text: string): string {
  return `<noscript><p class="soft">${text}</p></noscript>\n`;
}

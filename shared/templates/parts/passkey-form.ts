import { escapeHtml } from '../html.ts';
import type { FormTarget } from './form.ts';
import { icons } from './icons.ts';

/**
 * Form of a passkey ceremony. The script requests the WebAuthn options from `optionsAction`, and `action` receives the
 * authenticator's response.
 */
export interface PasskeyTarget extends FormTarget {
  readonly optionsAction: string;
}

interface PasskeyForm extends PasskeyTarget {
  readonly label: string;
  /** True if the passkey is the page's primary action, so that its button stands out. */
  readonly isFirst: boolean;
  /** Text shown after the user has cancelled the ceremony or it has timed out. */
  readonly cancelled: string;
  /** Text shown after the ceremony has failed. */
  readonly failed: string;
  /** Text shown if the authenticator already has a passkey for this account. */
  readonly exists?: string | undefined;
  /** Text for browsers without passkeys. Undefined if the page offers other methods instead. */
  readonly unsupported?: string | undefined;
  /** True if the service has just rejected a passkey. The browser then must not suggest that passkey again by itself. */
  readonly isRefused?: boolean | undefined;
  /**
   * Name of the cookie that the script sets if the device can store a passkey. With this cookie, the service can offer a
   * passkey later.
   */
  readonly offers?: string | undefined;
  /** True if the script first tries to create the passkey without asking the user (conditional create). */
  readonly isSilentFirst?: boolean | undefined;
  /** HTML before the form, which is hidden together with the form in browsers without passkeys. */
  readonly before?: string | undefined;
  /** HTML after the form, which is hidden together with the form in browsers without passkeys. */
  readonly after?: string | undefined;
}

/**
 * WebAuthn call by which the device's authenticators learn the state of passkeys here, such as their deletion (WebAuthn L3
 * §5.1.10).
 */
export type PasskeySignal =
  | readonly ['signalUnknownCredential', { readonly rpId: string; readonly credentialId: string }]
  | readonly [
      'signalAllAcceptedCredentials',
      {
        readonly rpId: string;
        readonly userId: string;
        readonly allAcceptedCredentialIds: readonly string[];
      },
    ]
  | readonly [
      'signalCurrentUserDetails',
      {
        readonly rpId: string;
        readonly userId: string;
        readonly name: string;
        readonly displayName: string;
      },
    ];

/** Renders data for the script, which signals the state of passkeys to the device's authenticators. */
export const passkeySignals = (signals: readonly PasskeySignal[] = []): string =>
  signals.length === 0 ? '' : `<div hidden data-signals="${escapeHtml(JSON.stringify(signals))}"></div>\n`;

/**
 * Renders the passkey button. It stays hidden until the script finds that the browser supports passkeys. Posts `credential`.
 */
export function passkeyForm(input: PasskeyForm): string {
  const { action, csrf, optionsAction, label, isFirst, before = '', after = '' } = input;
  const said = (['cancelled', 'failed', 'exists', 'unsupported', 'offers'] as const)
    .map((name) => (input[name] === undefined ? '' : ` data-${name}="${escapeHtml(input[name])}"`))
    .join('');
  return `<div id="passkey" hidden data-options="${escapeHtml(optionsAction)}"${said}${input.isRefused ? ' data-refused' : ''}${input.isSilentFirst ? ' data-silent' : ''}>${before}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="csrf" value="${escapeHtml(csrf)}">
<input type="hidden" name="credential" autocomplete="off">
<button class="button${isFirst ? '' : ' second'}">${icons.passkey}<span>${label}</span></button>
</form>
<p class="soft note" id="passkey-note" role="status"></p>${after}</div>`;
}

/** Renders a text that browsers show only if JavaScript is off, because passkeys need JavaScript. */
export function withoutScript(text: string): string {
  return `<noscript><p class="soft">${text}</p></noscript>\n`;
}

/**
 * Removes the scripts from a page, for previews in which scripts cannot work. Shows the page as its scripts would: with the
 * passkey button, and with a disabled button while a message cannot be sent again yet.
 */
export const removeScripts = (html: string): string =>
  html
    .replace(/<(script|noscript)>[\s\S]*?<\/\1>| autofocus\b/g, '')
    .replaceAll('<div id="passkey" hidden', '<div id="passkey"')
    .replace(/ id="resend"(?=[^>]*>[^<]*<\/button>\n<p class="soft wait")/, '$& disabled');

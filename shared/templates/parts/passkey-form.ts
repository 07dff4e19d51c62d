import { escapeHtml } from '../html.ts';
import type { FormTarget } from './form.ts';
import { icons } from './icons.ts';

/** The addresses for a script's options and for the signed answer. */
export interface PasskeyTarget extends FormTarget {
  readonly optionsAction: string;
}

interface PasskeyForm extends PasskeyTarget {
  readonly label: string;
  /** Whether the page recommends the passkey. */
  readonly isFirst: boolean;
  /** Texts for a cancelled or timed-out ceremony, a failed one, and an existing passkey. */
  readonly cancelled: string;
  readonly failed: string;
  readonly exists?: string | undefined;
  /** The text for browsers without passkeys. Absent where the page offers other methods. */
  readonly unsupported?: string | undefined;
  /** After a refusal the browser must not offer the same passkey by itself. */
  readonly isRefused?: boolean | undefined;
  /** The cookie that the script sets where the device can hold a passkey, for offers. */
  readonly offers?: string | undefined;
  /** The script first asks the browser to make the passkey without a question (conditional create). */
  readonly isSilentFirst?: boolean | undefined;
  /** HTML that is hidden with the form. */
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** A call that tells the authenticators of the device what the service knows (WebAuthn L3 §5.1.10). */
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

/** What the script of the page tells them. */
export const passkeySignals = (signals: readonly PasskeySignal[] = []): string =>
  signals.length === 0 ? '' : `<div hidden data-signals="${escapeHtml(JSON.stringify(signals))}"></div>\n`;

/** Hidden until the script finds that the browser supports passkeys. Posts `credential`. */
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

/** For browsers without scripts on a page for passkeys. */
export function withoutScript(text: string): string {
  return `<noscript><p class="soft">${text}</p></noscript>\n`;
}

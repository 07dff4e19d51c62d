import { type AddressType, type Channel, channels, isChannel } from '../../records/channels.ts';
import { isProvider, type ProviderName } from '../../records/providers.ts';
import { escapeHtml, oneLine } from '../html.ts';
import { renderExitSection } from '../parts/exits.ts';
import { describedBy, type FormTarget, form, type PageError } from '../parts/form.ts';
import { icons } from '../parts/icons.ts';
import type { LoginMethod } from '../parts/methods.ts';
import { isApproval } from '../parts/notice.ts';
import { type PasskeyTarget, passkeyForm, withoutScript } from '../parts/passkey-form.ts';
import { type PhoneCountries, phoneField } from '../parts/phone-field.ts';
import { providerButton } from '../parts/provider-button.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { type FieldKind, type LoginTexts, loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface IdentifyPageInput extends FormTarget, StepInput {
  /**
   * Login methods in the order of their buttons. The first method that sends a message becomes the main button, which the Enter
   * key also triggers.
   */
  readonly methods: readonly LoginMethod[];
  /** True if the texts of the page are those of a sign-up. Its steps are the same as those of a login. */
  readonly signsUp?: boolean | undefined;
  /** Identifier that the user typed last, or the request's `login_hint`. */
  readonly identifier?: string | undefined;
  /** Countries from which the user chooses, set if the identifier can only be a phone number. */
  readonly countries?: PhoneCountries | undefined;
  /**
   * Passkey ceremony of the page. Browsers that support it offer passkeys in the autofill list of the field. A button offers
   * them too, either as the first action or among the other methods.
   */
  readonly passkey?:
    | (PasskeyTarget & { readonly isFirst: boolean; readonly offers?: string | undefined })
    | undefined;
}

/**
 * Renders the page that asks for the identifier and the login method. Posts `identifier` and `method`, or only `method` if the
 * user chooses a provider.
 */
export function identifyPage(input: IdentifyPageInput): string {
  const { language, brand, signsUp, passkey } = input;
  const texts = loginTexts[language];
  const own = brand.texts?.[language] ?? {};
  const app = oneLine(brand.name);
  const signIn = isApproval(input.notice) ? texts.approveHeading : fill(texts.signInHeading, { app });
  const heading = signsUp ? fill(texts.signUpHeading, { app }) : (own.title ?? signIn);
  const lead = [
    own.subtitle && `<p dir="auto">${escapeHtml(own.subtitle)}</p>`,
    signsUp && `<p>${texts.signUpHint}</p>`,
  ];
  const messages = input.methods.filter(isChannel);
  const [main] = messages;
  const continues = `<button class="button${passkey?.isFirst ? ' second' : ''}" name="method" value="${main}">${texts.continueButton}</button>`;
  const kind = chooseFieldKind(messages);
  const sections = [
    passkey?.isFirst && passkeyWay(input, texts),
    main && form({ ...input, id: ADDRESS_FORM }, `${field(input, texts, kind)}\n${continues}`),
    otherWays(input, texts, messages),
  ];
  return stepPage(input, {
    heading,
    isOwnHeading: true,
    lead: lead.filter(Boolean).join('\n'),
    kind,
    content: `${sections.filter(Boolean).join('\n')}${renderExitSection(input, texts)}`,
  });
}

/** ID of the form with the identifier field. Buttons outside this form submit it, too. */
const ADDRESS_FORM = 'address';

/** Errors of methods that may be in the section "More ways". The section is then open, so that the error is visible. */
const AMONG_MORE_WAYS: readonly PageError['key'][] = ['provider_failed'];

/** Number of providers that are shown below the field. The others are in the section "More ways". */
const PROVIDERS_SHOWN = 3;

/**
 * Renders the methods other than the main button. The passkey and a few providers are visible. The other methods are in a
 * `<details>` element, which works without JavaScript.
 */
function otherWays(
  input: IdentifyPageInput,
  texts: LoginTexts,
  [main, ...messages]: readonly Channel[],
): string | false {
  const { passkey, error } = input;
  const providers = input.methods.filter(isProvider);
  const or = main === undefined ? '' : `<p class="or">${texts.or}</p>\n`;
  const atOnce = main === undefined ? providers.length : PROVIDERS_SHOWN;
  const renderButtons = (some: readonly ProviderName[]) =>
    some.length > 0 &&
    form(input, some.map((method) => providerButton(method, texts, input.brand)).join('\n'));
  // In browsers without passkeys, the passkey is hidden together with its "or".
  const [beforePasskey, beforeProviders] = providers.length > 0 ? ['', or] : [or, ''];
  const behind = [
    ...messages.map((method) => messageButton(method, texts)),
    renderButtons(providers.slice(atOnce)),
  ].filter(Boolean);
  // The section is open if one of its methods has failed.
  const open = error && AMONG_MORE_WAYS.includes(error.key) ? ' open' : '';
  const all = [
    beforeProviders.trim(),
    passkey?.isFirst === false && passkeyWay(input, texts, beforePasskey),
    renderButtons(providers.slice(0, atOnce)),
    behind.length > 0 &&
      `<details class="ways"${open}>
<summary>${texts.moreWays}</summary>
<div class="choices">
${behind.join('\n')}
</div>
</details>`,
  ];
  return all.filter(Boolean).join('\n') || false;
}

const FIELD_KINDS: Readonly<Record<AddressType, FieldKind>> = { email: 'email', phone_number: 'phone' };

function chooseFieldKind(methods: readonly Channel[]): FieldKind {
  const [kind = 'email', ...others] = new Set(methods.map((method) => FIELD_KINDS[channels[method].address]));
  return others.length === 0 ? kind : 'either';
}

function field(input: IdentifyPageInput, texts: LoginTexts, kind: FieldKind) {
  const { language, passkey, identifier, countries, error } = input;
  if (kind === 'phone' && countries) {
    const autocomplete = passkey ? 'tel webauthn' : 'tel';
    return phoneField(
      { language, name: 'identifier', autocomplete, typed: identifier, countries, error },
      texts,
    );
  }
  const autocomplete = passkey ? 'username webauthn' : 'username';
  return `<label for="identifier">${texts.fieldLabel[kind]}</label>
<input id="identifier" name="identifier" type="text" inputmode="${kind === 'phone' ? 'tel' : 'email'}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" maxlength="320" required autofocus value="${escapeHtml(oneLine(identifier ?? ''))}"${describedBy(error)}>`;
}

function messageButton(method: Channel, texts: LoginTexts): string {
  const labels = { email: texts.codeByEmail, sms: texts.sendCodeBySms, link: texts.sendLink };
  return `<button class="button second" form="${ADDRESS_FORM}" name="method" value="${method}">${icons[method]}<span>${labels[method]}</span></button>`;
}

/**
 * Renders the passkey button. `before` is HTML between the field and the button. In browsers without passkeys, both are hidden.
 */
function passkeyWay({ passkey, methods, error }: IdentifyPageInput, texts: LoginTexts, before = ''): string {
  if (!passkey) return '';
  const shown = passkeyForm({
    ...passkey,
    label: texts.usePasskey,
    cancelled: texts.passkeyCancelled,
    failed: texts.passkeyInvalid,
    isRefused: error?.key === 'passkey_invalid',
    unsupported: passkey.isFirst ? texts.passkeyUnsupported : undefined,
    before,
    after: passkey.isFirst && methods.length > 0 ? `<p class="or">${texts.or}</p>` : '',
  });
  return passkey.isFirst ? `${withoutScript(texts.passkeyNeedsScript)}${shown}` : shown;
}

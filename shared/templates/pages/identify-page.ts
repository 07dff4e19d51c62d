import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { type Exits, exitsBelow } from '../parts/exits.ts';
import {
  describedBy,
  errorBox,
  errorText,
  type FormTarget,
  form,
  type PageError,
  titleOf,
} from '../parts/form.ts';
import { page } from '../parts/frame.ts';
import {
  isMessageMethod,
  isProviderMethod,
  type LoginMethod,
  type MessageMethod,
  type ProviderMethod,
  providerNames,
} from '../parts/methods.ts';
import { noticeBox, type PageNotice } from '../parts/notice.ts';
import { type PasskeyTarget, passkeyForm, withoutScript } from '../parts/passkey-form.ts';
import { FORM_SCRIPT } from '../parts/scripts.ts';
import { loginTexts } from '../texts/languages.ts';
import type { FieldKind, LoginTexts } from '../texts/login-texts.ts';

export interface IdentifyPageInput extends FormTarget, Omit<Exits, 'csrf' | 'brand'> {
  readonly language: Language;
  readonly brand: Brand;
  /** In the order of their buttons. The Enter key takes the first that sends a message. */
  readonly methods: readonly LoginMethod[];
  /** The words of a sign-up; the steps are the same. */
  readonly signsUp?: boolean | undefined;
  /** The last input, or the `login_hint`. */
  readonly identifier?: string | undefined;
  /** Offers passkeys in the field's list where the browser can, and by a button, first or last. */
  readonly passkey?: (PasskeyTarget & { readonly isFirst: boolean }) | undefined;
  /** A box above the form. */
  readonly notice?: PageNotice | undefined;
  readonly error?: PageError | undefined;
}

/** Asks for the identifier and the method. Posts `identifier` and `method`, or only `method` (a provider). */
export function identifyPage(input: IdentifyPageInput): string {
  const { language, brand, error, signsUp } = input;
  const texts = loginTexts[language];
  const heading = (signsUp ? texts.signUpHeading : texts.signInHeading)(oneLine(brand.name));
  const hint = signsUp ? `\n<p>${texts.signUpHint}</p>` : '';
  const messages = input.methods.filter(isMessageMethod);
  const others = input.methods.filter(isProviderMethod);
  const kind = kindOf(messages);
  const sections = [
    passkeyWay(input, texts, 'first'),
    messages.length > 0 &&
      form(
        input,
        `${field(input, texts, kind)}\n${messageButtons(messages, texts, input.passkey?.isFirst === true)}`,
      ),
    passkeyWay(input, texts, 'later'),
    messages.length > 0 && others.length > 0 && `<p class="or">${texts.or}</p>`,
    others.length > 0 && form(input, others.map((method) => otherButton(method, texts)).join('\n')),
  ];
  return page({
    language,
    brand,
    title: titleOf(texts, heading, error),
    script: FORM_SCRIPT,
    content: `<h1 dir="auto">${escapeHtml(heading)}</h1>${hint}
${noticeBox(texts, input)}${errorBox(errorText(texts, language, error, kind))}${sections.filter(Boolean).join('\n')}${exitsBelow(input, texts)}`,
  });
}

function kindOf(methods: readonly MessageMethod[]): FieldKind {
  if (!methods.includes('sms')) return 'email';
  return methods.length === 1 ? 'phone' : 'either';
}

function field({ passkey, identifier, error }: IdentifyPageInput, texts: LoginTexts, kind: FieldKind) {
  const autocomplete = passkey ? 'username webauthn' : 'username';
  const hint = kind === 'email' ? '' : `\n<p class="soft hint" id="hint">${texts.phoneHint}</p>`;
  const described = describedBy(error, ...(hint ? ['hint'] : []));
  return `<label for="identifier">${texts.fieldLabel[kind]}</label>
<input id="identifier" name="identifier" type="text" inputmode="${kind === 'phone' ? 'tel' : 'email'}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false" maxlength="320" required autofocus value="${escapeHtml(oneLine(identifier ?? ''))}"${described}>${hint}`;
}

/** A single method needs no choice. */
function messageButtons(methods: readonly MessageMethod[], texts: LoginTexts, isSecond: boolean): string {
  const labels = { email: texts.sendCodeByEmail, sms: texts.sendCodeBySms, link: texts.sendLink };
  return methods
    .map((method, at) => {
      const label = methods.length === 1 ? texts.continueButton : labels[method];
      return `<button class="button${isSecond || at > 0 ? ' second' : ''}" name="method" value="${method}">${label}</button>`;
    })
    .join('\n');
}

function otherButton(method: ProviderMethod, texts: LoginTexts): string {
  const label = texts.continueWith(providerNames[method]);
  return `<button class="button second" name="method" value="${method}">${label}</button>`;
}

/** Separates alternatives. Hidden with the passkey button in browsers without passkeys. */
function passkeyWay(
  { passkey, methods, error }: IdentifyPageInput,
  texts: LoginTexts,
  place: 'first' | 'later',
): string | false {
  if (!passkey || passkey.isFirst !== (place === 'first')) return false;
  const or = methods.length > 0 ? `<p class="or">${texts.or}</p>` : '';
  const shown = passkeyForm({
    ...passkey,
    label: texts.usePasskey,
    cancelled: texts.passkeyCancelled,
    failed: texts.passkeyInvalid,
    isRefused: error?.key === 'passkey_invalid',
    unsupported: passkey.isFirst ? texts.passkeyUnsupported : undefined,
    before: passkey.isFirst ? '' : or,
    after: passkey.isFirst ? or : '',
  });
  return passkey.isFirst ? `${withoutScript(texts.passkeyNeedsScript)}${shown}` : shown;
}

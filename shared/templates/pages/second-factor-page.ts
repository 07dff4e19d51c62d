import { isProvider, labelOf, type ProviderName } from '../../records/providers.ts';
import { exitsOf } from '../parts/exits.ts';
import { type FormTarget, form } from '../parts/form.ts';
import { icons } from '../parts/icons.ts';
import type { LoginMethod } from '../parts/methods.ts';
import { type PasskeyTarget, passkeyForm, withoutScript } from '../parts/passkey-form.ts';
import { providerButton } from '../parts/provider-button.ts';
import { addressShown } from '../parts/resend.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { type LoginTexts, loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface SecondFactorPageInput extends FormTarget, StepInput {
  /** The methods that are open to the user; with a masked address if one sends a message. */
  readonly methods: readonly { readonly method: LoginMethod; readonly maskedTo?: string | undefined }[];
  /** Whether the user has a passkey for it. */
  readonly passkey?: PasskeyTarget | undefined;
  /** The action of the form that goes on without what the factor is for: a new passkey. */
  readonly laterAction?: string | undefined;
  /** The action of the form of users who can give none of them. */
  readonly lostAction?: string | undefined;
  /** What was given opens nothing without what is asked for. */
  readonly isAlone?: boolean;
  /** The provider that did not show a fresh login. */
  readonly stale?: ProviderName | undefined;
  /** Whether the code only verifies the user's email address, and is no factor. */
  readonly verifies?: boolean;
}

/** Asks for the method of the second factor, or of the proof of an email address. Posts `method`. */
export function secondFactorPage(input: SecondFactorPageInput): string {
  const texts = loginTexts[input.language];
  const choices = input.methods.map(({ method, maskedTo }) => choice(method, maskedTo, texts)).join('\n');
  return stepPage(input, {
    heading: input.verifies ? texts.verifyEmailHeading : texts.secondFactorHeading,
    lead: `<p>${bodyOf(input, texts)}</p>`,
    content: `${passkeyChoice(input, texts)}${choicesOf(input, choices, texts)}${aside(input, texts)}`,
  });
}

function choicesOf(input: SecondFactorPageInput, choices: string, texts: LoginTexts): string {
  if (choices !== '') return form(input, `<div class="choices">\n${choices}\n</div>`);
  return input.passkey ? withoutScript(texts.passkeyNeedsScript) : '';
}

/** The other ways to go on: without what the factor is for, or without the factor. */
function aside(input: SecondFactorPageInput, texts: LoginTexts): string {
  const { laterAction, lostAction, csrf } = input;
  const ways = [
    [laterAction, texts.registerLater],
    [lostAction, texts.cannotGiveFactor],
  ] as const;
  const forms = ways.map(([action, label]) =>
    action === undefined ? '' : `${form({ action, csrf }, `<button class="plain">${label}</button>`)}\n`,
  );
  return `\n<div class="aside">\n${forms.join('')}${exitsOf(input, texts)}
</div>`;
}

function bodyOf(
  { laterAction, isAlone, verifies, stale, methods, passkey }: SecondFactorPageInput,
  texts: LoginTexts,
): string {
  if (verifies) return texts.verifyEmailBody;
  if (stale) {
    const canConfirm = passkey !== undefined || methods.some(({ method }) => !isProvider(method));
    return fill(canConfirm ? texts.staleBody : texts.staleOnlyBody, { provider: labelOf(stale) });
  }
  if (isAlone) return texts.aloneBody;
  return laterAction === undefined ? texts.secondFactorBody : texts.secondFactorForPasskey;
}

function passkeyChoice({ passkey, methods }: SecondFactorPageInput, texts: LoginTexts): string {
  if (!passkey) return '';
  const alone = methods.length === 0;
  const shown = passkeyForm({
    ...passkey,
    label: texts.passkey,
    isFirst: false,
    cancelled: texts.passkeyCancelled,
    failed: texts.passkeyInvalid,
    unsupported: alone ? texts.passkeyUnsupported : undefined,
  });
  return `<div class="choices">${shown}</div>\n`;
}

function choice(method: LoginMethod, maskedTo: string | undefined, texts: LoginTexts): string {
  if (isProvider(method)) return providerButton(method, texts);
  const labels = { email: texts.codeByEmail, sms: texts.codeBySms, link: texts.linkByEmail };
  const to = maskedTo ? ` <span class="soft">${addressShown(maskedTo)}</span>` : '';
  return `<button class="button second" name="method" value="${method}">${icons[method]}<span>${labels[method]}${to}</span></button>`;
}

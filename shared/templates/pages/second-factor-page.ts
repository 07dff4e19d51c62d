import { isProvider, type ProviderName } from '../../records/providers.ts';
import { escapeHtml } from '../html.ts';
import { renderExits } from '../parts/exits.ts';
import { type FormTarget, form } from '../parts/form.ts';
import { icons } from '../parts/icons.ts';
import type { LoginMethod } from '../parts/methods.ts';
import { type PasskeyTarget, passkeyForm, withoutScript } from '../parts/passkey-form.ts';
import { chooseProviderLabel, providerButton } from '../parts/provider-button.ts';
import { renderAddress } from '../parts/resend.ts';
import { type StepInput, stepPage } from '../parts/step.ts';
import { type LoginTexts, loginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';

export interface SecondFactorPageInput extends FormTarget, StepInput {
  /** Methods from which the user chooses, each with a masked address if it sends a message. */
  readonly methods: readonly { readonly method: LoginMethod; readonly maskedTo?: string | undefined }[];
  /** Passkey ceremony. Undefined if the user has no passkey that is accepted as second factor. */
  readonly passkey?: PasskeyTarget | undefined;
  /** Action of the form that continues without a new passkey, if the second factor is needed only to add one. */
  readonly laterAction?: string | undefined;
  /** Action of the form for users who have lost all factors that this page offers. */
  readonly lostAction?: string | undefined;
  /** True if the first factor alone is not enough to log in. */
  readonly isFirstFactorInsufficient?: boolean;
  /** Provider at which the user's last login may be older than required. */
  readonly staleProvider?: ProviderName | undefined;
  /** True if the code only verifies the user's email address and is not a factor. */
  readonly isEmailVerification?: boolean;
}

/**
 * Renders the page on which the user chooses a method for the second factor or for verifying an email address. Posts `method`.
 */
export function secondFactorPage(input: SecondFactorPageInput): string {
  const texts = loginTexts[input.language];
  const choices = input.methods.map(({ method, maskedTo }) => choice(method, maskedTo, input)).join('\n');
  return stepPage(input, {
    heading: input.isEmailVerification ? texts.verifyEmailHeading : texts.secondFactorHeading,
    lead: `<p>${chooseBody(input, texts)}</p>`,
    content: `${passkeyChoice(input, texts)}${introduceChoices(input, choices, texts)}${aside(input, texts)}`,
  });
}

function introduceChoices(input: SecondFactorPageInput, choices: string, texts: LoginTexts): string {
  if (choices !== '') return form(input, `<div class="choices">\n${choices}\n</div>`);
  return input.passkey ? withoutScript(texts.passkeyNeedsScript) : '';
}

/** Renders the part below the methods: buttons to continue without a passkey, report lost factors, go back and cancel. */
function aside(input: SecondFactorPageInput, texts: LoginTexts): string {
  const { laterAction, lostAction, csrf } = input;
  const ways = [
    [laterAction, texts.registerLater],
    [lostAction, texts.cannotGiveFactor],
  ] as const;
  const forms = ways.map(([action, label]) =>
    action === undefined ? '' : `${form({ action, csrf }, `<button class="plain">${label}</button>`)}\n`,
  );
  return `\n<div class="aside">\n${forms.join('')}${renderExits(input, texts)}
</div>`;
}

function chooseBody(
  {
    laterAction,
    isFirstFactorInsufficient,
    isEmailVerification,
    staleProvider,
    methods,
    passkey,
    brand,
  }: SecondFactorPageInput,
  texts: LoginTexts,
): string {
  if (isEmailVerification) return texts.verifyEmailBody;
  if (staleProvider) {
    const canConfirm = passkey !== undefined || methods.some(({ method }) => !isProvider(method));
    return fill(canConfirm ? texts.staleBody : texts.staleOnlyBody, {
      provider: escapeHtml(chooseProviderLabel(staleProvider, brand)),
    });
  }
  if (isFirstFactorInsufficient) return texts.aloneBody;
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

function choice(
  method: LoginMethod,
  maskedTo: string | undefined,
  { language, brand }: SecondFactorPageInput,
): string {
  const texts = loginTexts[language];
  if (isProvider(method)) return providerButton(method, texts, brand);
  const labels = { email: texts.codeByEmail, sms: texts.codeBySms, link: texts.linkByEmail };
  const to = maskedTo ? ` <span class="soft">${renderAddress(maskedTo)}</span>` : '';
  return `<button class="button second" name="method" value="${method}">${icons[method]}<span>${labels[method]}${to}</span></button>`;
}

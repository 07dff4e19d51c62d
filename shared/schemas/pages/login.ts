import * as v from 'valibot';
import { PASSKEY_RESULT_MAX, PASTED_CODE_MAX } from '../../domain/basis/limits.ts';
import { described, doc, sample } from '../fields/described.ts';
import { languageChoice } from '../fields/language-choice.ts';
import { maxCharacters } from '../fields/max-characters.ts';
import * as words from '../fields/words.ts';

/** What the hosted pages of a login send: apart from its requests, which their functions do not read. */

const text = v.pipe(v.string(), maxCharacters(2048));

const loginId = described(v.pipe(v.string(), maxCharacters(64)), words.loginId);

export const LoginPath = v.object({ loginId });
/** What the person did; absent: said who they are. */
export const LoginActPath = v.object({
  loginId,
  act: described(
    v.optional(v.pipe(v.string(), maxCharacters(16))),
    doc('What the user did on the page. Absent: gave an address or number.', 'passcode'),
  ),
});

export const LoginForm = described(
  v.object({
    csrf: described(v.optional(text), words.csrf),
    identifier: described(
      v.optional(v.pipe(v.string(), maxCharacters(320))),
      doc('The email address, phone number or username that the user typed.', 'ann@example.com'),
    ),
    method: described(
      v.optional(text),
      doc('The way to log in that the user chose: `email`, `sms`, `link` or a provider.', 'email'),
    ),
    passcode: described(
      v.optional(v.pipe(v.string(), maxCharacters(PASTED_CODE_MAX))),
      doc('The digits that the user typed, or the message that has them.', '482913'),
    ),
    phone_number: described(
      v.optional(v.pipe(v.string(), maxCharacters(64))),
      doc('The number that the user adds.', '+12015550123'),
    ),
    scope: described(
      v.pipe(v.optional(text), v.metadata({ repeats: true })),
      doc('A scope that the user allows a client by document; it comes once for each.', 'orders:read'),
    ),
    stay: described(
      v.optional(text),
      doc('There where the client may stay connected, with a refresh token.', 'yes'),
    ),
    country: described(
      v.optional(v.pipe(v.string(), maxCharacters(2))),
      doc('The country of a number without `+`, in ISO 3166-1; empty: none was chosen.', 'US'),
    ),
  }),
  sample('csrf', 'identifier'),
);

/** What an authenticator has signed, as the script of the page puts it. */
export const PasskeyForm = v.object({
  csrf: described(v.optional(text), words.csrf),
  credential: described(
    v.optional(v.pipe(v.string(), maxCharacters(PASSKEY_RESULT_MAX))),
    words.encodedResult,
  ),
});

export const PasskeyRegistrationQuery = v.object({
  register_webauthn_cred_token: described(
    v.optional(v.pipe(v.string(), maxCharacters(64))),
    doc('The token of the hint, which counts once.', 'Zt4bWq9LmX2cNv7KyR0dJf'),
  ),
  ui_locales: described(v.optional(text), words.uiLocales),
});

export const PasskeyOptionsForm = v.object({
  csrf: described(v.optional(text), words.csrf),
  identifier: described(
    v.optional(v.pipe(v.string(), maxCharacters(320))),
    doc('What the user has typed so far; the options are the same for everybody.', 'ann@example.com'),
  ),
  mediation: described(
    v.optional(v.literal('conditional')),
    doc('`conditional`: the browser may make an offered passkey without a question.', 'conditional'),
  ),
});

/** Why a code or link was refused: the page that a form leads back to says it. */
export const REFUSALS = [
  'code_wrong',
  'code_expired',
  'link_over',
  'codes_off',
  'locked',
  'form_expired',
] as const;

export const LoginQuery = v.object({
  link: described(
    v.optional(v.pipe(v.string(), maxCharacters(64))),
    doc('The code of a mailed link, which the page asks the user to confirm.', 'Kw2ZtN8bYq5RcV0mXj7LfH'),
  ),
  refused: described(
    v.optional(v.picklist(REFUSALS)),
    doc('Why a code or form was refused, for the page to say it.', 'code_wrong'),
  ),
  lost: described(
    v.optional(v.picklist(['asked', 'impossible'])),
    doc(
      'Shows what a person can do who cannot give the second factor, or that nothing can be done here.',
      'asked',
    ),
  ),
  language: languageChoice,
});

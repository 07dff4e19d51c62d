import * as v from 'valibot';
import { PASSKEY_RESULT_MAX, PASTED_CODE_MAX } from '../../domain/basis/limits.ts';
import { describe, described, sample } from '../fields/described.ts';
import { languageChoice } from '../fields/language-choice.ts';
import { maxCharacters } from '../fields/max-characters.ts';
import * as words from '../fields/words.ts';

// Forms of the hosted login pages. They are in a separate file from the requests that begin a login, because the functions that
// begin a login must not bundle these forms.

const text = v.pipe(v.string(), maxCharacters(2048));

const loginId = described(v.pipe(v.string(), maxCharacters(64)), words.loginId);

export const LoginPath = v.object({ loginId });
/**
 * Path of a login form. Its last segment is the user's action. Without this segment, the user has submitted an address, phone
 * number or username.
 */
export const LoginActPath = v.object({
  loginId,
  act: described(
    v.optional(v.pipe(v.string(), maxCharacters(16))),
    describe(
      'Action of the user on the page. Absent: the user entered an address, number or username.',
      'passcode',
    ),
  ),
});

export const LoginForm = described(
  v.object({
    csrf: described(v.optional(text), words.csrf),
    identifier: described(
      v.optional(v.pipe(v.string(), maxCharacters(320))),
      describe('Email address, phone number or username that the user typed.', 'ann@example.com'),
    ),
    method: described(
      v.optional(text),
      describe('Login method that the user chose: `email`, `sms`, `link` or a provider.', 'email'),
    ),
    passcode: described(
      v.optional(v.pipe(v.string(), maxCharacters(PASTED_CODE_MAX))),
      describe('Digits that the user typed, or a pasted message that contains them.', '482913'),
    ),
    phone_number: described(
      v.optional(v.pipe(v.string(), maxCharacters(64))),
      describe('Phone number that the user adds.', '+12015550123'),
    ),
    scope: described(
      v.pipe(v.optional(text), v.metadata({ repeats: true })),
      describe(
        'Scope that the user grants to a client that is identified by a metadata document. One field for each scope.',
        'orders:read',
      ),
    ),
    stay: described(v.optional(text), describe('Present if the client may get a refresh token.', 'yes')),
    country: described(
      v.optional(v.pipe(v.string(), maxCharacters(2))),
      describe('Country (ISO 3166-1) of a phone number without `+`. Empty: none was chosen.', 'US'),
    ),
  }),
  sample('csrf', 'identifier'),
);

/** Form with an authenticator's response, which the script of the page has encoded. */
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
    describe('Token of the hint, which is valid once.', 'Zt4bWq9LmX2cNv7KyR0dJf'),
  ),
  ui_locales: described(v.optional(text), words.uiLocales),
});

export const PasskeyOptionsForm = v.object({
  csrf: described(v.optional(text), words.csrf),
  identifier: described(
    v.optional(v.pipe(v.string(), maxCharacters(320))),
    describe(
      'Text that the user has typed so far. The options are the same for all users.',
      'ann@example.com',
    ),
  ),
  mediation: described(
    v.optional(v.literal('conditional')),
    describe('`conditional` if the browser may create an offered passkey without asking.', 'conditional'),
  ),
});

/** Reasons why a code or link was rejected. The page to which the form redirects shows the reason. */
export const REFUSALS = [
  'code_wrong',
  'code_last',
  'code_expired',
  'link_over',
  'codes_off',
  'locked',
  'form_expired',
] as const;

export const LoginQuery = v.object({
  link: described(
    v.optional(v.pipe(v.string(), maxCharacters(64))),
    describe('Code of a mailed link, which the page asks the user to confirm.', 'Kw2ZtN8bYq5RcV0mXj7LfH'),
  ),
  refused: described(
    v.optional(v.picklist(REFUSALS)),
    describe('Reason why a code or form was refused, which the page shows.', 'code_wrong'),
  ),
  lost: described(
    v.optional(v.picklist(['asked', 'impossible'])),
    describe(
      'Shows a user who cannot provide the second factor what to do (`asked`), or that nothing can be done here (`impossible`).',
      'asked',
    ),
  ),
  language: languageChoice,
});

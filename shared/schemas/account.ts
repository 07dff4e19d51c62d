import * as v from 'valibot';
import { CLIENT_ID_MAX, NAME_MAX } from '../domain/basis/limits.ts';
import { LANGUAGES } from '../records/languages.ts';
import { PROVIDERS } from '../records/providers.ts';
import { described, doc, sample } from './fields/described.ts';
import { languageChoice } from './fields/language-choice.ts';
import { secret } from './fields/login.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

/** The account page and its forms, and links in notices. */

/** The parts of the page that a person can change. */
export const ACCOUNT_PARTS = [
  'details',
  'passkeys',
  'device-keys',
  'identities',
  'consents',
  'sessions',
  'data',
  'deletion',
] as const;
export type AccountPart = (typeof ACCOUNT_PARTS)[number];

/** What was done; else `confirmed`: a login brought what a change takes. `last`: it is the only way to log in. */
export const ACCOUNT_RESULTS = [
  'saved',
  'email',
  'phone',
  'email_removed',
  'phone_removed',
  'passkey.added',
  'passkey.removed',
  'device_key.removed',
  'identity.added',
  'identity.removed',
  'grant.ended',
  'ended',
  'confirmed',
  'expired',
  'last',
] as const;
export type AccountResult = (typeof ACCOUNT_RESULTS)[number];

export const AccountQuery = v.object({
  client_id: described(v.pipe(v.string(), v.minLength(1), maxCharacters(CLIENT_ID_MAX)), words.clientId),
  app_id: described(
    v.optional(v.pipe(v.string(), maxCharacters(CLIENT_ID_MAX))),
    doc('The application of a client by document; others have one.', '4qk2v9x7tm1d8zr5wc3hb6npy'),
  ),
  ui_locales: described(v.optional(v.pipe(v.string(), maxCharacters(2048))), words.uiLocales),
  language: languageChoice,
  part: described(
    v.optional(v.picklist(ACCOUNT_PARTS)),
    doc('The part of the page that a change or a login led back to.', 'sessions'),
  ),
  result: described(
    v.optional(v.picklist(ACCOUNT_RESULTS)),
    doc(
      'What the page says of the last change: what was done, that its form was too old, or that it would be the last way in.',
      'passkey.added',
    ),
  ),
  error: described(
    v.optional(v.pipe(v.string(), maxCharacters(64))),
    doc('Why a login that the page asked for has failed.', 'access_denied'),
  ),
});

export const AccountPageQuery = v.object({
  ...AccountQuery.entries,
  client_id: described(
    v.optional(AccountQuery.entries.client_id),
    doc('Public ID of the client; without it that of the newest login in the browser.', 'c1'),
  ),
});

const csrf = described(v.optional(v.pipe(v.string(), maxCharacters(2048))), words.csrf);

export const AccountForm = v.object({ csrf });

export const AccountItemForm = described(
  v.object({
    csrf,
    item: described(
      v.optional(v.pipe(v.string(), maxCharacters(1400))),
      doc('What the form is about, as the page names it.', 'mB8rQ2xTzK5wYc0V'),
    ),
  }),
  sample('csrf', 'item'),
);

export const AccountAddressForm = described(
  v.object({
    csrf,
    item: described(v.picklist(['email', 'phone']), doc('The address that is removed.', 'phone')),
  }),
  sample('csrf', 'item'),
);

export const AccountProviderForm = described(
  v.object({
    csrf,
    item: described(v.picklist(PROVIDERS), doc('The provider of the account.', 'google')),
  }),
  sample('csrf', 'item'),
);

export const AccountPasskeyForm = described(
  v.object({
    ...AccountItemForm.entries,
    name: described(v.pipe(v.string(), v.minLength(1), maxCharacters(NAME_MAX)), words.newName),
  }),
  sample('csrf', 'item', 'name'),
);

const shortText = v.optional(v.pipe(v.string(), maxCharacters(NAME_MAX)));

export const AccountProfileForm = described(
  v.object({
    csrf,
    first_name: described(shortText, doc('The first name; empty: none.', 'Ann')),
    last_name: described(shortText, doc('The last name; empty: none.', 'Lee')),
    language: described(
      v.optional(v.picklist(['', ...LANGUAGES])),
      doc('The language of mails and pages; empty: none.', 'en'),
    ),
  }),
  sample('csrf', 'first_name', 'last_name', 'language'),
);

/** The secret of a link in a notice. */
export const NoticeLinkQuery = v.object({
  link: described(
    secret,
    doc(
      'Secret of a link in a notice, which is in its address.',
      'oX0z8m3qV5tWb7Rk1yN4hJc2sLdPf6gU9eAxTiBvMwQ',
    ),
  ),
});

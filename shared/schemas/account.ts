import * as v from 'valibot';
import { CLIENT_ID_MAX, NAME_MAX } from '../domain/basis/limits.ts';
import { ADDRESS_ITEMS } from '../records/channels.ts';
import { LANGUAGES } from '../records/languages.ts';
import { PROVIDER, type ProviderName } from '../records/providers.ts';
import { describe, described, sample } from './fields/described.ts';
import { languageChoice } from './fields/language-choice.ts';
import { secret } from './fields/login.ts';
import { maxCharacters } from './fields/max-characters.ts';
import * as words from './fields/words.ts';

// Schemas of the account page with its forms, and of links in notices.

/** Parts of the account page that a user can change. */
export const ACCOUNT_PARTS = [
  'details',
  'addresses',
  'passkeys',
  'device-keys',
  'identities',
  'consents',
  'sessions',
  'data',
  'deletion',
] as const;
export type AccountPart = (typeof ACCOUNT_PARTS)[number];

/**
 * Results that the account page shows: the change that was made, `confirmed` after a login with the proofs that a change
 * requires, or `last` if a change was rejected because it would remove the user's only way to log in.
 */
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
    describe(
      'Application, for a client that is identified by a metadata document. All other clients belong to one.',
      '4qk2v9x7tm1d8zr5wc3hb6npy',
    ),
  ),
  ui_locales: described(v.optional(v.pipe(v.string(), maxCharacters(2048))), words.uiLocales),
  language: languageChoice,
  part: described(
    v.optional(v.picklist(ACCOUNT_PARTS)),
    describe('Part of the page to return to after a change or a login.', 'sessions'),
  ),
  result: described(
    v.optional(v.picklist(ACCOUNT_RESULTS)),
    describe(
      'Result of the last change that the page shows: what was changed, that the form was too old, or that it was the only way to log in.',
      'passkey.added',
    ),
  ),
  error: described(
    v.optional(v.pipe(v.string(), maxCharacters(64))),
    describe('Error of a login that the page asked for.', 'access_denied'),
  ),
});

export const AccountPageQuery = v.object({
  ...AccountQuery.entries,
  client_id: described(
    v.optional(AccountQuery.entries.client_id),
    describe('Public ID of the client. Default: the client of the newest login in the browser.', 'c1'),
  ),
});

const csrf = described(v.optional(v.pipe(v.string(), maxCharacters(2048))), words.csrf);

export const AccountForm = v.object({ csrf });

export const AccountItemForm = described(
  v.object({
    csrf,
    item: described(
      v.optional(v.pipe(v.string(), maxCharacters(1400))),
      describe('ID of the item that the form changes, as the page contains it.', 'mB8rQ2xTzK5wYc0V'),
    ),
  }),
  sample('csrf', 'item'),
);

export const AccountAddressForm = described(
  v.object({
    csrf,
    item: described(v.picklist(ADDRESS_ITEMS), describe('Address to remove: email or phone.', 'phone')),
  }),
  sample('csrf', 'item'),
);

export const AccountProviderForm = described(
  v.object({
    csrf,
    item: described(
      v.pipe(v.string(), v.regex(PROVIDER)) as v.GenericSchema<string, ProviderName>,
      words.provider,
    ),
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
    first_name: described(shortText, describe('First name. Empty: none.', 'Ann')),
    last_name: described(shortText, describe('Last name. Empty: none.', 'Lee')),
    language: described(
      v.optional(v.picklist(['', ...LANGUAGES])),
      describe('Language of mails and pages. Empty: none.', 'en'),
    ),
  }),
  sample('csrf', 'first_name', 'last_name', 'language'),
);

/** Query of a link in a notice. It contains the secret of the link. */
export const NoticeLinkQuery = v.object({
  link: described(
    secret,
    describe('Secret in a link of a notice.', 'oX0z8m3qV5tWb7Rk1yN4hJc2sLdPf6gU9eAxTiBvMwQ'),
  ),
});

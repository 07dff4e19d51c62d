import * as v from 'valibot';
import {
  DIRECTORIES_MAX,
  LINK_EXPIRES_MINUTES,
  LINK_EXPIRES_MINUTES_MAX,
  MINUTES_MIN,
  OPENID_PROVIDERS_MAX,
  PASSCODE_DIGITS,
  PASSCODE_DIGITS_MAX,
  PASSCODE_DIGITS_MIN,
  PASSCODE_EXPIRES_MINUTES,
  PASSCODE_EXPIRES_MINUTES_MAX,
  PASSCODE_LOCK_MINUTES,
  PASSCODE_LOCK_MINUTES_MAX,
  PASSCODE_MAX_TRIES,
  PASSCODE_MAX_TRIES_MAX,
  PROVIDER_LABEL_MAX,
  PROVIDER_LOGO_BASE64_MAX,
  PROVIDER_SCOPES_MAX,
  URI_MAX,
} from '../domain/basis/limits.ts';
import { linkFields, loginPreferencesFields, passcodeFields } from '../records/login-preferences.ts';
import {
  byProvider,
  OPENID_NAME,
  openIdProviderFields,
  type providerFields,
  providers,
} from '../records/providers.ts';
import { colour } from './brand.ts';
import { describe, described, sample } from './fields/described.ts';
import { maxCharacters } from './fields/max-characters.ts';
import { createSchemas } from './fields/of-record.ts';
import { integer, list, name, toResult, uri } from './fields/record.ts';
import * as words from './fields/words.ts';

// Login methods of an application, with their settings.

const DIRECTORY = /^(?:organizations|consumers|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Scope token of RFC 6749 §3.3. */
const SCOPE = /^[!#-[\]-~]{1,64}$/;

const minutes = (max: number) => v.pipe(v.number(), v.minValue(MINUTES_MIN), v.maxValue(max));

const passcode = createSchemas(passcodeFields, {
  digits: [
    integer(PASSCODE_DIGITS_MIN, PASSCODE_DIGITS_MAX),
    describe(
      `Digits of a passcode, ${PASSCODE_DIGITS_MIN} to ${PASSCODE_DIGITS_MAX} (default: ${PASSCODE_DIGITS}).`,
      PASSCODE_DIGITS,
    ),
  ],
  expiresMinutes: [
    minutes(PASSCODE_EXPIRES_MINUTES_MAX),
    describe(
      `Lifetime of a passcode in minutes, at most ${PASSCODE_EXPIRES_MINUTES_MAX} (default: ${PASSCODE_EXPIRES_MINUTES}). A send can override it with \`expires_in\`.`,
      PASSCODE_EXPIRES_MINUTES,
    ),
  ],
  maxTries: [
    integer(1, PASSCODE_MAX_TRIES_MAX),
    describe(
      `Number of wrong codes that cause a lock, 1 to ${PASSCODE_MAX_TRIES_MAX} (default: ${PASSCODE_MAX_TRIES}).`,
      PASSCODE_MAX_TRIES,
    ),
  ],
  lockMinutes: [
    minutes(PASSCODE_LOCK_MINUTES_MAX),
    describe(
      `Duration of the lock in minutes, at most ${PASSCODE_LOCK_MINUTES_MAX} (default: ${PASSCODE_LOCK_MINUTES}).`,
      PASSCODE_LOCK_MINUTES,
    ),
  ],
});
const link = createSchemas(linkFields, {
  expiresMinutes: [
    minutes(LINK_EXPIRES_MINUTES_MAX),
    describe(
      `Lifetime of a magic link in minutes, at most ${LINK_EXPIRES_MINUTES_MAX} (default: ${LINK_EXPIRES_MINUTES}). A send can override it with \`email_expiration\`.`,
      LINK_EXPIRES_MINUTES,
    ),
  ],
  interstitial: describe(
    'Whether a link first opens a page with one button (default: false). Use it if mail scanners must not visit the redirect URI.',
    false,
  ),
});
const providerEntries: Parameters<typeof createSchemas<typeof providerFields>>[1] = {
  clientId: [
    uri,
    describe(
      `Client ID that the provider has assigned to the application, at most ${URI_MAX} characters.`,
      '407408718192.apps.googleusercontent.com',
    ),
  ],
  issuer: [
    uri,
    describe(
      'Issuer of another OpenID provider that replaces this one (default: none). It was set by an earlier version and can only be kept or removed: other OpenID providers belong in `openid_providers`.',
      'https://id.example.com',
    ),
  ],
  trustedForEmail: words.trustedForEmail,
  directories: [
    v.pipe(
      list(
        v.pipe(v.string(), v.regex(DIRECTORY, 'must be a directory (tenant) ID, organizations or consumers')),
        DIRECTORIES_MAX,
      ),
      v.minLength(1),
    ),
    describe(
      `Directory (tenant) IDs whose accounts may log in (default: all), at most ${DIRECTORIES_MAX}. \`organizations\` stands for all directories, \`consumers\` for personal accounts. Not beside \`issuer\`.`,
      ['organizations'],
    ),
  ],
  enabled: describe(
    'Whether users may log in with this method (default: true). False turns it off and keeps the settings.',
    true,
  ),
};
const loginPreferences = createSchemas(loginPreferencesFields, {
  link: [link, describe('Magic links by email. Absent: off.')],
  email: [passcode, describe('Passcodes by email. Absent: off.')],
  sms: [passcode, describe('Passcodes by text message. Absent: off.')],
  direct: [passcode, describe('Passcodes in the answer to the backend that asks for them. Absent: off.')],
  passkey: [
    createSchemas({}, {}),
    describe(
      'Passkeys on the hosted pages: an empty object, because there are no settings. Absent: off.',
      {},
    ),
  ],
  ...byProvider(
    (provider) =>
      [
        createSchemas(providers[provider].fields as typeof providerFields, providerEntries),
        words.providerLogin(provider),
      ] as const,
  ),
});

const openIdProvider = createSchemas(openIdProviderFields, {
  name: [
    v.pipe(v.string(), v.regex(OPENID_NAME, 'must have 1 to 32 characters of a-z, 0-9 and -')),
    describe(
      'Name in paths and `acr_values`: 1 to 32 characters of a-z, 0-9 and -. Not the name of another login method.',
      'acme',
    ),
  ],
  label: [
    v.pipe(name, maxCharacters(PROVIDER_LABEL_MAX)),
    describe(`Name on buttons and pages, at most ${PROVIDER_LABEL_MAX} characters.`, 'Acme ID'),
  ],
  clientId: providerEntries.clientId,
  issuer: [
    uri,
    describe(
      `Issuer of the provider. A public \`https\` URL without query and fragment, at most ${URI_MAX} characters.`,
      'https://id.example.com',
    ),
  ],
  trustedForEmail: describe(
    'Whether addresses that the provider reports as verified count as proven (default: false).',
    false,
  ),
  enabled: providerEntries.enabled,
  scopes: [
    list(v.pipe(v.string(), v.regex(SCOPE, 'must be a scope')), PROVIDER_SCOPES_MAX),
    describe(
      `Scopes to request in addition to \`openid\` (default: email and profile), at most ${PROVIDER_SCOPES_MAX}.`,
      ['email', 'profile'],
    ),
  ],
  prompt: describe(
    'Value of `prompt` in every request to the provider (default: only what the login requires).',
    'select_account',
  ),
  color: [
    colour,
    describe(
      "Colour of the label's first letter on the button (default: derived from the label).",
      '#0b57d0',
    ),
  ],
  base64logo: [
    v.pipe(v.string(), maxCharacters(PROVIDER_LOGO_BASE64_MAX)),
    describe(
      `Logo on the button as raw base64 of a PNG, JPEG, GIF or WebP, without \`data:\`. At most ${PROVIDER_LOGO_BASE64_MAX} characters. It replaces the first letter.`,
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    ),
  ],
});
export const OpenIdProviders = {
  create: list(openIdProvider.create, OPENID_PROVIDERS_MAX),
  record: v.array(openIdProvider.record),
};

/** Login methods in a request. An absent method is off. An empty object switches a method on with the default settings. */
export const LoginPreferencesBody = described(loginPreferences.update, sample('link', 'email', 'passkey'));
export const LoginPreferencesRecord = described(
  loginPreferences.record,
  describe('Login methods of an application.'),
);
export const LoginPreferencesResponse = toResult(LoginPreferencesRecord);

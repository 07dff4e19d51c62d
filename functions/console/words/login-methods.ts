import type {
  linkFields,
  loginPreferencesFields,
  passcodeFields,
} from '../../../shared/records/login-preferences.ts';
import { byProvider, type openIdProviderFields, providers } from '../../../shared/records/providers.ts';
import type { WordsOf } from './words.ts';

const passcodeWords: WordsOf<typeof passcodeFields> = {
  digits: { label: 'Digits of a code' },
  expires_minutes: { label: 'A code is valid for', unit: 'minutes' },
  max_tries: { label: 'Wrong codes until a lock' },
  lock_minutes: { label: 'A lock lasts', unit: 'minutes' },
};

const linkWords: WordsOf<typeof linkFields> = {
  expires_minutes: { label: 'A link is valid for', unit: 'minutes' },
  interstitial: {
    label: 'Show a page with a button first',
    help: 'Prevents mail scanners from using up links.',
  },
};

const providerWords = {
  client_id: { label: 'Client ID', help: 'The provider shows it where you have registered the application.' },
  trusted_for_email: {
    label: 'Trust verified email addresses of this provider',
    help: 'People then need no code for an address that the provider has verified.',
  },
  enabled: { label: 'Show this provider', help: 'No keeps the settings and hides the button.' },
  directories: {
    label: 'Directories whose accounts may log in',
    help: 'IDs of Microsoft directories (tenants). If there is none, all accounts may log in.',
  },
  issuer: {
    label: 'Replaced by the provider',
    help: 'Set by an earlier version: it can only be kept or removed.',
    advanced: true,
  },
} as const;

/** Labels and help texts of an application's login methods and their settings. */
export const loginPreferencesWords: WordsOf<typeof loginPreferencesFields> = {
  email: { label: 'Codes by mail', inner: passcodeWords },
  link: { label: 'Magic links by mail', inner: linkWords },
  passkey: {
    label: 'Passkeys',
    help: 'The fastest way to log in. Phishing cannot steal them.',
  },
  sms: { label: 'Codes by text message', help: 'Each message costs money.', inner: passcodeWords },
  ...byProvider((name) => ({ label: `Login with ${providers[name].label}`, inner: providerWords })),
  direct: {
    label: 'Codes that your backend delivers',
    help: 'For example in a letter, or in your own app.',
    inner: passcodeWords,
  },
};

/** Labels and help texts of an OpenID provider that an application has added by name. */
export const openIdProviderWords: WordsOf<typeof openIdProviderFields> = {
  ...providerWords,
  name: { label: 'Name in addresses' },
  label: { label: 'Name on the button' },
  issuer: { label: 'Issuer' },
  scopes: { label: 'Scopes' },
  prompt: { label: 'Prompt' },
  color: { label: 'Colour of the first letter' },
  base64logo: { label: 'Logo' },
};

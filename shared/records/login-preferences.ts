import { type Fields, flag, number, text } from './field.ts';

export const passcodeFields = {
  digits: number,
  expiresMinutes: number,
  maxTries: number,
  lockMinutes: number,
} as const satisfies Fields;

export const linkFields = {
  expiresMinutes: number,
  /** Shows a "Continue" page when a link is opened, instead of redirecting at once. */
  interstitial: flag,
} as const satisfies Fields;

export const providerFields = {
  clientId: { kind: 'text', always: true },
  /** Any OpenID provider instead of the provider's own. */
  issuer: text,
  /** Whether an address that it says to be verified counts as proven here. Absent: as the provider deserves. */
  trustedForEmail: flag,
  /** False keeps the settings of a method that is off. */
  enabled: flag,
} as const satisfies Fields;

const passcode = { kind: 'record', of: passcodeFields } as const;
const provider = { kind: 'record', of: providerFields } as const;

export const loginPreferencesFields = {
  link: { kind: 'record', of: linkFields },
  email: passcode,
  sms: passcode,
  direct: passcode,
  /** The hosted pages offer passkeys, where the RP ID is theirs. There is nothing to set. */
  passkey: { kind: 'record', of: {} },
  google: provider,
  apple: provider,
  facebook: provider,
  line: provider,
} as const satisfies Fields;

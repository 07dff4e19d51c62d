import type { Channel } from './channels.ts';
import { type Fields, flag, number } from './field.ts';
import { type BuiltInProvider, byProvider, providers } from './providers.ts';

export const passcodeFields = {
  digits: number,
  expiresMinutes: number,
  maxTries: number,
  lockMinutes: number,
} as const satisfies Fields;

export const linkFields = {
  expiresMinutes: number,
  /** True if an opened link shows a "Continue" page instead of redirecting immediately. */
  interstitial: flag,
} as const satisfies Fields;

const passcode = { kind: 'record', of: passcodeFields } as const;

type ProviderSettings = {
  readonly [Name in BuiltInProvider]: {
    readonly kind: 'record';
    readonly of: (typeof providers)[Name]['fields'];
  };
};

export const loginPreferencesFields = {
  link: { kind: 'record', of: linkFields },
  email: passcode,
  sms: passcode,
  direct: passcode,
  /** Passkeys as a login method of the hosted pages, offered if the pages may use the RP ID. The method has no settings. */
  passkey: { kind: 'record', of: {} },
  ...(byProvider((name) => ({ kind: 'record', of: providers[name].fields })) as ProviderSettings),
} as const satisfies Fields & Readonly<Record<Channel, unknown>>;

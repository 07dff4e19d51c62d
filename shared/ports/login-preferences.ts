import type { ProviderPreference } from './providers.ts';

export interface PasscodePreference {
  readonly digits?: number;
  readonly expiresMinutes?: number;
  readonly maxTries?: number;
  readonly lockMinutes?: number;
}

export interface LinkPreference {
  readonly expiresMinutes?: number;
  /** Shows a "Continue" page when a link is opened, instead of redirecting at once. */
  readonly interstitial?: boolean;
}

/** Nothing to set: passkeys are on. */
export type PasskeyPreference = Readonly<Record<string, never>>;

/** Which login methods an application has configured; a method that is absent is off. */
export interface LoginPreferences {
  readonly link?: LinkPreference;
  readonly email?: PasscodePreference;
  readonly sms?: PasscodePreference;
  readonly direct?: PasscodePreference;
  /** The hosted pages offer passkeys, where the RP ID is theirs. */
  readonly passkey?: PasskeyPreference;
  readonly google?: ProviderPreference;
  readonly apple?: ProviderPreference;
  readonly facebook?: ProviderPreference;
  readonly line?: ProviderPreference;
}

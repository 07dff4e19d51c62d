import type {
  LinkPreference,
  LoginPreferences,
  PasscodePreference,
  PasskeyPreference,
} from '../../ports/login-preferences.ts';
import type { ProviderPreference } from '../../ports/providers.ts';
import { type Codec, codec, flag, map, number, optional, text } from '../codec.ts';

const link = codec<LinkPreference>({
  expiresMinutes: optional(number('expires_minutes')),
  interstitial: optional(flag('interstitial')),
});

const passcode = codec<PasscodePreference>({
  digits: optional(number('digits')),
  expiresMinutes: optional(number('expires_minutes')),
  maxTries: optional(number('max_tries')),
  lockMinutes: optional(number('lock_minutes')),
});

const passkey = codec<PasskeyPreference>({});

const provider = codec<ProviderPreference>({
  clientId: text('client_id'),
  issuer: optional(text('issuer')),
  trustedForEmail: optional(flag('trusted_for_email')),
  enabled: optional(flag('enabled')),
});

/** Login preferences in the item of their application. */
export const loginPreferences: Codec<LoginPreferences> = codec<LoginPreferences>({
  link: optional(map('link', link)),
  email: optional(map('email', passcode)),
  sms: optional(map('sms', passcode)),
  direct: optional(map('direct', passcode)),
  passkey: optional(map('passkey', passkey)),
  google: optional(map('google', provider)),
  apple: optional(map('apple', provider)),
  facebook: optional(map('facebook', provider)),
  line: optional(map('line', provider)),
});

import { invalidInput } from '../../errors/service-error.ts';
import type { PasscodePreference } from '../../ports/login-preferences.ts';
import {
  PASSCODE_DIGITS,
  PASSCODE_EXPIRES_MINUTES,
  PASSCODE_EXPIRES_MINUTES_MAX,
  PASSCODE_LOCK_MINUTES,
  PASSCODE_MAX_TRIES,
  SECONDS_PER_MINUTE,
} from '../basis/limits.ts';

export interface PasscodeSettings {
  readonly digits: number;
  readonly maxTries: number;
  readonly lockSeconds: number;
  readonly lifetimeSeconds: number;
}

/** Converts a lifetime in minutes, fractions allowed, to seconds. Errors: `system_invalid_input`. */
export function readLifetime(field: string, minutes: number, maxMinutes: number): number {
  if (!(minutes > 0) || minutes > maxMinutes)
    throw invalidInput(`${field}: must be more than 0 and at most ${maxMinutes} minutes`);
  return Math.max(1, Math.round(minutes * SECONDS_PER_MINUTE));
}

/** Returns the settings for the codes of a channel. `expiresIn` (minutes) takes precedence over the application's lifetime. */
export function passcodeSettings(
  preference: PasscodePreference,
  expiresIn: number | undefined,
): PasscodeSettings {
  const minutes = expiresIn ?? preference.expiresMinutes ?? PASSCODE_EXPIRES_MINUTES;
  return {
    digits: preference.digits ?? PASSCODE_DIGITS,
    maxTries: preference.maxTries ?? PASSCODE_MAX_TRIES,
    lockSeconds: (preference.lockMinutes ?? PASSCODE_LOCK_MINUTES) * SECONDS_PER_MINUTE,
    lifetimeSeconds: readLifetime('expires_in', minutes, PASSCODE_EXPIRES_MINUTES_MAX),
  };
}

import { describe, expect, test } from '@jest/globals';
import { linkLifetimeSeconds } from '../../../shared/domain/credentials/magic-link.ts';
import { passcodeSettings, readLifetime } from '../../../shared/domain/credentials/passcode-settings.ts';

const refused = (message: string) => expect.objectContaining({ key: 'system_invalid_input', message });

describe('length, lifetime and attempt limit of passcodes', () => {
  test('N110 N112 a passcode has 6 digits, a lifetime of 5 minutes and 3 attempts by default', () => {
    expect(passcodeSettings({}, undefined)).toEqual({
      digits: 6,
      lifetimeSeconds: 300,
      maxTries: 3,
      lockSeconds: 900,
    });
  });

  test("an application's passcode settings override the defaults", () => {
    const preference = { digits: 8, expiresMinutes: 10, maxTries: 5, lockMinutes: 30 };
    expect(passcodeSettings(preference, undefined)).toEqual({
      digits: 8,
      lifetimeSeconds: 600,
      maxTries: 5,
      lockSeconds: 1800,
    });
  });

  test('a passcode lifetime in a send request overrides the lifetime that the application configures', () => {
    expect(passcodeSettings({ expiresMinutes: 10 }, 2).lifetimeSeconds).toBe(120);
  });
});

describe('allowed lifetimes of codes and links', () => {
  test('a passcode lifetime in minutes may be fractional', () => {
    expect(readLifetime('expires_in', 0.5, 60)).toBe(30);
    expect(readLifetime('expires_in', 1.25, 60)).toBe(75);
  });

  test('the lifetime of a passcode is at least one second', () => {
    expect(readLifetime('expires_in', 0.000_1, 60)).toBe(1);
  });

  test('N110 the lifetime of a passcode is at most 60 minutes', () => {
    expect(passcodeSettings({}, 60).lifetimeSeconds).toBe(3600);
    for (const minutes of [60.01, 1e9, Number.POSITIVE_INFINITY])
      expect(() => passcodeSettings({}, minutes)).toThrow(
        refused('expires_in: must be more than 0 and at most 60 minutes'),
      );
  });

  test('N110 the lifetime of a magic link is 15 minutes by default and at most one day', () => {
    expect(linkLifetimeSeconds({}, undefined)).toBe(900);
    expect(linkLifetimeSeconds({ expiresMinutes: 30 }, undefined)).toBe(1800);
    expect(linkLifetimeSeconds({ expiresMinutes: 30 }, 1440)).toBe(86_400);
    expect(() => linkLifetimeSeconds({}, 1441)).toThrow(
      refused('email_expiration: must be more than 0 and at most 1440 minutes'),
    );
  });

  test.each([[0], [-1], [Number.NaN], [Number.NEGATIVE_INFINITY]])(
    'a passcode lifetime of %s minutes is rejected',
    (minutes) => {
      expect(() => readLifetime('expires_in', minutes, 60)).toThrow(
        refused('expires_in: must be more than 0 and at most 60 minutes'),
      );
    },
  );
});

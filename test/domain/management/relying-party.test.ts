import { describe, expect, test } from '@jest/globals';
import {
  applyApplicationFields,
  toApplicationRecord,
} from '../../../shared/domain/management/application-record.ts';
import { toRelyingParty } from '../../../shared/domain/passkeys/relying-party.ts';
import type { ApplicationFields } from '../../../shared/ports/directory.ts';
import { someApplication, T } from '../../support/server/records.ts';

const set = (fields: ApplicationFields, application = someApplication()) =>
  applyApplicationFields(application, fields, T);
const settings = { browserOrigin: 'https://login.example.com' };
const android = `android:apk-key-hash:${'A'.repeat(43)}`;
const android_apps = [
  { package_name: 'com.example.shop', sha256_cert_fingerprints: [Array(32).fill('00').join(':')] },
];

describe('RP ID and origins of an application', () => {
  test('by default, the RP ID is the host of the hosted pages', () => {
    expect(toRelyingParty(someApplication(), settings)).toEqual({
      rpId: 'login.example.com',
      origins: ['https://login.example.com'],
    });
  });

  test('the operator can set the RP ID and the origins of an application', () => {
    const application = set({
      rp_id: 'example.com',
      origins: ['https://shop.example.com', android],
      android_apps,
    });
    expect(toRelyingParty(application, settings)).toEqual({
      rpId: 'example.com',
      origins: ['https://shop.example.com', android, 'https://login.example.com'],
    });
    const cleared = set({ rp_id: null, origins: null }, application);
    expect(cleared).not.toHaveProperty('rpId');
    expect(cleared).not.toHaveProperty('origins');
  });

  test('the RP ID of an application with passkeys cannot be changed', () => {
    const fixed = someApplication({ fixedRpId: 'login.example.com' });
    expect(set({ rp_id: 'login.example.com' }, fixed).rpId).toBe('login.example.com');
    for (const rp_id of ['example.com', null])
      expect(() => set({ rp_id }, fixed)).toThrow('rp_id: is login.example.com and cannot change');
    expect(toApplicationRecord(fixed).rp_id).toBe('login.example.com');
    expect(set({ name: 'Shop' }, fixed)).toMatchObject({ name: 'Shop', fixedRpId: 'login.example.com' });
    expect(toRelyingParty(fixed, { browserOrigin: 'https://moved.example' }).rpId).toBe('login.example.com');
  });

  test('an Android origin needs an app with its certificate', () => {
    const needed = `origins.0: needs an app in android_apps with the certificate ${Array(32).fill('00').join(':')}`;
    expect(() => set({ origins: [android] })).toThrow(needed);
    const stored = someApplication({ origins: [android] });
    expect(() => set({ android_apps: [] }, stored)).toThrow(needed);
    // An origin that was stored without an app stays valid while neither list changes.
    expect(set({ name: 'Shop' }, stored).origins).toEqual([android]);
  });

  test.each([
    ['Example.com'],
    ['https://example.com'],
    ['example.com:8443'],
    ['203.0.113.7'],
    ['-a.example'],
    ['a..b'],
    ['a/b'],
    ['.'],
  ])('the RP ID %s is rejected', (rp_id) => {
    expect(() => set({ rp_id })).toThrow('rp_id: must be a host name');
  });

  test.each([
    ['https://shop.example/'],
    ['https://shop.example/path'],
    ['https://SHOP.example'],
    ['https://shop.example:443'],
    ['http://shop.example'],
    ['http://localhost.evil.example'],
    ['https://user@shop.example'],
    ['android:apk-key-hash:short'],
    ['ios:bundle'],
    ['null'],
    ['*'],
  ])('the relying party rejects the origin %s', (origin) => {
    expect(() => set({ origins: ['https://a.example', origin] })).toThrow(
      'origins.1: must be an https origin',
    );
  });

  test("a relying party may have at most five origins outside of its RP ID's domain", () => {
    const outside = Array.from({ length: 6 }, (_, n) => `https://shop-${n}.example`);
    const below = Array.from({ length: 6 }, (_, n) => `https://shop-${n}.example.com`);
    expect(() => set({ rp_id: 'example.com', origins: outside })).toThrow(
      'at most 5 hosts outside the RP ID',
    );
    const origins = [...outside.slice(1), ...below, 'http://localhost:3000', android];
    expect(set({ rp_id: 'example.com', origins, android_apps }).origins).toEqual(origins);
  });
});

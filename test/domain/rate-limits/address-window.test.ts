import { describe, expect, test } from '@jest/globals';
import { countAddress, countMaybeSignUp } from '../../../shared/domain/rate-limits/address-window.ts';
import type { Windows } from '../../../shared/ports/windows.ts';
import { someApplication, someTenant, T } from '../../support/server/records.ts';

const application = someApplication({ applicationId: 'app' });
const tenant = someTenant({ salt: Buffer.alloc(32, 1).toString('base64url') });

/** Returns the key of the rate limit window in which a request from the IP address is counted. */
async function countedWindow(address: string, caller = { tenant, application }): Promise<string> {
  let counted = '';
  const windows: Windows = {
    async count(key) {
      counted = key;
      return { admitted: true, exhausted: false, fill: 0.5 };
    },
    async confirm() {},
    async uncount() {},
  };
  await countAddress({ windows }, { ...caller, settings: { rateLimits: 'on' }, now: T }, address);
  return counted;
}

test('requests from one IP address can trigger at most 300 messages a minute and 3,000 a day', async () => {
  const counted: unknown[] = [];
  const windows: Windows = {
    async count(key, limits) {
      counted.push([key.split('#', 1)[0], limits]);
      return { admitted: true, exhausted: false, fill: 0.5 };
    },
    async confirm() {},
    async uncount() {},
  };
  const sender = { tenant, application, settings: { rateLimits: 'on' }, now: T } as const;
  await countAddress({ windows }, sender, '192.0.2.1');
  for (const isSignUp of [true, false]) await countMaybeSignUp({ windows }, sender, '192.0.2.1', isSignUp);
  expect(counted).toEqual([
    [
      'address',
      [
        { seconds: 60, max: 300 },
        { seconds: 86_400, max: 3000 },
      ],
    ],
    ['address-sign-ups', [{ seconds: 60, max: 100 }]],
    ['address-users', [{ seconds: 60, max: 100 }]],
  ]);
});

describe('rate limits per IP address', () => {
  test('a rate limit key contains a salted hash instead of the IP address', async () => {
    const window = await countedWindow('192.0.2.1');
    expect(window).toMatch(/^address#app#[\w-]{43}$/);
    expect(await countedWindow('192.0.2.2')).not.toBe(window);
    const elsewhere = { tenant: someTenant({ salt: 'other' }), application };
    expect(await countedWindow('192.0.2.1', elsewhere)).not.toBe(window);
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['2001:db8::1', '2001:0db8:0:0:5::1'],
    ['2001:DB8:1:2::', '2001:db8:1:2:3:4:5:6'],
    ['::1', '::2'],
    ['fe80::1%eth0', 'fe80::2%eth1'],
    ['192.0.2.1', '::ffff:192.0.2.1'],
    ['192.0.2.1', '::ffff:c000:201'],
  ])(
    'the IP addresses %s and %s share a rate limit, because they are in the same network',
    async (one, other) => {
      expect(await countedWindow(one)).toBe(await countedWindow(other));
    },
  );

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8:1::1', '2001:db8:2::1'],
    ['2001:db8:1::1', '2002:db8:1::1'],
    ['unknown', 'unix:'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  ])(
    'the IP addresses %s and %s have separate rate limits, because they are in different networks',
    async (one, other) => {
      expect(await countedWindow(one)).not.toBe(await countedWindow(other));
    },
  );
});

test('with rate limits off, requests per IP address are not counted', async () => {
  const windows: Windows = {
    count: () => Promise.reject(new Error('counted')),
    async confirm() {},
    async uncount() {},
  };
  await countAddress(
    { windows },
    { tenant, application, settings: { rateLimits: 'off' }, now: T },
    '192.0.2.1',
  );
});

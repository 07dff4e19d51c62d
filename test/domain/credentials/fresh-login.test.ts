import { describe, expect, test } from '@jest/globals';
import { countsBesideOthers, lackForBinding } from '../../../shared/domain/credentials/fresh-login.ts';
import type { AuthenticationMethod } from '../../../shared/ports/flows.ts';
import { someApplication, someUser } from '../../support/server/records.ts';

const NOW = 1_000_000;
const verified = (value: string) => ({ value, verified: true });
const mailbox = { email: verified('a@example.com') };
const number = { phoneNumber: verified('+12015550100') };
const risk = { signal: 'sim_swap', observedAt: 0, reportedAt: 0 } as const;

type Proof = readonly [AuthenticationMethod, age?: number, alone?: 'alone'];

function lack(
  user: Parameters<typeof someUser>[0],
  proofs: readonly Proof[],
  change: Parameters<typeof someApplication>[0] = {},
) {
  return lackForBinding({
    user: someUser(user),
    application: someApplication({ loginPreferences: { link: {}, email: {}, sms: {} }, ...change }),
    rpId: 'example.com',
    passkeys: [],
    proofs: proofs.map(([method, age = 0, alone]) => ({ method, at: NOW - age, alone: alone !== undefined })),
    at: NOW,
  });
}

describe('a login that binds', () => {
  test.each<[string, Parameters<typeof someUser>[0], Proof[], ReturnType<typeof lack>]>([
    ['nothing is proven', {}, [['webauthn']], undefined],
    ['the one kind', mailbox, [['eotp']], undefined],
    ['the one kind, a second too late', mailbox, [['eotp', 600]], 'login'],
    ['the one kind, in time', mailbox, [['eotp', 599]], undefined],
    ['another kind than the one', mailbox, [['social']], 'second-factor'],
    ['one of two', { ...mailbox, ...number }, [['eotp']], 'second-factor'],
    ['one of two, too late', { ...mailbox, ...number }, [['eotp', 600]], 'second-factor'],
    ['two methods of one kind', { ...mailbox, ...number }, [['eotp'], ['eml']], 'second-factor'],
    ['both', { ...mailbox, ...number }, [['eotp'], ['sms']], undefined],
    ['both, one too late', { ...mailbox, ...number }, [['eotp', 600], ['sms']], 'second-factor'],
    [
      'both, one unproven before',
      { ...mailbox, ...number },
      [['eotp'], ['sms', 0, 'alone']],
      'second-factor',
    ],
    ['a number at risk', { ...mailbox, phoneNumber: { ...number.phoneNumber, risk } }, [['eotp']], undefined],
    ['the code of a client, for one address', mailbox, [['otp']], undefined],
    ['the code of a client, for two', { ...mailbox, ...number }, [['otp']], 'second-factor'],
  ])('%s', (_title, user, proofs, expected) => {
    expect(lack(user, proofs)).toBe(expected);
  });

  test('needs no kind that the application does not offer', () => {
    expect(lack({ ...mailbox, ...number }, [['eotp']], { loginPreferences: { email: {} } })).toBeUndefined();
  });

  test('is as old as the application allows', () => {
    expect(lack(mailbox, [['eotp', 119]], { bindingMaxAgeSeconds: 120 })).toBeUndefined();
    expect(lack(mailbox, [['eotp', 120]], { bindingMaxAgeSeconds: 120 })).toBe('login');
  });
});

test.each<[AuthenticationMethod[], boolean]>([
  [[], false],
  [['eotp'], false],
  [['eotp', 'eml'], false],
  [['otp'], false],
  [['eotp', 'sms'], true],
  [['webauthn'], true],
])('a device key bound with %j counts beside others: %s', (boundWith, counts) => {
  expect(countsBesideOthers(boundWith)).toBe(counts);
});

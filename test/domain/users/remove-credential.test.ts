import { expect, test } from '@jest/globals';
import { toRemovalContext } from '../../../functions/account/own-account.ts';
import {
  removeAddress,
  removePasskey,
  unlinkIdentity,
  withoutAddress,
} from '../../../functions/account/remove-credential.ts';
import { BINDING_MAX_AGE_SECONDS, FORMER_ADDRESS_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { recordPasskeyRemoval } from '../../../shared/domain/trust/changes.ts';
import { identityName } from '../../../shared/domain/trust/names.ts';
import type { Passkey, User } from '../../../shared/ports/people.ts';
import {
  provenTrust,
  someAddress,
  someApplication,
  someSession,
  someTenant,
  someUse,
  someUser,
  T,
} from '../../support/server/records.ts';

const google = { provider: 'google', subject: 'ann', ...provenTrust } as const;
const ann = someUser({
  ...{ email: someAddress('ann@example.com'), phoneNumber: someAddress('+12015550123') },
  identities: [google, { ...google, subject: 'second' }],
});

/** Creates ports that note each call in `calls`, and the context of a removal. */
function setUp(user: User = ann, maySignIn = true) {
  const calls: unknown[] = [];
  const passkeys = ['one', 'two'].map((credentialId) => ({ credentialId }) as Passkey);
  const ports = {
    userRecords: {
      find: async () => user,
      replace: async (_: User, next: User) => calls.push(['stored', next]) > 0,
    },
    identifierReservations: {
      release: async (...[, { value }]: [string, { value: string }]) => calls.push(['released', value]),
    },
    passkeyRecords: {
      listOf: async () => passkeys,
      remove: async (...call: unknown[]) => calls.push(['removed', ...call]) > 0,
    },
    sessions: { endAllOf: async (...call: unknown[]) => calls.push(['ended', ...call]) },
  } as never;
  const kept: (readonly string[])[] = [];
  const context = {
    ...{ tenant: someTenant({ tenantId: user.tenantId }), userId: user.userId, now: T },
    undoCondition: 'kind' as const,
    canStillLogIn: (_: User, rest: readonly Passkey[]) => {
      kept.push(rest.map(({ credentialId }) => credentialId));
      return maySignIn;
    },
  };
  return { calls, ports, context, kept };
}

const bySms = someUse({ method: 'sms', credential: 'phoneNumber' });

test.each([
  ['link', [someUse()]],
  ['link', [someUse(), { ...bySms, at: T - BINDING_MAX_AGE_SECONDS }]],
  ['kind', [someUse(), bySms]],
])('a removal can be undone with the condition %s after a login with %j', (undoCondition, methods) => {
  const context = { application: someApplication(), tenant: someTenant(), now: T };
  const account = { context, user: ann, session: someSession({ methods }) } as never;
  expect(toRemovalContext(account)).toMatchObject({ undoCondition, userId: ann.userId, now: T });
});

test('a removed passkey can be restored for seven days', async () => {
  const { calls, ports, context, kept } = setUp();
  expect(await removePasskey(ports, context, 'one')).toBe('removed');
  const [removal] = recordPasskeyRemoval(ann, 'one', 'kind', T).changes;
  expect(calls).toEqual([
    ['stored', expect.objectContaining({ changes: [{ ...removal, changeId: expect.any(String) }] })],
    ['removed', ann.userId, 'one', T + FORMER_ADDRESS_SECONDS],
  ]);
  expect(kept).toEqual([['two']]);
});

test.each([
  ['unknown', 'three', ann, true],
  ['unknown', 'one', recordPasskeyRemoval(ann, 'one', 'link', T), true],
  ['last', 'one', ann, false],
] as const)(
  'removing a passkey changes nothing if the passkey is %s (%s)',
  async (outcome, id, user, maySignIn) => {
    const { calls, ports, context } = setUp(user, maySignIn);
    expect(await removePasskey(ports, context, id)).toBe(outcome);
    expect(calls).toEqual([]);
  },
);

test('unlinking an account at a provider releases the account', async () => {
  const { calls, ports, context, kept } = setUp(recordPasskeyRemoval(ann, 'one', 'link', T));
  expect(await unlinkIdentity(ports, context, identityName(google))).toBe('removed');
  expect(calls).toEqual([
    ['stored', expect.objectContaining({ identities: ann.identities.slice(1), updatedAt: T })],
    ['released', 'ann'],
  ]);
  expect(kept).toEqual([['two']]);
});

test.each([
  ['unknown', 'another', true],
  ['last', identityName(google), false],
] as const)('unlinking an account changes nothing if the account is %s', async (outcome, name, maySignIn) => {
  const { calls, ports, context } = setUp(ann, maySignIn);
  expect(await unlinkIdentity(ports, context, name)).toBe(outcome);
  expect(calls).toEqual([]);
});

test('removing an address ends all other sessions before and after the change, and notifies the user in between', async () => {
  const { calls, ports, context } = setUp();
  const by = { ownSessionId: 'own', notify: () => void calls.push(['notified']) };
  expect(await removeAddress(ports, context, 'email', by)).toBe('removed');
  const ended = ['ended', ann.userId, T, 'own'];
  const { email: former, ...rest } = ann;
  const stored = {
    ...{ ...rest, updatedAt: T, formerEmails: [expect.any(String)], formerIdentifiers: [expect.any(Object)] },
    generations: { valid: [1, 2], highest: 2 },
    changes: [expect.objectContaining({ undoCondition: 'kind', what: { attribute: 'email', former } })],
  };
  expect(calls).toEqual([ended, ['stored', stored], ['released', 'ann@example.com'], ['notified'], ended]);
});

test.each([
  ['unknown', someUser({ username: 'ann' }), true],
  ['last', ann, false],
  ['last', someUser({ email: someAddress('ann@example.com') }), true],
] as const)('removing an address changes nothing if the address is %s', async (outcome, user, maySignIn) => {
  const { calls, ports, context } = setUp(user, maySignIn);
  const by = { ownSessionId: 'own', notify: () => void calls.push(['notified']) };
  expect(await removeAddress(ports, context, 'email', by)).toBe(outcome);
  expect(calls).toEqual([]);
  expect(withoutAddress(user, 'email', [], context.canStillLogIn) === undefined).toBe(outcome === 'last');
});

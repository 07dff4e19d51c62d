import { describe, expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { PROVEN_GENERATIONS } from '../../../shared/domain/trust/generations.ts';
import { reportPhoneRisk } from '../../../shared/domain/users/phone-risk.ts';
import { memberKey, userKey } from '../../../shared/dynamo/keys.ts';
import { membershipRecords, memberships } from '../../../shared/dynamo/people/memberships.ts';
import { sessionExchanges } from '../../../shared/dynamo/people/session-exchanges.ts';
import { userRecords, users } from '../../../shared/dynamo/people/users.ts';
import type { Table } from '../../../shared/dynamo/table.ts';
import type { CredentialChange, RecordedProof, User } from '../../../shared/ports/people.ts';
import type { Trust } from '../../../shared/ports/trust.ts';
import { atOnce } from '../../support/server/at-once.ts';
import {
  provenTrust,
  someAddress,
  someMembership,
  someTenant,
  someUser,
  T,
  unique,
} from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const email = someAddress('Ada@example.com', { standing: 'claimed' });
const change: Omit<CredentialChange, 'what'> = {
  ...{ changeId: 'c', changedAt: T, until: T + 9, linkFrom: T + 5 },
  ...{ validBefore: [1], undoCondition: 'link' },
};
const trust: Trust = { ...provenTrust, since: T + 3 };

describeStore('users in the table `people`', (store) => {
  const known = () => users(store().table('people'));
  const records = () => userRecords(store().table('people'));
  const members = () => membershipRecords(store().table('people'));

  async function stored(change: Partial<User> = {}): Promise<User> {
    const user = someUser(change);
    expect(await records().put(user)).toBe(true);
    return user;
  }

  test('removing a user also removes an item that is written in the meantime', async () => {
    const { userId } = await stored();
    const table = store().table('people');
    const late = { ...memberKey(userId, 'late'), tenant_id: 'tenant' };
    const between: Table = {
      ...table,
      async remove(key, options) {
        if (key.sk === userKey(userId).sk) await table.put(late);
        return table.remove(key, options);
      },
    };
    expect(await userRecords(between).remove(userId)).toBe(true);
    expect(await table.query(late.pk)).toEqual([]);
  });

  test('a stored user is read back unchanged', async () => {
    const user = await stored({
      email,
      phoneNumber: someAddress('+12015550100', {
        undeliverable: { reason: 'bounce', since: T },
        risk: { signal: 'other', reason: 'r', observedAt: T, reportedAt: T + 1 },
      }),
      username: 'ada',
      externalIds: [{ applicationId: 'app', value: 'e-1' }],
      customIdentifiers: [{ type: 'badge', value: 'B 1' }],
      firstName: 'Ada',
      lastName: 'Lovelace',
      picture: 'https://example.com/a.png',
      language: 'en',
      groups: ['staff'],
      roles: ['organizationAdmin'],
      customAppData: {
        big: 1e300,
        empty: '',
        nothing: null,
        list: [[[1, 'a', {}]]],
        deep: JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`),
        lone: '\ud800',
      },
      identities: [{ provider: 'google', issuer: 'https://i/', subject: '1', ...provenTrust, scope: 'app' }],
      generations: { valid: [1, 4], highest: 5 },
      applications: ['app', 'side'],
      formerEmails: ['hash'],
      formerIdentifiers: [{ hash: 'hash', until: T }],
      changes: [
        { ...change, what: { attribute: 'email', former: email } },
        { ...change, undoCondition: 'kind', what: { attribute: 'phoneNumber' } },
        { ...change, undoCondition: 'none', what: { attribute: 'passkey', credentialId: 'id' } },
      ],
      recovery: { cause: 'risk', kinds: ['phone', 'passkey'], since: T, effectiveAt: T + 1, endsAt: T + 2 },
      erasure: { erasureId: 'e', requestedAt: T, effectiveAt: T + 1, hasBegun: false },
      isTest: true,
      lastAuthAt: T,
      wrongGuesses: ['app#hash'],
    });
    expect(await known().find(user.userId)).toEqual(user);
    expect(await records().find(user.userId)).toEqual(user);
    expect(await known().find(unique('user'))).toBeUndefined();
  });

  test('only one of 20 concurrent writes creates a user with the same ID', async () => {
    const user = someUser();
    const puts = await Promise.all(Array.from({ length: 20 }, () => records().put({ ...user })));
    expect(puts.filter(Boolean)).toHaveLength(1);
  });

  test('an update is rejected if a session of the user was migrated after the user record was read', async () => {
    const user = await stored();
    const [before, exchanges] = [
      await records().find(user.userId),
      sessionExchanges(store().table('people')),
    ];
    expect(await exchanges.record(user, T, 'holder')).toBe(true);
    const between = await records().find(user.userId);
    await exchanges.remove(user.userId, 'holder');
    for (const read of [before, between])
      expect(await records().replace(read as User, { ...user, firstName: 'Ada' })).toBe(false);
    expect(await records().find(user.userId)).toEqual(user);
  });

  test('only one of 10 concurrent updates to the same user version is stored', async () => {
    const { userId } = await stored();
    const edits = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const user = await records().find(userId);
        return user && { user, next: { ...user, firstName: `Name ${n}` } };
      }),
    );
    const written = await Promise.all(edits.map((edit) => edit && records().replace(edit.user, edit.next)));
    expect(written.filter(Boolean)).toHaveLength(1);
  });

  test('N119 an SMS login is rejected if the phone number is flagged as at risk', async () => {
    const [number, other] = ['+12015550100', '+12015550101'];
    const risk = { signal: 'sim_swap', reason: 'r', observedAt: T - 5, reportedAt: T } as const;
    const { userId } = await stored({
      email,
      phoneNumber: someAddress(number, { standing: 'claimed', risk }),
      status: 'Pending',
    });
    const login = { userId, at: T + 1, generations: PROVEN_GENERATIONS };
    const byText = { ...login, proven: { attribute: 'phoneNumber', value: number, trust } as const };
    expect(await known().recordLogin(byText)).toBe(false);
    expect(await known().find(userId)).toMatchObject({
      status: 'Pending',
      phoneNumber: { standing: 'claimed', risk },
    });
    const proven = { attribute: 'email', value: email.value, trust } as const;
    expect(await known().recordLogin({ ...login, proven })).toBe(true);
    // A code for another number, such as a previous number of the user, is not affected by the flag on the current number.
    expect(await known().recordLogin({ ...byText, proven: { ...byText.proven, value: other } })).toBe(true);
    const { userId: without } = await stored();
    expect(await known().recordLogin({ ...byText, userId: without })).toBe(true);
    expect(await known().find(userId)).toMatchObject({
      email: { standing: 'proven' },
      phoneNumber: { risk },
    });
  });

  test('N119 an SMS login is not recorded if the phone number was flagged as at risk during the login', async () => {
    const value = '+12015550100';
    const { userId } = await stored({ phoneNumber: someAddress(value) });
    const proven = { attribute: 'phoneNumber', value } as const;
    const tenant = someTenant({ tenantId: (await records().find(userId))?.tenantId ?? '' });
    const logins = Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        known().recordLogin({ userId, generations: PROVEN_GENERATIONS, at: T + n, proven }),
      ),
    );
    const ports = { userRecords: records(), membershipRecords: members() };
    await reportPhoneRisk(ports, { tenant, userId }, { signal: 'sim_swap' }, nowSeconds());
    expect(await known().recordLogin({ userId, generations: PROVEN_GENERATIONS, at: T + 99, proven })).toBe(
      false,
    );
    await logins;
    expect((await known().find(userId))?.phoneNumber?.risk?.signal).toBe('sim_swap');
  });

  test('an update is rejected if the user has logged in after the user record was read', async () => {
    const { userId } = await stored({ status: 'Pending' });
    const before = (await records().find(userId)) as User;
    await known().recordLogin({ userId, generations: PROVEN_GENERATIONS, at: T + 1 });
    expect(await records().replace(before, { ...before, firstName: 'Ada' })).toBe(false);
    const later = (await records().find(userId)) as User;
    await known().noteWrongGuess(userId, 'app#hash');
    expect(await records().replace(later, { ...later, firstName: 'Ada' })).toBe(false);
    const last = (await records().find(userId)) as User;
    expect(last).toMatchObject({ status: 'Active', lastAuthAt: T + 1, wrongGuesses: ['app#hash'] });
    await records().remove(userId);
    expect(await records().replace(last, last)).toBe(false);
  });

  test('a user record can be replaced only if it was read from the table `people`', async () => {
    const user = await stored();
    await expect(records().replace({ ...user }, user)).rejects.toThrow('read from the store');
  });

  describe('recording logins in the user record', () => {
    test('a login makes a pending user active', async () => {
      const { userId } = await stored({ status: 'Pending', email });
      expect(await known().recordLogin({ userId, generations: PROVEN_GENERATIONS, at: T + 5 })).toBe(true);
      expect(await known().find(userId)).toMatchObject({ status: 'Active', lastAuthAt: T + 5, email });
    });

    test('a login stores the new trust level of the address that it verifies', async () => {
      const phoneNumber = someAddress('+12015550100', { standing: 'claimed' });
      const { userId } = await stored({ email, phoneNumber });
      const prove = (proven: RecordedProof) =>
        known().recordLogin({ userId, generations: PROVEN_GENERATIONS, at: T, proven });
      const byText = { attribute: 'phoneNumber', value: phoneNumber.value } as const;
      expect(await prove({ attribute: 'email', value: email.value, trust })).toBe(true);
      expect(await prove(byText)).toBe(true);
      const generations = PROVEN_GENERATIONS;
      expect(await known().find(userId)).toMatchObject({
        generations,
        email: { ...email, ...trust },
        phoneNumber,
      });
      expect(await prove({ ...byText, trust })).toBe(true);
      expect((await known().find(userId))?.phoneNumber).toEqual({ ...phoneNumber, ...trust });
    });

    test('at most two applications are recorded for a user', async () => {
      const { userId } = await stored();
      await known().recordLogin({ userId, generations: PROVEN_GENERATIONS, at: T });
      expect((await known().find(userId))?.applications).toEqual([]);
      await atOnce(8, (n) =>
        known().recordLogin({
          userId,
          generations: PROVEN_GENERATIONS,
          at: T,
          application: n % 2 ? 'app' : 'side',
        }),
      );
      expect((await known().find(userId))?.applications.toSorted()).toEqual(['app', 'side']);
    });

    test('a login with a code to a previous address does not verify the current address', async () => {
      const changed = await stored({ email: { ...email, value: 'new@example.com' } });
      const none = await stored({ status: 'Pending' });
      for (const { userId } of [changed, none]) {
        const proven = { attribute: 'email', value: email.value, trust } as const;
        expect(
          await known().recordLogin({ userId, generations: PROVEN_GENERATIONS, at: T + 5, proven }),
        ).toBe(true);
      }
      expect(await known().find(changed.userId)).toMatchObject({
        lastAuthAt: T + 5,
        email: { standing: 'claimed' },
      });
      expect(await known().find(none.userId)).toMatchObject({ status: 'Active', lastAuthAt: T + 5 });
      expect(await known().find(none.userId)).not.toHaveProperty('email');
    });

    test('a login by a disabled user is not recorded', async () => {
      const { userId } = await stored({ status: 'Disabled', email });
      const proven = { attribute: 'email', value: email.value } as const;
      expect(await known().recordLogin({ userId, generations: PROVEN_GENERATIONS, at: T, proven })).toBe(
        false,
      );
      expect(await known().find(userId)).toMatchObject({ status: 'Disabled', email });
      expect(
        await known().recordLogin({ userId: unique('user'), generations: PROVEN_GENERATIONS, at: T, proven }),
      ).toBe(false);
    });

    test('a login deletes only wrong codes that were recorded before the login', async () => {
      const { userId } = await stored();
      await Promise.all(['app#1', 'app#2', 'app#1'].map((key) => known().noteWrongGuess(userId, key)));
      const off = (await known().find(userId))?.wrongGuesses ?? [];
      expect([...off].sort()).toEqual(['app#1', 'app#2']);
      await known().noteWrongGuess(userId, 'meanwhile');
      await known().recordLogin({ userId, generations: PROVEN_GENERATIONS, at: T, wrongGuesses: off });
      expect((await known().find(userId))?.wrongGuesses).toEqual(['meanwhile']);
      await known().recordLogin({ userId, generations: PROVEN_GENERATIONS, at: T });
      expect((await known().find(userId))?.wrongGuesses).toEqual(['meanwhile']);
      await known().recordLogin({
        userId,
        generations: PROVEN_GENERATIONS,
        at: T,
        wrongGuesses: ['meanwhile'],
      });
      expect(await known().find(userId)).not.toHaveProperty('wrongGuesses');
    });

    test('recording the same wrong code again does not make a user update fail', async () => {
      const { userId } = await stored();
      await known().noteWrongGuess(userId, 'app#1');
      const before = (await records().find(userId)) as User;
      await known().noteWrongGuess(userId, 'app#1');
      expect(await records().replace(before, { ...before, firstName: 'Ada' })).toBe(true);
    });

    test('a login with a code sent to an undeliverable address makes the address deliverable again', async () => {
      const user = await stored({ email });
      const { userId } = user;
      const marks = await Promise.all(
        (['bounce', 'complaint'] as const).map((reason, i) =>
          known().markUndeliverable(user, email.value, { reason, since: T + i }),
        ),
      );
      expect(marks).toEqual([true, true]);
      const first = (await known().find(userId))?.email?.undeliverable;
      // The mark that is stored first is not overwritten.
      expect([
        { reason: 'bounce', since: T },
        { reason: 'complaint', since: T + 1 },
      ]).toContainEqual(first);
      await known().recordLogin({ userId, generations: PROVEN_GENERATIONS, at: T });
      expect((await known().find(userId))?.email).toEqual({ ...email, undeliverable: first });
      await known().recordLogin({
        userId,
        generations: PROVEN_GENERATIONS,
        at: T,
        proven: { attribute: 'email', value: email.value },
      });
      expect((await known().find(userId))?.email).toEqual(email);
    });

    test('a bounce from a previous address does not mark the user’s current address as undeliverable', async () => {
      const user = await stored({ email: someAddress('ann@example.com') });
      const mark = { reason: 'bounce', since: T } as const;
      expect(await known().markUndeliverable(user, 'other@example.com', mark)).toBe(false);
      expect(await known().markUndeliverable(someUser(), 'ann@example.com', mark)).toBe(false);
      const before = (await records().find(user.userId)) as User;
      expect(await known().markUndeliverable(user, 'ann@example.com', mark)).toBe(true);
      expect(await records().replace(before, { ...before, firstName: 'Ada' })).toBe(false);
    });

    test('recording a wrong code for an unknown user does not create a user', async () => {
      const userId = unique('user');
      await known().noteWrongGuess(userId, 'app#hash');
      expect(await known().find(userId)).toBeUndefined();
    });
  });

  describe('storing organization memberships', () => {
    test('an organization membership of a user can be replaced and removed', async () => {
      const membership = someMembership();
      const { userId, organizationId } = membership;
      const puts = await Promise.all(Array.from({ length: 10 }, () => members().put(membership)));
      expect(puts.filter(Boolean)).toHaveLength(1);
      const next = { ...membership, roles: ['organizationAdmin'], updatedAt: T + 1 };
      expect(await members().replace(next)).toBe(true);
      expect(await memberships(store().table('people')).find(userId, organizationId)).toEqual(next);
      expect(await members().remove(userId, organizationId)).toBe(true);
      expect(await members().remove(userId, organizationId)).toBe(false);
      expect(await members().replace(next)).toBe(false);
      expect(await members().find(userId, organizationId)).toBeUndefined();
    });

    test('the members of an organization are listed from the oldest to the newest membership', async () => {
      const organizationId = unique('org');
      const all = [3, 1, 2, 0, 4].map((n) => someMembership({ organizationId, createdAt: T + n }));
      await Promise.all([...all, someMembership()].map((membership) => members().put(membership)));
      const seen: number[] = [];
      let cursor: string | undefined;
      let pages = 0;
      do {
        const page = await members().listOfOrganization(organizationId, {
          limit: 2,
          ...(cursor && { cursor }),
        });
        expect(page.items.length).toBeLessThanOrEqual(2);
        seen.push(...page.items.map(({ createdAt }) => createdAt));
        cursor = page.nextCursor;
        pages += 1;
      } while (cursor !== undefined);
      expect(seen).toEqual([T, T + 1, T + 2, T + 3, T + 4]);
      expect(pages).toBe(3);
    });
  });

  test('erasing a user erases the memberships of the user', async () => {
    const user = await stored();
    const other = await stored();
    const mine = [1, 2, 3].map(() => someMembership({ userId: user.userId }));
    const theirs = someMembership({ userId: other.userId });
    await Promise.all([...mine, theirs].map((membership) => members().put(membership)));
    expect(await records().remove(user.userId)).toBe(true);
    expect(await store().table('people').query(`user#${user.userId}`)).toEqual([]);
    expect(await members().find(theirs.userId, theirs.organizationId)).toEqual(theirs);
    expect(await records().find(other.userId)).toEqual(other);
    expect(await records().remove(user.userId)).toBe(false);
  });

  test('repeating an interrupted user erasure removes the remaining items', async () => {
    const membership = someMembership();
    await members().put(membership);
    expect(await records().remove(membership.userId)).toBe(false);
    expect(await store().table('people').query(`user#${membership.userId}`)).toEqual([]);
  });
});

import { describe, expect, test } from '@jest/globals';
import {
  currentGeneration,
  reserveGeneration,
  supersedeEarlierGenerations,
  UNPROVEN_GENERATIONS,
} from '../../../shared/domain/trust/generations.ts';
import { addVerifiedAddress } from '../../../shared/domain/users/add-address.ts';
import { storeProvenCredentials } from '../../../shared/domain/users/store-proven-credentials.ts';
import { identifierReservations } from '../../../shared/dynamo/people/identifiers.ts';
import { passkeys } from '../../../shared/dynamo/people/passkeys.ts';
import { userRecords, users } from '../../../shared/dynamo/people/users.ts';
import type { RecordedProof, User } from '../../../shared/ports/people.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { PATIENT_MS, useLossyStore } from '../../support/server/lossy-store.ts';
import { provenTrust, someAddress, someTenant, someUse, someUser, T } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

const email = someAddress('ada@example.com', { standing: 'claimed', scope: 'app' });
const phoneNumber = someAddress('+12015550100', { standing: 'claimed', scope: 'app' });
const trust = { ...provenTrust, since: T + 1 };
const { generation: _, ...newGenerations } = supersedeEarlierGenerations(UNPROVEN_GENERATIONS, trust);
const byMail: RecordedProof = { attribute: 'email', value: email.value, trust, newGenerations };
const byText: RecordedProof = { attribute: 'phoneNumber', value: phoneNumber.value, trust, newGenerations };

describeStore('first verification of an address', (store) => {
  const known = () => users(store().table('people'));
  const records = () => userRecords(store().table('people'));

  async function stored(change: Partial<User> = {}): Promise<User> {
    const user = someUser({ email, phoneNumber, generations: UNPROVEN_GENERATIONS, ...change });
    expect(await records().put(user)).toBe(true);
    return user;
  }
  const found = async ({ userId }: User) => (await known().find(userId)) as User;
  const logIn = ({ userId, generations }: User, proven?: RecordedProof) =>
    known().recordLogin({ userId, at: T + 1, generations, proven });

  test('when a user first verifies an address, all other credentials of the user become invalid', async () => {
    const user = await stored();
    expect(await logIn(user, byMail)).toBe(true);
    expect(await found(user)).toEqual({
      ...user,
      ...{ generations: newGenerations, email: { ...email, ...trust }, lastAuthAt: T + 1 },
    });
  });

  test('the first verification of an address outside of a login does not record a login', async () => {
    const user = await stored({ status: 'Pending' });
    expect(await known().noteProof(user, byMail)).toBe(true);
    expect(await found(user)).toEqual({
      ...user,
      ...{ generations: newGenerations, email: { ...email, ...trust } },
    });
  });

  test('only one of 16 concurrent calls that verify a first email address or phone number of the same user succeeds', async () => {
    const user = await stored();
    const proofs = await atOnce(16, (n) =>
      n % 2 === 0 ? known().noteProof(user, byMail) : logIn(user, byText),
    );
    expect(proofs.filter(Boolean)).toHaveLength(1);
    const { email: mail, phoneNumber: number } = await found(user);
    expect([mail?.standing, number?.standing].toSorted()).toEqual(['claimed', 'proven']);
  });

  test('a login is rejected if the user first verifies an address after the login has read the user record', async () => {
    const user = await stored();
    const logins = atOnce(16, () => logIn(user));
    expect(await logIn(user, byMail)).toBe(true);
    await logins;
    const gone = { attribute: 'email', value: 'bob@example.com' } as const;
    for (const proven of [undefined, byMail, byText, gone]) expect(await logIn(user, proven)).toBe(false);
    expect(await known().noteProof(user, byText)).toBe(false);
    expect((await found(user)).phoneNumber).toEqual(phoneNumber);
    const { newGenerations: __, ...again } = byText;
    expect(await logIn(await found(user), again)).toBe(true);
  });

  test('an update is rejected if the user first verified an address after the user record was read', async () => {
    const user = await stored();
    const before = (await records().find(user.userId)) as User;
    expect(await known().noteProof(user, byMail)).toBe(true);
    expect(await records().replace(before, { ...before, firstName: 'Ada' })).toBe(false);
    const proven = (await records().find(user.userId)) as User;
    const { generation, ...generations } = reserveGeneration(proven.generations);
    const other = { ...phoneNumber, value: '+12015550101', generation };
    expect(await records().replace(proven, { ...proven, generations, phoneNumber: other })).toBe(true);
    expect(await logIn(proven)).toBe(false);
  });

  test('verifying an address that was removed does not verify the user’s current address', async () => {
    const user = await stored();
    const gone = { ...byMail, value: 'bob@example.com' };
    expect(await known().noteProof(user, gone)).toBe(false);
    expect(await logIn(user, gone)).toBe(true);
    expect(await found(user)).toEqual({ ...user, lastAuthAt: T + 1 });
  });

  test('N119 a phone number that is flagged as at risk cannot become the first verified address of a user', async () => {
    const risk = { signal: 'sim_swap', observedAt: T, reportedAt: T } as const;
    const erasure = { erasureId: 'e', requestedAt: T, effectiveAt: T + 9, hasBegun: false };
    for (const change of [
      { phoneNumber: { ...phoneNumber, risk } },
      { status: 'Disabled' },
      { erasure },
    ] as const) {
      const user = await stored(change);
      expect(await known().noteProof(user, byText)).toBe(false);
      expect(await logIn(user, byText)).toBe(false);
      expect(await found(user)).toEqual(user);
    }
  });

  test('a user cannot add a phone number in a login that began before the first verification of an address', async () => {
    const user = await stored();
    const generation = currentGeneration(user);
    expect(await known().noteProof(user, byMail)).toBe(true);
    const tenant = someTenant({ tenantId: user.tenantId });
    const ports = {
      userRecords: records(),
      identifierReservations: identifierReservations(store().table('people')),
      passkeys: passkeys(store().table('people')),
      sessions: { endAllOf: async () => 0 },
    };
    const login = {
      generation,
      trust,
      undoCondition: 'link',
      ownSessionId: undefined,
      isFactor: false,
    } as const;
    const who = { tenant, userId: user.userId };
    const adding = addVerifiedAddress(
      ports,
      who,
      { ...login, fields: { phone_number: '+12015550101' }, at: T },
      () => {},
    );
    await expect(adding).rejects.toMatchObject({ key: 'access_denied' });
    const use = someUse({ method: 'sms', credential: 'phoneNumber' });
    await storeProvenCredentials(ports, user, [{ use, trust }]);
    expect((await found(user)).phoneNumber).toEqual(phoneNumber);
    await storeProvenCredentials(ports, await found(user), [{ use, trust }]);
    expect((await found(user)).phoneNumber).toEqual({ ...phoneNumber, ...trust });
  });

  describe('lost DynamoDB responses when a user first verifies an address', () => {
    const { proxy, table } = useLossyStore(store, PATIENT_MS);

    test('verifying a first address succeeds if the DynamoDB response is lost', async () => {
      const [user, other] = [await stored(), await stored()];
      proxy().lose('UpdateItem', 'break');
      expect(await users(table('people')).noteProof(user, byMail)).toBe(true);
      expect(await users(table('people')).noteProof(user, byText)).toBe(false);
      proxy().lose('UpdateItem', 'break');
      const login = { userId: other.userId, at: T, generations: other.generations };
      expect(await users(table('people')).recordLogin({ ...login, proven: byMail })).toBe(true);
      expect(await users(table('people')).recordLogin({ ...login, proven: byText })).toBe(false);
    });

    test('only one of 16 concurrent calls that verify a user’s first address succeeds if DynamoDB responses are lost', async () => {
      const user = await stored();
      proxy().lose('UpdateItem', 'break', 5);
      const wins = await atOnce(16, (n) =>
        users(table('people')).noteProof(user, n % 2 === 0 ? byMail : byText),
      );
      expect(wins.filter(Boolean)).toHaveLength(1);
    });
  });
});

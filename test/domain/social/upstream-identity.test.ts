import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { IDENTITIES_MAX } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  connectIdentity,
  type LinkedTrust,
  linkIdentity,
  type ProvenIdentity,
  readIdentity,
  resolveIdentity,
} from '../../../shared/domain/social/upstream-identity.ts';
import { currentGeneration } from '../../../shared/domain/trust/generations.ts';
import type { Application, Tenant } from '../../../shared/ports/directory.ts';
import type { Ports } from '../../../shared/ports/index.ts';
import { makeUser } from '../../support/fixtures/directory.ts';
import { newEmail } from '../../support/fixtures/people.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { provenTrust, unique } from '../../support/server/records.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer();
let ports: Pick<
  Ports,
  | 'identifiers'
  | 'users'
  | 'userRecords'
  | 'identifierReservations'
  | 'sessions'
  | 'passkeyRecords'
  | 'deviceKeys'
  | 'applicationRecords'
  | 'tenantRecords'
>;
let whose: { readonly tenant: Tenant; readonly application: Application };

beforeAll(async () => {
  ports = await server.ports([
    'identifiers',
    'users',
    'userRecords',
    'identifierReservations',
    'sessions',
    'passkeyRecords',
    'deviceKeys',
    'applicationRecords',
    'tenantRecords',
  ]);
  const tenant = await ports.tenantRecords.find(server.environment.tenant_id);
  const application = await ports.applicationRecords.find(server.environment.app_id);
  if (!tenant || !application) throw new Error('the demo tenant is missing');
  whose = { tenant, application };
});

const always = async (): Promise<LinkedTrust> => ({
  ...{ account: provenTrust, address: provenTrust, newGenerations: undefined },
});

const proven = (email: string, subject = unique('subject')): ProvenIdentity =>
  readIdentity('google', undefined, { subject, email, emailVerified: true }, true);

const resolve = (identity: ProvenIdentity) =>
  resolveIdentity(
    ports,
    { ...whose, createNewUser: false, audit: () => {}, now: nowSeconds() },
    identity,
    always,
  );

describe('linking identity provider accounts by email address', () => {
  test('concurrent logins with one identity provider account link the account to the user only once', async () => {
    const email = newEmail();
    const { userId } = await makeUser(ports, whose.tenant, { email });
    const identity = proven(email);
    const people = await atOnce(8, () => resolve(identity).catch(() => undefined));
    expect(people.some((person) => person?.userId === userId)).toBe(true);
    for (const person of people) if (person) expect(person.userId).toBe(userId);
    const user = await ports.userRecords.find(userId);
    expect(user?.identities).toMatchObject([identity.identity]);
  });

  test('two concurrent logins can link two different identity provider accounts to the same user', async () => {
    const email = newEmail();
    const { userId } = await makeUser(ports, whose.tenant, { email });
    const [one, other] = [proven(email), proven(email)];
    await Promise.all([resolve(one), resolve(other)]);
    const user = await ports.userRecords.find(userId);
    expect(user?.identities.map(({ subject }) => subject).toSorted()).toEqual(
      [one.identity.subject, other.identity.subject].toSorted(),
    );
    for (const each of [one, other])
      expect(await resolve(each)).toMatchObject({
        userId,
      });
  });

  test('a linked identity provider account stays linked when its email address changes', async () => {
    const [email, later] = [newEmail(), newEmail()];
    const { userId } = await makeUser(ports, whose.tenant, { email });
    await makeUser(ports, whose.tenant, { email: later });
    const identity = proven(email);
    await resolve(identity);
    expect(await resolve(proven(later, identity.identity.subject))).toMatchObject({
      userId,
    });
  });
});

describe('effects of linking an identity provider account', () => {
  const newGenerations = { valid: [1], highest: 9 };

  test.each([
    ['without superseding credentials', undefined, 7, []],
    ['of a user who has never logged in', newGenerations, undefined, []],
    ['that supersedes the credentials of earlier logins', newGenerations, 7, ['user.reclaimed']],
  ])(
    'linking %s ends sessions and publishes events as expected',
    async (_, generations, lastAuthAt, events) => {
      const email = newEmail();
      const made = await makeUser(ports, whose.tenant, { email });
      if (lastAuthAt !== undefined) await ports.userRecords.replace(made, { ...made, lastAuthAt });
      const endAllOf = jest.fn(async () => 0);
      const audited: string[] = [];
      const answer = await resolveIdentity(
        { ...ports, sessions: { ...ports.sessions, endAllOf } },
        {
          ...{ ...whose, createNewUser: false, now: 7 },
          audit: (context) => void audited.push(...(context.events ?? [])),
        },
        proven(email),
        async () => ({ ...(await always()), newGenerations: generations }),
      );
      expect(answer).toMatchObject({ userId: made.userId, linked: true });
      expect(audited).toEqual(events);
      expect(endAllOf.mock.calls).toEqual(events.map(() => [made.userId, 7]));
    },
  );

  test('an account is not linked by a superseded email address', async () => {
    const email = newEmail();
    const made = await makeUser(ports, whose.tenant, { email });
    await ports.userRecords.replace(made, { ...made, generations: { valid: [2, 3], highest: 3 } });
    const identity = proven(email);
    expect(await resolve(identity)).toEqual({ userId: made.userId, toLink: identity, generation: 3 });
  });
});

describe('linking an identity provider account during changes to the user record', () => {
  const someone = async (accounts = 0) => {
    const email = newEmail();
    const made = await makeUser(ports, whose.tenant, { email });
    const identities = Array.from({ length: accounts }, () => ({
      ...proven(email).identity,
      ...provenTrust,
    }));
    const user = { ...made, identities };
    if (accounts > 0) await ports.userRecords.replace(made, user);
    return { email, user };
  };
  const countAccounts = async (userId: string) => (await ports.userRecords.find(userId))?.identities.length;
  const link = async ({ email, user }: Awaited<ReturnType<typeof someone>>) =>
    linkIdentity(ports, whose.tenant, user, {
      proven: proven(email),
      linking: await always(),
      at: nowSeconds(),
    });
  const connect = async (
    { email, user }: Awaited<ReturnType<typeof someone>>,
    generation = currentGeneration(user),
  ) =>
    connectIdentity(
      ports,
      whose.tenant,
      { userId: user.userId, generation, at: nowSeconds() },
      { ...proven(email), trust: provenTrust },
    );
  const taken = { key: 'provider_address_taken' };

  test('an identity provider account is not linked by an address that the user has just replaced', async () => {
    const { email, user } = await someone();
    const current = await ports.userRecords.find(user.userId);
    if (!current?.email) throw new Error('the user has no address');
    const other = { ...current, email: { ...current.email, value: newEmail() } };
    await ports.userRecords.replace(current, other);
    await expect(link({ email, user })).rejects.toMatchObject(taken);
    const { email: _, ...without } = other;
    await ports.userRecords.replace(other, without);
    await expect(link({ email, user })).rejects.toMatchObject(taken);
    expect(await countAccounts(user.userId)).toBe(0);
    const superseded = { ...current, generations: { ...user.generations, highest: 99 } };
    await ports.userRecords.replace(without, superseded);
    await expect(link({ email, user })).rejects.toMatchObject(taken);
    expect(await countAccounts(user.userId)).toBe(0);
  });

  test.each([
    ['linked', link],
    ['connected', connect],
  ])(
    'an identity provider account cannot be %s to a user with the maximum number of linked accounts',
    async (_, add) => {
      const person = await someone(IDENTITIES_MAX - 1);
      await add(person);
      expect(await countAccounts(person.user.userId)).toBe(IDENTITIES_MAX);
      await expect(add(person)).rejects.toMatchObject(taken);
      expect(await countAccounts(person.user.userId)).toBe(IDENTITIES_MAX);
    },
  );

  test.each([
    ['linked', link],
    ['connected', connect],
  ])('an identity provider account cannot be %s to a user who has just been disabled', async (_, add) => {
    const person = await someone();
    const current = await ports.userRecords.find(person.user.userId);
    if (!current) throw new Error('there is no user');
    await ports.userRecords.replace(current, { ...current, status: 'Disabled' });
    await expect(add(person)).rejects.toMatchObject({ key: 'user_not_active' });
    expect(await countAccounts(person.user.userId)).toBe(0);
  });

  test('an identity provider account that is connected twice belongs to the user once', async () => {
    const { email, user } = await someone();
    const account = { ...proven(email), trust: provenTrust };
    const asking = { userId: user.userId, generation: currentGeneration(user), at: nowSeconds() };
    for (const _ of [1, 2]) await connectIdentity(ports, whose.tenant, asking, account);
    expect(await countAccounts(user.userId)).toBe(1);
  });

  test("an identity provider account cannot be connected if the user's credentials became invalid during the login", async () => {
    const person = await someone();
    await expect(connect(person, currentGeneration(person.user) - 1)).rejects.toMatchObject({
      key: 'access_denied',
    });
    expect(await countAccounts(person.user.userId)).toBe(0);
  });
});

describe('unusable email addresses from identity providers', () => {
  const read = (emailVerified: boolean | undefined, isTrusted: boolean) =>
    readIdentity(
      'line',
      undefined,
      { subject: 's', email: 'Ann@Example.com', ...(emailVerified === undefined ? {} : { emailVerified }) },
      isTrusted,
    ).address;

  test.each<[boolean | undefined, boolean, boolean]>([
    [true, true, true],
    [undefined, true, true],
    [false, true, false],
    [true, false, false],
    [undefined, false, false],
  ])(
    'an email address with email_verified %s from a provider with trusted_for_email %s is proven (expected: %s)',
    (verified, trusted, counts) => {
      expect(read(verified, trusted)).toEqual({
        display: 'Ann@Example.com',
        key: 'ann@example.com',
        proven: counts,
      });
    },
  );

  test('an invalid email address from an identity provider is ignored', () => {
    const profile = { subject: 's', email: 'no address', emailVerified: true };
    expect(readIdentity('line', undefined, profile, true).address).toBeUndefined();
  });

  test.each(['zoë@example.com', 'ａnn@example.com'])(
    'the undeliverable email address %s from an identity provider is ignored',
    (email) => {
      const profile = { subject: 'x', email, emailVerified: true };
      expect(readIdentity('google', undefined, profile, true).address).toBeUndefined();
    },
  );
});

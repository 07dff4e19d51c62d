import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import {
  type ProvenIdentity,
  readIdentity,
  resolveIdentity,
} from '../../../shared/domain/social/upstream-identity.ts';
import { createUser } from '../../../shared/domain/users/create-user.ts';
import type { Application, Tenant } from '../../../shared/ports/directory.ts';
import type { Ports } from '../../../shared/ports/index.ts';
import { newEmail } from '../../support/fixtures/people.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { unique } from '../../support/server/records.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';

let server: TestServer;
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
  server = await startTestServer();
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
afterAll(() => server.stop());

const always = async () => ({});

const proven = (email: string, subject = unique('subject')): ProvenIdentity =>
  readIdentity('google', undefined, { subject, email, emailVerified: true }, true);

const ignore = () => {};

describe('linking an account to who has its address', () => {
  test('many at once: the account is linked once', async () => {
    const email = newEmail();
    const { userId } = await createUser(ports, whose.tenant, { email }, nowSeconds());
    const identity = proven(email);
    const people = await atOnce(8, () =>
      resolveIdentity(ports, whose, identity, false, always, nowSeconds(), ignore).catch(() => undefined),
    );
    expect(people.some((person) => person?.userId === userId)).toBe(true);
    for (const person of people) if (person) expect(person.userId).toBe(userId);
    const user = await ports.userRecords.find(userId);
    expect(user?.identities).toMatchObject([identity.identity]);
  });

  test('two accounts at once: both are', async () => {
    const email = newEmail();
    const { userId } = await createUser(ports, whose.tenant, { email }, nowSeconds());
    const [one, other] = [proven(email), proven(email)];
    await Promise.all([
      resolveIdentity(ports, whose, one, false, always, nowSeconds(), ignore),
      resolveIdentity(ports, whose, other, false, always, nowSeconds(), ignore),
    ]);
    const user = await ports.userRecords.find(userId);
    expect(user?.identities.map(({ subject }) => subject).toSorted()).toEqual(
      [one.identity.subject, other.identity.subject].toSorted(),
    );
    for (const each of [one, other])
      expect(await resolveIdentity(ports, whose, each, false, always, nowSeconds(), ignore)).toMatchObject({
        userId,
      });
  });

  test('one account and two users of its address and of itself: it stays with the first', async () => {
    const [email, later] = [newEmail(), newEmail()];
    const { userId } = await createUser(ports, whose.tenant, { email }, nowSeconds());
    await createUser(ports, whose.tenant, { email: later }, nowSeconds());
    const identity = proven(email);
    await resolveIdentity(ports, whose, identity, false, always, nowSeconds(), ignore);
    expect(
      await resolveIdentity(
        ports,
        whose,
        proven(later, identity.identity.subject),
        false,
        always,
        nowSeconds(),
        ignore,
      ),
    ).toMatchObject({
      userId,
    });
  });
});

describe('whether an address counts', () => {
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
  ])('verified %s, trusted %s: %s', (verified, trusted, counts) => {
    expect(read(verified, trusted)).toEqual({
      display: 'Ann@Example.com',
      key: 'ann@example.com',
      proven: counts,
    });
  });

  test('what is no address is none', () => {
    const profile = { subject: 's', email: 'no address', emailVerified: true };
    expect(readIdentity('line', undefined, profile, true).address).toBeUndefined();
  });
});

// A tenant with one application. The last test adds a second application.
import { expect, test } from '@jest/globals';
import { leftTo, readHeading } from '../support/fixtures/hosted-login.ts';
import { made } from '../support/fixtures/managed.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import {
  ACCOUNT,
  createApplicationWithClient,
  createClientFor,
  createNoticePages,
  createPeople,
  findMainApplication,
  readSub,
} from './people.ts';

const server = useTestServer({ rateLimits: 'off', events: true });
const main = findMainApplication(server);
const { withMail, readRecord, listPasskeys, replaceOnAccount, asOperator } = createPeople(server, main);
const { browser } = createNoticePages(server, main);

/** Calls every operation with which a backend manages a user, and then deletes the user. Returns the calls that failed. */
async function manage(userId: string): Promise<readonly (readonly [string, number])[]> {
  const token = await main.token();
  const path = `/v1/users/${userId}`;
  await main.registerFor(userId);
  const [passkey] = await listPasskeys(userId);
  const done: [string, number][] = [];
  for (const fields of [
    { email: newEmail() },
    { phone_number: newPhoneNumber() },
    { username: `name-${newEmail()}` },
    { custom_identifiers: [{ type: 'card', value: newEmail() }] },
    { external_user_id: newEmail() },
    { groups: ['staff'] },
    { status: 'Disabled' },
    { status: 'Active' },
  ])
    done.push([Object.keys(fields).join(), (await main.change(userId, fields)).status]);
  const risk = await main.put(`${path}/phone-risk`, { signal: 'sim_swap' });
  done.push(['risk', risk.status]);
  for (const each of [
    `${path}/phone-risk`,
    `${path}/locks`,
    `/v1/auth/users/${userId}/sessions`,
    `${path}/webauthn-credentials/${passkey?.credential_id}`,
    path,
  ])
    done.push([`DELETE ${each}`, (await server.delete(each, { token })).status]);
  return done.filter(([, status]) => status >= 300);
}

test("H11: a client of the tenant's only application can manage all users who have no administrative role", async () => {
  const ofAdmin = await made<{ user_id: string }>(server, '/v1/users', { email: newEmail() });
  const imported = newEmail('import');
  const otl = await otlWith(
    { OTL_ENDPOINT: server.url },
    ['user', 'import', '-', '--json'],
    `${JSON.stringify({ email: imported })}\n`,
  );
  expect(JSON.parse(otl.stdout)).toMatchObject({ created: 1, failed: 0 });
  const token = await main.token();
  const found = await server.get<{ result: { user_id: string } }>(`/v1/users/email/${imported}`, { token });
  const own = await withMail();
  for (const userId of [own.userId, ofAdmin.user_id, found.body.result.user_id])
    expect(await manage(userId)).toEqual([]);

  // A user who has an administrative role can be changed only by an operator.
  const { userId } = await withMail();
  await asOperator(userId, { roles: ['buyer'] });
  expect((await main.change(userId, { email: newEmail() })).status).toBe(403);
});

test('H13: a client can manage a user who has only non-administrative roles in an organization', async () => {
  const { org_id } = await made<{ org_id: string }>(server, '/v1/organizations', { name: 'Acme' });
  const recoverer = await createClientFor(server, main, ['users:recover']);
  const { userId } = await withMail();
  const member = { user_id: userId, roles: ['buyer', 'approver'] };
  await made(server, `/v1/organizations/${org_id}/members`, member);
  expect((await recoverer.put(`/v1/users/${userId}/recovery`, {})).status).toBe(200);
  expect(await manage(userId)).toEqual([]);
});

test("H10: if a user has two applications, a client's change is rejected with an error that names users:edit and the account page", async () => {
  const { email, userId } = await withMail();
  const side = await createApplicationWithClient(server);
  // Waits until no function has cached that the tenant has only one application.
  await server.advanceClock(61);
  const jar = browser();
  leftTo(await main.onPages(email, {}, jar));
  const { sub } = await side.claimsAt(await side.open(jar));
  expect(sub).toBe(userId);

  const before = await readRecord(userId);
  const { session_id } = (await main.byCode(email)).body;
  for (const more of [{}, { session_id }]) {
    const { status, body } = await main.change(userId, { email: newEmail(), ...more });
    expect([status, body.message]).toEqual([403, expect.stringMatching(/account page.*users:edit/s)]);
  }
  expect((await readRecord(userId)).email).toEqual(before.email);

  const manager = await createClientFor(server, main, ['users:edit']);
  const next = newEmail();
  expect((await manager.change(userId, { email: next, session_id })).status).toBe(200);
  expect(readSub(await main.byCode(next))).toBe(userId);
  const last = newEmail();
  expect(readHeading(await replaceOnAccount(await main.account(next), last))).toBe(ACCOUNT);
  expect(await readRecord(userId)).toMatchObject({ email: { value: last, email_verified: true } });
});

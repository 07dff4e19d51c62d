// The attacker has an admin's session whose login is half an hour old. With this session, calls that decide who can log in are
// rejected until the admin logs in again.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { createOperator, type Operator } from '../support/fixtures/operators.ts';
import { createProvenUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { storeMember } from '../support/fixtures/tenants.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

const server = useTestServer({ rateLimits: 'off', events: true });
const HALF_AN_HOUR = 1800;

let stale: Operator;
let fresh: Operator;
let otherAdmin: Operator;
beforeAll(async () => {
  stale = await createOperator(server, 'admin', { authTime: nowSeconds() - HALF_AN_HOUR });
  fresh = await createOperator(server, 'admin');
  otherAdmin = await createOperator(server, 'admin');
});

type Act = readonly [method: string, path: string, body?: object];
async function callAs(operator: Operator, [method, path, body]: Act): Promise<number> {
  const { status, headers } = await server.request(path, {
    method,
    headers: { ...operator.headers(), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (status === 401) expect(headers.get('www-authenticate')).toContain('max_age=600');
  return status;
}

/**
 * Checks that the call is rejected for an admin with an old login and accepted for an admin with a recent login, and that
 * another admin is notified of the accepted call.
 */
async function expectGuarded(act: Act): Promise<void> {
  const mails = async () => {
    await server.settleEvents();
    return (await server.messages({ to: otherAdmin.email })).length;
  };
  const before = await mails();
  expect([act, await callAs(stale, act)]).toEqual([act, 401]);
  expect(await mails()).toBe(before);
  expect([200, 201, 204]).toContain(await callAs(fresh, act));
  expect(await mails()).toBe(before + 1);
}

const person = async () =>
  (await createProvenUser(server, { email: newEmail(), phone_number: newPhoneNumber() })).user_id;
/** Creates a user with the role `organizationAdmin` in an organization. Returns the IDs of the user and the organization. */
async function powerful() {
  const userId = await person();
  const { organizationId } = await storeMember(server, { userId, roles: ['organizationAdmin'] });
  return { userId, organizationId };
}

describe('admin whose last login is not recent', () => {
  test.each([
    { client_document_hosts: ['agent.example.com'] },
    { public_signup: true },
    { enrol_second_factor: true },
    { binding_max_age_seconds: 3600 },
    { passcodes_across_clients: true },
  ])('an admin whose login is not recent cannot set the application field %p', async (body) => {
    await expectGuarded(['PUT', `/v1/applications/${server.environment.app_id}`, body]);
  });

  test.each([{ roles: ['editor'] }, { groups: ['staff'] }, { custom_identifiers: [] }])(
    'an admin whose login is not recent cannot set the user field %p',
    async (body) => {
      const userId = await person();
      await expectGuarded(['PUT', `/v1/users/${userId}`, body]);
      const made = { email: newEmail(), ...body };
      expect(await callAs(stale, ['POST', '/v1/users', made])).toBe(401);
    },
  );

  test('an admin whose login is not recent cannot appoint an organization administrator', async () => {
    const { organizationId, userId } = await powerful();
    const path = `/v1/organizations/${organizationId}/members`;
    const roles = ['organizationAdmin'];
    await expectGuarded(['POST', path, { user_id: await person(), roles }]);
    await expectGuarded(['PUT', `${path}/${userId}`, { roles: [] }]);
  });

  test.each([
    ['change the email address', () => ({ email: newEmail() })],
    ['change the phone number', () => ({ phone_number: newPhoneNumber() })],
    ['change the username', () => ({ username: newEmail().slice(0, 12) })],
    ['remove the phone number', () => ({ phone_number: null })],
  ])(
    'an admin without a recent login cannot %s of a user who has an administrative role',
    async (_what, body) => {
      const { userId } = await powerful();
      await expectGuarded(['PUT', `/v1/users/${userId}`, body()]);
      expect(await callAs(stale, ['PUT', `/v1/users/${await person()}`, body()])).toBe(200);
    },
  );

  test.each([
    ['PUT', 'recovery'],
    ['DELETE', 'locks'],
    ['DELETE', 'phone-risk'],
    ['DELETE', 'erasure'],
  ])(
    'an admin without a recent login cannot call %s /%s for a user who has an administrative role',
    async (method, what) => {
      const { userId } = await powerful();
      await expectGuarded([method, `/v1/users/${userId}/${what}`]);
    },
  );

  test('an admin without a recent login can suspend a user who has an administrative role', async () => {
    const { userId } = await powerful();
    expect(await callAs(stale, ['PUT', `/v1/users/${userId}`, { status: 'Disabled' }])).toBe(200);
    await expectGuarded(['PUT', `/v1/users/${userId}`, { status: 'Active' }]);
  });
});

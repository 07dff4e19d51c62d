import { beforeAll, describe, expect, test } from '@jest/globals';
import { operationNames } from '../../bin/otl/api/record-commands.ts';
import { operations } from '../../functions/operations.ts';
import { listAuth } from '../../shared/http/effective-ports.ts';
import { newPerson, registerPasskey } from '../support/fixtures/passkeys.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { newKey } from '../support/fixtures/proofs.ts';
import { tokensDirect } from '../support/fixtures/tokens.ts';
import { otlAt } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

// Tests of the otl commands that call the HTTP API.

type Json = Readonly<Record<string, unknown>>;

/** Operations without their own command, because another command calls them. */
const ELSEWHERE = ['getLoginPreferences', 'updateLoginPreferences', 'ownOperator'];

test.each(
  Object.entries(operations).filter(
    ([name, row]) => (listAuth(row).includes('admin') || row.operators) && !ELSEWHERE.includes(name),
  ),
)('the API operation %s has an otl command', (name) => {
  const shared = name.replace('ManagementClient', 'Client');
  expect(operationNames()).toContain(shared);
});

describe('otl commands for sessions, passkeys and users', () => {
  const server = useTestServer({ rateLimits: 'off' });
  let admin: string;
  beforeAll(async () => {
    admin = await server.adminToken();
  });

  const { otl, json } = otlAt(server, '--json');
  const http = async (path: string) => (await server.get<Json>(path, { token: admin })).body;

  test('otl session can list and end the sessions of a user', async () => {
    const { user_id } = await createUser(server, { email: newEmail() });
    const { refresh_token } = await tokensDirect(server, user_id);
    const path = `/v1/auth/users/${user_id}/sessions`;
    const sessions = await json<Json[]>('session', 'list', '--user', user_id);
    expect(sessions).toHaveLength(1);
    expect(await http(path)).toEqual(sessions);
    expect((await otl('session', 'delete', '--user', user_id, '--yes')).code).toBe(0);
    expect(await http(path)).toEqual([]);
    const token = await server.clientToken();
    expect((await server.post('/v1/auth/token/refresh', { refresh_token }, { token })).status).toBe(400);
  });

  test('otl session end ends one session of a user and keeps the user’s other session', async () => {
    const { user_id } = await createUser(server, { email: newEmail() });
    const ends = await tokensDirect(server, user_id);
    const stays = await tokensDirect(server, user_id);
    const other = await json<{ tenant_id: string }>('tenant', 'create', '--name', 'Other');
    const foreign = await otl('session', 'end', ends.session_id, '--tenant', other.tenant_id);
    expect(foreign).toMatchObject({ code: 1, stderr: expect.stringContaining('not found') });
    expect((await otl('session', 'end', ends.session_id)).code).toBe(0);
    expect((await otl('session', 'end', ends.session_id)).code).toBe(1);
    const left = await http(`/v1/auth/users/${user_id}/sessions`);
    expect(left).toMatchObject([{ session_id: stays.session_id }]);
  });

  test('otl can list and remove passkeys and device keys of a user', async () => {
    const person = await newPerson(server);
    const user = ['--user', person.user.user_id];
    const { id } = await registerPasskey(server, person);
    const credential = id.toString('base64url');
    const path = `/v1/users/${person.user.user_id}/webauthn-credentials`;
    expect(await http(path)).toEqual(await json('passkey', 'list', ...user));
    expect(await json('passkey', 'update', credential, ...user, '--name', 'Laptop')).toMatchObject({
      name: 'Laptop',
    });
    expect((await otl('passkey', 'delete', credential, ...user, '--yes')).code).toBe(0);
    expect(await http(path)).toEqual({ result: [] });
    expect((await otl('passkey', 'delete', credential, ...user, '--yes')).stderr).toContain('not found');

    // One in 64 IDs starts with a dash.
    for (const dashed of ['-iGQ7xk0Vw1bTq_Zr4mPdA', '--Q7xk0Vw1bTq_Zr4mPdA'])
      expect(await otl('passkey', 'delete', dashed, ...user, '--yes')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('not found'),
      });
    for (const foreign of ['--not-an-option', '--sms-per-30-days'])
      expect(await otl('passkey', 'delete', foreign, ...user, '--yes')).toMatchObject({ code: 2 });

    const own = { token: person.tokens.access_token };
    const key = { public_key: newKey().jwk, name: 'Phone' };
    expect((await server.post('/v1/auth/device-keys', key, own)).status).toBe(201);
    const keys = await json<{ result: Json[] }>('device-key', 'list', ...user);
    expect((await server.get<Json>('/v1/auth/device-keys', own)).body).toEqual(keys);
    const [{ key_id } = {}] = keys.result;
    expect((await otl('device-key', 'delete', String(key_id), ...user, '--yes')).code).toBe(0);
    expect(await json('device-key', 'list', ...user)).toEqual({ result: [] });
  });

  test('otl can find users by email address and by group', async () => {
    const group = `group-${newEmail()}`;
    const email = newEmail('Searched');
    await createUser(server, { email, groups: [group] });
    await createUser(server, { email: newEmail(), groups: [group] });
    const found = await json<{ result: Json[] }>(
      'user',
      'list',
      '--search',
      email.toUpperCase(),
      '--group',
      group,
    );
    expect(found.result).toMatchObject([{ email: { value: email } }]);
    expect(await http(`/v1/users?q=${encodeURIComponent(email)}&group=${encodeURIComponent(group)}`)).toEqual(
      found,
    );
    expect(await json('user', 'list', '--group', group, '--status', 'Disabled')).toEqual({ result: [] });
    expect((await otl('user', 'list', '--status', 'Gone')).code).toBe(1);

    const uri = 'https://api.example.com/parity';
    const ttls = ['--access-token-ttl', '600', '--refresh-token-ttl', '3600', '--max-refresh-rotate', '7200'];
    const resource = await json('resource', 'create', '--name', 'Parity', '--uri', uri, ...ttls);
    expect(await json('resource', 'show', '--uri', uri)).toEqual(resource);
    expect((await otl('resource', 'show')).code).toBe(2);
  });
});

import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ environment: { LOG_LEVEL: 'info' } });
let token: string;
let admin: string;
const printed: string[] = [];

beforeAll(async () => {
  token = await server.clientToken();
  admin = await server.adminToken();
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed.push(String(chunk));
    return true;
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
});

const lastLine = () => JSON.parse(printed.at(-1) ?? '') as Readonly<Record<string, unknown>>;

const calls: readonly (readonly [string, (id: string) => Promise<unknown>])[] = [
  ['users/update-user', (id) => server.put(`/v1/users/${id}`, {}, { token })],
  ['users/delete-user', (id) => server.delete(`/v1/users/${id}`, { token })],
  ['sessions/list-sessions', (id) => server.get(`/v1/auth/users/${id}/sessions`, { token })],
  ['sessions/end-sessions', (id) => server.delete(`/v1/auth/users/${id}/sessions`, { token })],
  ['resources/get-resource', (id) => server.get(`/v1/resources/${id}`, { token })],
  ['management/get-application', (id) => server.get(`/v1/applications/${id}`, { token: admin })],
  ['management/get-client', (id) => server.get(`/v1/applications/x/clients/${id}`, { token: admin })],
  [
    'sessions/authenticate-session',
    (id) => server.post('/v1/auth/session/authenticate', { session_id: `${id}.x` }, { token }),
  ],
];

test.each(calls)(
  'N127: an address in the place of an ID is not told by the line of %s',
  async (event, call) => {
    for (const address of ['canary.person@mail.example', '+12015550147']) {
      await call(address);
      expect(lastLine()).toMatchObject({ event, result: expect.not.stringMatching(/^ok$/) });
      expect(printed.join('')).not.toContain(address);
    }
  },
);

test('an ID is told', async () => {
  const { user_id } = await createUser(server, { email: newEmail() });
  await server.delete(`/v1/users/${user_id}`, { token });
  expect(lastLine()).toMatchObject({ event: 'users/delete-user', result: 'ok', user_id });
});

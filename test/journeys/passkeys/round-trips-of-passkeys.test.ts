import { beforeAll, describe, expect, test } from '@jest/globals';
import { signByDeviceKey } from '../../support/fixtures/device-keys.ts';
import { hostedLogin } from '../../support/fixtures/hosted-login.ts';
import {
  newPerson,
  originOf,
  type Person,
  type RequestAnswer,
  register,
  registerPasskey,
  startLogin,
  startRegistration,
} from '../../support/fixtures/passkeys.ts';
import { createProvenUser } from '../../support/fixtures/people.ts';
import { depthOf, type Prepare } from '../../support/server/depth.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { createPasskey, usePasskey } from '../../support/tools/software-authenticator.ts';

/** As in round-trips.test.ts: the longest chains of AWS calls of passkeys and approvals, on a warm container. */

const server = useTestServer({ rateLimits: 'off' });
let token: string;

beforeAll(async () => {
  token = await server.clientToken();
});

const approval_data = { amount: '5' };
const post = (path: string, fields: object) => server.post(path, fields, { token });

/** The page of a login, and what its script asks for. */
async function hostedPage() {
  const jar = hostedLogin(server).browser();
  const { client_id, redirect_uris } = server.environment;
  const query = new URLSearchParams({ client_id, redirect_uri: redirect_uris[0] ?? '' });
  const page = await jar.open(`${server.environment.base_url}/v1/auth/webauthn?${query}`);
  const path = /data-options="([^"]*)"/.exec(page.html)?.[1] ?? '';
  const body = new URLSearchParams({ csrf: /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '' });
  return { jar, page, ask: () => jar.request(path, { method: 'POST', body }) };
}

const cases: readonly (readonly [string, string, number, number, Prepare<Person>])[] = [
  [
    'a registration opened',
    'startPasskeyRegistration',
    200,
    3,
    async ({ tokens }) =>
      () =>
        server.post('/v1/auth/webauthn/register/start', {}, { token: tokens.access_token }),
  ],
  [
    'a passkey registered',
    'registerPasskey',
    200,
    6,
    async (person) => {
      const { result } = createPasskey(await startRegistration(server, person), originOf(server));
      return () => register(server, person, result);
    },
  ],
  ['a login opened', 'startPasskeyLogin', 200, 1, async () => () => startLogin(server, { approval_data })],
  [
    'a login by passkey',
    'authenticatePasskey',
    200,
    5,
    async (person) => {
      const passkey = await registerPasskey(server, person);
      const { body } = await startLogin(server, { approval_data });
      const result = usePasskey(passkey, body, originOf(server));
      return () => post('/v1/auth/webauthn/authenticate', { webauthn_encoded_result: result });
    },
  ],
  ['options on a page', 'loginPasskeyOptions', 200, 2, async () => (await hostedPage()).ask],
  [
    'a login by passkey on a page',
    'loginPasskey',
    303,
    9,
    async (person) => {
      const passkey = await registerPasskey(server, person);
      const { jar, page, ask } = await hostedPage();
      const options = (await (await ask()).json()) as RequestAnswer;
      const [, action = ''] = /<form method="post" action="(\/passkey\/[^"]*)"/.exec(page.html) ?? [];
      const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
      const body = new URLSearchParams({ csrf, credential: usePasskey(passkey, options, originOf(server)) });
      return () => jar.request(action, { method: 'POST', body });
    },
  ],
  [
    'an approval opened',
    'startApproval',
    200,
    2,
    async ({ user }) =>
      () =>
        post('/v1/auth/approvals/start', { user_id: user.user_id, approval_data }),
  ],
  [
    'an approval by device key',
    'authenticateApproval',
    200,
    4,
    async (person) => {
      const signed = await signByDeviceKey(server, person, 'EC', approval_data);
      return () => post('/v1/auth/approvals/authenticate', signed);
    },
  ],
];

describe('passkeys stay within their round trips', () => {
  test.each(cases)('%s', async (_title, operation, status, budget, prepare) => {
    expect(
      await depthOf(server, () => newPerson(server, createProvenUser), operation, prepare, {
        status,
        budget,
      }),
    ).toBeLessThanOrEqual(budget);
  });
});

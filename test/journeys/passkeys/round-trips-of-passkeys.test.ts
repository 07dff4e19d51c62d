import { beforeAll, describe, expect, test } from '@jest/globals';
import { signByDeviceKey } from '../../support/fixtures/device-keys.ts';
import { formOf, hostedLogin } from '../../support/fixtures/hosted-login.ts';
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
import { createProvenUser, createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { tokensDirect } from '../../support/fixtures/tokens.ts';
import { depthOf, type Prepare } from '../../support/server/depth.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import type { BrowserJar, BrowserPage } from '../../support/tools/browser-jar.ts';
import { createPasskey, usePasskey } from '../../support/tools/software-authenticator.ts';

/** As in round-trips.test.ts: the longest chains of AWS calls of passkeys and approvals, on a warm container. */

const server = useTestServer({ rateLimits: 'off' });
const login = hostedLogin(server);
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
  const body = new URLSearchParams({ csrf: formOf(page).csrf });
  return { jar, page, ask: () => jar.request(path, { method: 'POST', body }) };
}

/** What a form of a page sends, without the page that it leads to. */
function send(jar: BrowserJar, { html }: BrowserPage, fields: Readonly<Record<string, string>>) {
  const [, action = ''] = /<form method="post" action="(\/login\/[^"]*)"/.exec(html) ?? [];
  const { csrf } = formOf({ html });
  return () => jar.request(action, { method: 'POST', body: new URLSearchParams({ csrf, ...fields }) });
}

type Case = readonly [title: string, operation: string, status: number, trips: number, Prepare<Person>];
const taking = (...one: Case): Case => one;

const cases: readonly Case[] = [
  taking(
    'a registration opened',
    'startPasskeyRegistration',
    200,
    3,
    async ({ tokens }) =>
      () =>
        server.post('/v1/auth/webauthn/register/start', {}, { token: tokens.access_token }),
  ),
  taking('a passkey registered', 'registerPasskey', 200, 6, async (person) => {
    const { result } = createPasskey(await startRegistration(server, person), originOf(server));
    return () => register(server, person, result);
  }),
  taking(
    'a login opened',
    'startPasskeyLogin',
    200,
    1,
    async () => () => startLogin(server, { approval_data }),
  ),
  taking('a login by passkey', 'authenticatePasskey', 200, 4, async (person) => {
    const passkey = await registerPasskey(server, person);
    const { body } = await startLogin(server, { approval_data });
    const result = usePasskey(passkey, body, originOf(server));
    return () => post('/v1/auth/webauthn/authenticate', { webauthn_encoded_result: result });
  }),
  taking('options on a page', 'loginPasskeyOptions', 200, 2, async () => (await hostedPage()).ask),
  taking('a login by passkey on a page', 'loginPasskey', 200, 6, async (person) => {
    const passkey = await registerPasskey(server, person);
    const { jar, page, ask } = await hostedPage();
    const options = (await (await ask()).json()) as RequestAnswer;
    const [, action = ''] = /<form method="post" action="(\/passkey\/[^"]*)"/.exec(page.html) ?? [];
    const { csrf } = formOf(page);
    const body = new URLSearchParams({ csrf, credential: usePasskey(passkey, options, originOf(server)) });
    return () => jar.request(action, { method: 'POST', body });
  }),
  ...(['proven', 'unproven'] as const).map((which) =>
    taking(
      `a code to ${which === 'proven' ? 'a proven' : 'an unproven'} address, on a page`,
      'loginAct',
      200,
      which === 'proven' ? 8 : 9,
      async () => {
        const person = { email: newEmail(), phone_number: newPhoneNumber() };
        if (which === 'proven') await createProvenUser(server, person);
        else await createUser(server, person);
        // A login before, or there is nothing that a first proof ends.
        const who = { identifier_type: 'phone_number', identifier: person.phone_number };
        const { body } = await post('/v1/auth/otp/send', { channel: 'direct', ...who });
        await post('/v1/auth/otp/authenticate', { ...who, passcode: body.code });
        const jar = login.browser();
        const page = await login.toCode(jar, person.email);
        return send(jar, page, { passcode: await server.codeTo(person.email) });
      },
    ),
  ),
  taking('a code to an unproven address after a passkey, on a page', 'loginAct', 200, 9, async () => {
    const email = newEmail();
    const user = await createUser(server, { email });
    const passkey = await registerPasskey(server, {
      ...{ user, email },
      tokens: await tokensDirect(server, user.user_id),
    });
    const { jar, page, ask } = await hostedPage();
    const credential = usePasskey(passkey, (await (await ask()).json()) as RequestAnswer, originOf(server));
    const asking = await page.submit({ credential });
    const code = await asking.submit({ method: 'email' });
    return send(jar, code, { passcode: await server.codeTo(email) });
  }),
  taking(
    'an approval opened',
    'startApproval',
    200,
    2,
    async ({ user }) =>
      () =>
        post('/v1/auth/approvals/start', { user_id: user.user_id, approval_data }),
  ),
  taking('an approval by device key', 'authenticateApproval', 200, 4, async (person) => {
    const signed = await signByDeviceKey(server, person, 'EC', approval_data);
    return () => post('/v1/auth/approvals/authenticate', signed);
  }),
];

describe('passkeys stay within their round trips', () => {
  test.each(cases)('%s', async (_title, operation, status, budget, prepare) => {
    expect(
      await depthOf(server, () => newPerson(server), operation, prepare, {
        status,
        budget,
      }),
    ).toBeLessThanOrEqual(budget);
  });
});

// Number of sequential AWS calls (round trips) in special cases of logins, in a container that has cached keys and configuration.
// `contract/depth` limits the calls of every operation.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SENDS_PER_MINUTE } from '../../../shared/domain/basis/limits.ts';
import { codeAt, codeBased, open } from '../../support/fixtures/code-based.ts';
import { hostedLogin, otherDigits, readForm } from '../../support/fixtures/hosted-login.ts';
import { newPerson, type RequestAnswer, registerPasskey, toOrigin } from '../../support/fixtures/passkeys.ts';
import {
  createProvenUser,
  createUser,
  newEmail,
  newPhoneNumber,
  newUser,
  type Person,
} from '../../support/fixtures/people.ts';
import { dpopProof, newKey } from '../../support/fixtures/proofs.ts';
import { measureDepth, type Prepare } from '../../support/server/depth.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { exchange, logIn, refresh, storeCode } from '../../support/tools/authorized.ts';
import { BrowserJar, type BrowserPage } from '../../support/tools/browser-jar.ts';
import { takes } from '../../support/tools/full-run.ts';
import { usePasskey } from '../../support/tools/software-authenticator.ts';

const server = useTestServer();
const login = hostedLogin(server);
let token: string;
let redirect_uri: string;
let sectionC: ReturnType<typeof codeBased>;

beforeAll(async () => {
  token = await server.clientToken();
  redirect_uri = server.environment.redirect_uris[0] ?? '';
  sectionC = codeBased(server, token);
});

const post = (path: string, fields: object) => server.post<Record<string, string>>(path, fields, { token });
const sendOtp = (fields: object) =>
  post('/v1/auth/otp/send', { channel: 'direct', identifier_type: 'email', ...fields });
const authenticateOtp = (fields: object) =>
  post('/v1/auth/otp/authenticate', { identifier_type: 'email', ...fields });
const sendLink = (fields: object) =>
  post('/v1/auth/link/email/send', { channel: 'direct', identifier_type: 'email', redirect_uri, ...fields });
const authenticateLink = (fields: object) => post('/v1/auth/link/email/authenticate', fields);

const codeFor = async ({ email }: Person, fields: object = {}) =>
  (await sendOtp({ identifier: email, ...fields })).body;
const linkFor = async ({ email }: Person) => (await sendLink({ identifier: email })).body;

/** Opens a direct passkey login page. `ask` requests the passkey options, as the page's script does. */
async function hostedPage() {
  const jar = login.browser();
  const { client_id, redirect_uris } = server.environment;
  const query = new URLSearchParams({ client_id, redirect_uri: redirect_uris[0] ?? '' });
  const page = await jar.open(`${server.environment.base_url}/v1/auth/webauthn?${query}`);
  const path = /data-options="([^"]*)"/.exec(page.html)?.[1] ?? '';
  const body = new URLSearchParams({ csrf: readForm(page).csrf });
  return { jar, page, ask: () => jar.request(path, { method: 'POST', body }) };
}

/** Returns a function that submits the form of a login page and does not follow the redirect. */
function send(jar: BrowserJar, { html }: BrowserPage, fields: Readonly<Record<string, string>>) {
  const [, action = ''] = /<form method="post" action="(\/login\/[^"]*)"/.exec(html) ?? [];
  const { csrf } = readForm({ html });
  return () => jar.request(action, { method: 'POST', body: new URLSearchParams({ csrf, ...fields }) });
}

type Case = readonly [title: string, operation: string, status: number, trips: number, Prepare<Person>];
const taking = (...one: Case): Case => one;

const proofFor = (path: string) => ({
  dpop: dpopProof(newKey(), {
    htm: 'POST',
    htu: `${server.environment.base_url}${path}`,
    iat: Math.floor(Date.now() / 1000),
  }),
});

const cases: readonly Case[] = [
  taking(
    'rejecting a request for a one-time code because of the rate limit',
    'sendOtp',
    429,
    2,
    async (person) => {
      for (let sent = 0; sent < SENDS_PER_MINUTE; sent += 1) await codeFor(person);
      return () => sendOtp({ identifier: person.email });
    },
  ),
  taking('authenticating a one-time code after a wrong code', 'authenticateOtp', 200, 4, async (person) => {
    const { code = '' } = await codeFor(person);
    await authenticateOtp({ identifier: person.email, passcode: otherDigits(code) });
    return () => authenticateOtp({ identifier: person.email, passcode: code });
  }),
  ...(['joins a session', 'ends earlier sessions'] as const).map((how) =>
    taking(
      `authenticating a one-time code that verifies the address and ${how}`,
      'authenticateOtp',
      200,
      4,
      async (person: Person) => {
        const { code } = await linkFor(person);
        const { session_id } = (await authenticateLink({ code })).body;
        await codeFor(person, { channel: 'email' });
        const passcode = await server.codeTo(person.email);
        const joins = how === 'joins a session' ? { session_id } : {};
        return () => authenticateOtp({ identifier: person.email, passcode, ...joins });
      },
    ),
  ),
  // Two round trips, because the user whose attempts are counted is known only after the code was read.
  taking('rejecting a wrong one-time code', 'authenticateOtp', 400, 2, async (person) => {
    const { code = '' } = await codeFor(person);
    return () => authenticateOtp({ identifier: person.email, passcode: otherDigits(code) });
  }),
  taking('code-based login: sending an SMS code to a new user', 'sendSmsOtp', 200, 3, async () => {
    const fields = { phone_number: newPhoneNumber(), create_new_user: true, require_mfa: true };
    return () => sectionC.sendSmsOtp(fields);
  }),
  taking('code-based login: exchanging the code of a new user', 'retrieveTokens', 200, 6, async () => {
    const code = await codeAt(await sectionC.resultByEmail(newEmail(), { create_new_user: true }));
    return () => sectionC.exchange(code);
  }),
  taking('code-based login: opening the result URL', 'resumeLogin', 302, 1, async ({ email }) => {
    const result = await sectionC.resultByEmail(email);
    return () => open(result);
  }),
  ...(['first', 'second'] as const).map((factor) =>
    taking(
      `code-based login: opening the result URL of the ${factor} of two factors`,
      'resumeLogin',
      302,
      4,
      async ({ email, phone_number }: Person) => {
        const browser = new BrowserJar(new URL(server.environment.base_url).origin);
        const first = await sectionC.resultByEmail(email, { require_mfa: true });
        if (factor === 'first') return () => browser.request(first);
        await browser.request(first);
        const second = await sectionC.resultBySms(phone_number, { require_mfa: true });
        return () => browser.request(second);
      },
    ),
  ),
  taking('code-based login: opening a link', 'openCodeBasedLink', 302, 1, async ({ email }) => {
    await sectionC.sendLink({ email });
    const link = await server.linkTo(email);
    return () => open(link);
  }),
  taking('refreshing tokens with a DPoP proof', 'refresh', 200, 3, async () => {
    const { refresh_token } = (await logIn(server)).tokens;
    const path = '/v1/auth/token/refresh';
    return () => server.post(path, { refresh_token }, { token, headers: proofFor(path) });
  }),
  taking('exchanging a code that joins a session, with a DPoP proof', 'token', 200, 3, async () => {
    const { user, tokens } = await logIn(server);
    const code = await storeCode(server, user.user_id, { joinsSession: tokens.session_id });
    return () => exchange(server, code, {}, undefined, proofFor('/oidc/token'));
  }),
  taking('repeating a token refresh', 'token', 200, 3, async () => {
    const { tokens } = await logIn(server);
    await refresh(server, tokens.refresh_token);
    return () => refresh(server, tokens.refresh_token);
  }),
  taking(
    'requesting the passkey options of a login page',
    'loginPasskeyOptions',
    200,
    2,
    async () => (await hostedPage()).ask,
  ),
  taking('logging in with a passkey on a login page', 'loginPasskey', 200, 6, async () => {
    const passkey = await registerPasskey(server, await newPerson(server));
    const { jar, page, ask } = await hostedPage();
    const options = (await (await ask()).json()) as RequestAnswer;
    const [, action = ''] = /<form method="post" action="(\/passkey\/[^"]*)"/.exec(page.html) ?? [];
    const { csrf } = readForm(page);
    const body = new URLSearchParams({ csrf, credential: usePasskey(passkey, options, toOrigin(server)) });
    return () => jar.request(action, { method: 'POST', body });
  }),
  ...(['proven', 'unproven'] as const).map((which) =>
    taking(
      `entering a code sent to ${which === 'proven' ? 'a verified' : 'an unverified'} address on a login page`,
      'loginAct',
      200,
      which === 'proven' ? 8 : 9,
      async () => {
        const person = { email: newEmail(), phone_number: newPhoneNumber() };
        if (which === 'proven') await createProvenUser(server, person);
        else await createUser(server, person);
        // Verifies the phone number in an earlier login, because the first verification of an account makes additional calls.
        const who = { identifier_type: 'phone_number', identifier: person.phone_number };
        const { body } = await post('/v1/auth/otp/send', { channel: 'direct', ...who });
        await post('/v1/auth/otp/authenticate', { ...who, passcode: body.code });
        const jar = login.browser();
        const page = await login.toCode(jar, person.email);
        return send(jar, page, { passcode: await server.codeTo(person.email) });
      },
    ),
  ),
];

test('a Lambda container reads the signing keys in one round trip', async () => {
  await server.get('/oidc/jwks');
  const once = { aws_calls: { 'dynamodb.Query': 1 }, last: { sequential_depth: 1 } };
  expect(server.metrics().jwks).toMatchObject(once);
});

/** Cases of this run: all logins with a one-time code, all token requests, and in an everyday run a third of the others. */
const inTurn = cases.filter(
  ([, operation], index) => operation === 'authenticateOtp' || operation === 'token' || takes(index, 3),
);

describe('number of sequential AWS round trips of a warm Lambda container', () => {
  test.each(inTurn)(
    'the number of sequential AWS calls of an operation stays within its budget: %s',
    async (_, operation, status, budget, prepare) => {
      const depth = await measureDepth(server, () => newUser(server), operation, prepare, { status, budget });
      expect(depth).toBeLessThanOrEqual(budget);
    },
  );

  test('the measured AWS calls include the KMS calls of one-time code logins and token requests', async () => {
    const { authenticateOtp: login, token: issued } = server.metrics();
    // A container fetches the passcode key once a day, regardless of the number of passcodes that it checks.
    expect([1, 2]).toContain(login?.aws_calls['kms.GenerateMac']);
    expect(issued?.aws_calls).toMatchObject({ 'kms.Sign': expect.any(Number) });
    expect(login?.last.sequential_depth).toBeGreaterThan(0);
  });

  test('a wrong code causes no additional AWS calls after the clock was advanced by an hour', async () => {
    const { email } = await newUser(server);
    await server.advanceClock(3600);
    token = await server.clientToken();
    for (let time = 0; time < 2; time += 1)
      expect((await authenticateOtp({ identifier: email, passcode: '000000' })).status).toBe(400);
    const { calls } = server.metrics().authenticateOtp?.last ?? {};
    expect(calls).toEqual(['dynamodb.UpdateItem', 'dynamodb.UpdateItem']);
  });
});

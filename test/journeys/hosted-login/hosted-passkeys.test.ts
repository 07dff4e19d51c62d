import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { verifyApproval } from '../../../shared/domain/credentials/verify-approval.ts';
import { withApplication } from '../../support/fixtures/application.ts';
import {
  answerIn,
  decodeClaims,
  leftTo,
  readPageError,
  useHostedLogin,
} from '../../support/fixtures/hosted-login.ts';
import { askForOptions, passkeyLogin } from '../../support/fixtures/hosted-passkeys.ts';
import { made, resourceFields } from '../../support/fixtures/managed.ts';
import {
  authenticate,
  newPerson,
  type Person,
  type RequestAnswer,
  registerPasskey,
  startLogin,
  toOrigin,
} from '../../support/fixtures/passkeys.ts';
import { createProvenUser, newEmail } from '../../support/fixtures/people.ts';
import { storeMember } from '../../support/fixtures/tenants.ts';
import { atOnce } from '../../support/server/at-once.ts';
import {
  type Deviation,
  FLAGS,
  type SoftwarePasskey,
  usePasskey,
} from '../../support/tools/software-authenticator.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off' });

type Fields = Readonly<Record<string, string | undefined>>;

const { address, begin } = passkeyLogin(server, login);

/** Creates a user with a verified email address, so that a direct passkey login (section B) asks only for the passkey. */
const newVerifiedPerson = () => newPerson(server, createProvenUser);

const REFUSED = 'That passkey can’t be used here. Choose another one, or another way to sign in.';

const ask = askForOptions<RequestAnswer>;

describe('logging in with a passkey on the login page', () => {
  let person: Person;
  let passkey: SoftwarePasskey;
  beforeAll(async () => {
    person = await newVerifiedPerson();
    passkey = await registerPasskey(server, person);
  });

  test.each<[string, Deviation]>([
    ['a wrong origin', { origin: 'https://evil.example' }],
    ['a challenge that was not issued', { challenge: randomBytes(32).toString('base64url') }],
    ['no user-verification flag', { flags: FLAGS.USER_PRESENT | FLAGS.BACKUP_ELIGIBLE }],
    ['an invalid signature', { signature: randomBytes(70) }],
    ["N105 another user's handle", { userHandle: randomBytes(32).toString('base64url') }],
  ])('N101 a passkey login is rejected if the passkey response has %s', async (_title, deviation) => {
    const { page, options } = await begin();
    const origin = toOrigin(server);
    const refused = await page.submit({ credential: usePasskey(passkey, options, origin, deviation) });
    expect([refused.status, readPageError(refused)]).toEqual([200, REFUSED]);
    const taken = await refused.submit({ credential: usePasskey(passkey, options, origin) });
    const { body } = await login.exchange(leftTo(taken), { code_verifier: undefined });
    expect(decodeClaims(body.id_token)).toMatchObject({ sub: person.user.user_id, amr: ['webauthn'] });
  });

  test('if a passkey cannot be checked during a database outage, the user sees an error page with status 503', async () => {
    const { page, options } = await begin();
    const fault = { action: 'UpdateItem', effect: 'error', code: 'ThrottlingException' } as const;
    await server.faults.inject({ service: 'dynamodb', operation: 'loginPasskey', ...fault });
    const credential = usePasskey(passkey, options, toOrigin(server));
    const failed = await page.submit({ credential }).finally(server.faults.clear);
    expect([failed.status, readPageError(failed)]).toEqual([503, undefined]);
  });

  test('N106 a passkey login is rejected if the signature counter decreases', async () => {
    const passkey = await registerPasskey(server, await newVerifiedPerson(), { count: 5 });
    const { page, options } = await begin();
    const back = usePasskey(passkey, options, toOrigin(server), { count: 4 });
    for (const credential of [back, 'nonsense', '', Buffer.from('{}').toString('base64')])
      expect(readPageError(await page.submit({ credential }))).toBe(REFUSED);
  });

  test('N100 a passkey login requires an unused challenge of the same login', async () => {
    const [one, other] = [await begin(), await begin()];
    const signed = usePasskey(passkey, one.options, toOrigin(server));
    expect(readPageError(await other.page.submit({ credential: signed }))).toBe(REFUSED);
    expect((await authenticate(server, signed)).status).toBe(400);
    const ofApi = usePasskey(passkey, (await startLogin(server)).body, toOrigin(server));
    expect(readPageError(await other.page.submit({ credential: ofApi }))).toBe(REFUSED);
    const answers = await atOnce(6, () => one.page.submit({ credential: signed }));
    expect(answers.filter(({ left }) => left !== undefined)).toHaveLength(1);
    // The login has ended, so submitting the same response again yields 404 and no second code.
    expect((await one.page.submit({ credential: signed })).status).toBe(404);

    const late = await begin();
    const tooLate = usePasskey(passkey, late.options, toOrigin(server));
    await server.advanceClock(301);
    const expired = await late.page.submit({ credential: tooLate });
    expect(readPageError(expired)).toBe('That took too long. Try your passkey again.');
    const { body } = await ask(late.jar, expired);
    const again = await expired.submit({ credential: usePasskey(passkey, body, toOrigin(server)) });
    expect(answerIn(leftTo(again))).toHaveProperty('code');
  });

  test('N107 the login page and its passkey options are the same for known and unknown users', async () => {
    const seen = async (identifier: string) => {
      const jar = login.browser();
      const page = await jar.open(address({ login_hint: identifier }));
      server.resetMetrics();
      const { status, body } = await ask(jar, page, identifier);
      const { challenge, ...options } = body.credential_request_options;
      const { aws_calls: calls } = server.metrics().loginPasskeyOptions ?? {};
      const html = page.html
        .replaceAll(identifier, 'typed')
        .replace(/(csrf" value="|\/(?:login|passkey)\/)[\w-]+/g, '$1');
      return { status, options, length: challenge.length, calls, html };
    };
    // The first request fills the configuration caches, which changes the AWS calls of later requests.
    await seen(newEmail('unknown'));
    const known = await seen(person.email);
    expect(known.options).toMatchObject({ allowCredentials: [] });
    expect(await seen(newEmail('unknown'))).toEqual(known);
  });

  test('a passkey login is rejected if the typed address belongs to another user', async () => {
    const bob = await newVerifiedPerson();
    const { jar, page } = await begin();
    const forBob = (await ask(jar, page, bob.email)).body;
    expect(
      readPageError(await page.submit({ credential: usePasskey(passkey, forBob, toOrigin(server)) })),
    ).toBe(REFUSED);
    const forAnn = (await ask(jar, page, person.email)).body;
    const taken = await page.submit({ credential: usePasskey(passkey, forAnn, toOrigin(server)) });
    expect(answerIn(leftTo(taken))).toHaveProperty('code');
    const { page: another } = await begin();
    expect((await ask(login.browser(), another)).status).toBe(404);
  });

  test.each([
    ['a value', (amount: string) => ({ value: { amount } }), {}],
    [
      'a type and data',
      (amount: string) => ({ type: 'money_transfer', data: { amount } }),
      { approval_type: 'money_transfer' },
    ],
  ])(
    'a passkey login is rejected if the passkey has signed the approval data of another request (given as %s)',
    async (_title, approval, label) => {
      const push = async (amount: string) => {
        const claims = JSON.stringify({ id_token: { approval_data: approval(amount) } });
        const fields = { ...login.parameters({ claims }), client_secret: server.environment.client_secret };
        const { body } = await server.form<{ request_uri: string }>('/oidc/par', fields);
        const jar = login.browser();
        const query = new URLSearchParams({
          client_id: server.environment.client_id,
          request_uri: body.request_uri,
        });
        const page = await jar.open(`${server.environment.issuer}/auth?${query}`);
        return { page, options: (await ask(jar, page)).body };
      };
      const [small, large] = [await push('1'), await push('1000')];
      const forSmall = usePasskey(passkey, small.options, toOrigin(server));
      const swapped = usePasskey(
        passkey,
        {
          ...large.options,
          credential_request_options: small.options.credential_request_options,
        },
        toOrigin(server),
      );
      for (const credential of [forSmall, swapped])
        expect(readPageError(await large.page.submit({ credential }))).toBe(REFUSED);
      const { body } = await login.exchange(leftTo(await small.page.submit({ credential: forSmall })));
      const asked: Record<string, unknown> = approval('1');
      expect(decodeClaims(body.id_token).approval_data).toEqual(asked.value ?? asked);
      expect(body).toMatchObject({ signing_artifacts: { approval_data: { amount: '1' }, ...label } });
      expect(verifyApproval(body)).toMatchObject({ signedBy: 'passkey' });
      for (const text of Object.values(label)) expect(small.page.html).toContain(text);
      const artifacts = { ...Object(body.signing_artifacts), approval_type: 'gift' };
      expect(() => verifyApproval(artifacts)).toThrow('does not carry');
    },
  );
});

test('a user can log in to an organization with a passkey', async () => {
  const person = await newVerifiedPerson();
  const passkey = await registerPasskey(server, person);
  const { organizationId: org_id } = await storeMember(server, { userId: person.user.user_id });
  const jar = login.browser();
  const page = await jar.open(login.address({ org_id }));
  const { body: options } = await ask(jar, page);
  const done = await page.submit({ credential: usePasskey(passkey, options, toOrigin(server)) });
  const { body } = await login.exchange(leftTo(done));
  expect(decodeClaims(body.id_token)).toMatchObject({ sub: person.user.user_id, org_id });
});

test('the passkey options of a login page return 404 once the application has disabled passkeys', async () => {
  const jar = login.browser();
  const page = await jar.open(login.address());
  await withApplication(server, { loginPreferences: { email: {} } }, async () => {
    expect((await askForOptions(jar, page)).status).toBe(404);
  });
  expect((await askForOptions(jar, page)).status).toBe(200);
});

describe('direct passkey login at /v1/auth/webauthn', () => {
  test.each<[string, Fields]>([
    ['an unknown client', { client_id: 'unknown' }],
    ['an unregistered redirect URI', { redirect_uri: 'https://evil.example/' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['a client ID that is too long', { client_id: 'x'.repeat(151) }],
  ])('a direct passkey login with %s is rejected with JSON and status 400', async (_title, change) => {
    const response = await login.browser().request(address(change), { headers: { accept: '*/*' } });
    expect(response.headers.get('location')).toBeNull();
    expect([response.status, await response.json()]).toEqual([
      400,
      { error_code: 400, message: expect.any(String), http_request_id: expect.any(String) },
    ]);
  });

  test.each<[string, Fields, string, string]>([
    ['claims that are not JSON', { claims: '{' }, 'invalid_request', 'claims: must be JSON'],
    [
      'a resource of another tenant',
      { resource: 'https://x.example' },
      'invalid_target',
      'Resource not found',
    ],
    ['an invalid boolean', { require_mfa: 'maybe' }, 'invalid_request', 'require_mfa: must be true or false'],
    [
      'approval data that was not pushed',
      { claims: '{"id_token":{"approval_data":{"value":{"a":"b"}}}}' },
      'invalid_request',
      'claims: approval_data requires a pushed request of an authenticated client',
    ],
  ])('a direct passkey login with %s redirects with an error', async (_title, change, error, description) => {
    const response = await login.browser().request(address(change), { headers: { accept: '*/*' } });
    expect(response.status).toBe(302);
    const target = new URL(response.headers.get('location') ?? '');
    expect(Object.fromEntries(target.searchParams)).toEqual({
      error,
      error_description: description,
      state: 'the state',
    });
  });

  test('a direct passkey login is rejected if the application has not enabled passkeys', async () => {
    for (const fields of [{ loginPreferences: { email: {} } }, { fixedRpId: 'shop.example' }])
      await withApplication(server, fields, async () => {
        const page = await login.browser().open(address());
        expect(answerIn(leftTo(page))).toEqual({
          error: 'access_denied',
          error_description: 'The application has not configured this login method',
        });
        expect((await login.browser().open(login.address())).html).not.toContain('data-options');
      });
  });

  test('a direct passkey login issues tokens for the requested resource', async () => {
    const passkey = await registerPasskey(server, await newVerifiedPerson());
    const token = await server.clientToken();
    const { uri } = await made<{ uri: string }>(server, '/v1/resources', resourceFields(), token);
    const { page, options } = await begin({ resource: uri });
    const taken = await page.submit({ credential: usePasskey(passkey, options, toOrigin(server)) });
    const { body } = await login.exchange(leftTo(taken), { code_verifier: undefined });
    expect(decodeClaims(body.access_token).aud).toBe(uri);
  });

  test("with require_mfa, a direct passkey login adds the passkey to the browser's session", async () => {
    const person = await newPerson(server);
    // Verifies the address before the passkey is added, because the first verification supersedes earlier passkeys.
    const { body: tokens } = await login.exchange(await login.logIn(login.browser(), person.email));
    const passkey = await registerPasskey(server, { ...person, tokens });
    const jar = login.browser();
    await login.logIn(jar, person.email);
    const { page, options } = await begin({ require_mfa: 'true' }, jar);
    expect(page.html).toContain('Confirm it’s you');
    const taken = await page.submit({ credential: usePasskey(passkey, options, toOrigin(server)) });
    const { body } = await login.exchange(leftTo(taken), { code_verifier: undefined });
    expect(decodeClaims(body.id_token)).toMatchObject({ acr: 'mfa', amr: ['eotp', 'webauthn', 'mfa'] });
  });

  test('with require_mfa, a direct passkey login asks for a second factor besides the passkey', async () => {
    const person = await newPerson(server);
    const { body: tokens } = await login.exchange(await login.logIn(login.browser(), person.email));
    const passkey = await registerPasskey(server, { ...person, tokens });
    const jar = login.browser();
    const { page: first, options: once } = await begin({}, jar);
    leftTo(await first.submit({ credential: usePasskey(passkey, once, toOrigin(server)) }));

    const { page, options } = await begin({ require_mfa: 'true' }, jar);
    expect(page.html).toContain('name="identifier"');
    const second = await page.submit({ credential: usePasskey(passkey, options, toOrigin(server)) });
    expect(second.html).toContain('Confirm it’s you');
    const sent = await second.submit({ method: 'email' });
    const done = await sent.submit({ passcode: await server.codeTo(person.email) });
    const { body } = await login.exchange(leftTo(done), { code_verifier: undefined });
    expect(decodeClaims(body.id_token)).toMatchObject({ acr: 'mfa', amr: ['webauthn', 'eotp', 'mfa'] });
  });

  test('a prefetch or HEAD request to /v1/auth/webauthn does not start a login', async () => {
    const jar = login.browser();
    const prefetch = { headers: { 'sec-purpose': 'prefetch' } };
    expect((await jar.request(address(), prefetch)).status).toBe(204);
    expect((await jar.request(address(), { method: 'HEAD' })).status).toBe(200);
  });
});

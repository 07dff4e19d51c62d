// An unauthenticated attacker requests codes and enters wrong codes for a user's address. The user can still log in.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { PASSCODE_MAX_FAILURES, PASSCODE_MAX_TRIES } from '../../shared/domain/basis/limits.ts';
import { codeBased } from '../support/fixtures/code-based.ts';
import {
  failTimes,
  leftTo,
  otherDigits,
  readForm,
  readPageError,
  useHostedLogin,
} from '../support/fixtures/hosted-login.ts';
import {
  createProvenUser,
  createUser,
  newEmail,
  newPhoneNumber,
  strangersGuess,
  useUpTries,
} from '../support/fixtures/people.ts';
import { atOnce } from '../support/server/at-once.ts';
import { storeClient } from '../support/tools/authorized.ts';
import { isFull } from '../support/tools/full-run.ts';

type Answer = Readonly<Record<string, string>>;

const { server, login } = useHostedLogin({ rateLimits: 'off', events: true });
let token: string;
beforeEach(async () => {
  token = await server.clientToken();
});

const post = (path: string, fields: object, as = token) => server.post<Answer>(path, fields, { token: as });
const named = (email: string) => ({ identifier_type: 'email', identifier: email });
const send = async (email: string, fields: object = {}, as = token) =>
  (await post('/v1/auth/otp/send', { channel: 'direct', ...named(email), ...fields }, as)).body;
const authenticate = (email: string, fields: object, as = token) =>
  post('/v1/auth/otp/authenticate', { ...named(email), ...fields }, as);
const from = (ip_address: string) => ({ client_attributes: { ip_address } });

/** Number of wrong codes so far. It makes each wrong code different from the previous ones. */
let typed = 0;
const wrong = (digits: string) => {
  typed += 1;
  return `${otherDigits(digits).slice(0, 2)}${String(typed % 10_000).padStart(4, '0')}`;
};

async function newUser(fields: object = {}): Promise<string> {
  const email = newEmail();
  await createUser(server, { email, ...fields });
  return email;
}

describe('unauthenticated caller who requests codes for a user', () => {
  test('a code that an attacker requests does not invalidate the code that the user has requested', async () => {
    const email = await newUser();
    const other = await storeClient(server);
    const [own, request] = [await send(email), await send(email, { generate_request_id: true })];
    const theirs = await server.clientToken(other);
    await send(email, { generate_request_id: true });
    await send(email, {}, theirs);
    await login.toCode(login.browser(), email);
    const { request_id } = request;
    expect((await authenticate(email, { passcode: request.code, request_id })).status).toBe(200);
    expect((await authenticate(email, { passcode: own.code })).status).toBe(200);
  });

  test('a code is valid only in the login for which it was requested', async () => {
    const email = await newUser();
    const one = await login.toCode(login.browser(), email);
    const digits = await server.codeTo(email);
    const two = await login.toCode(login.browser(), email);
    const others = await server.codeTo(email);
    if (digits !== others)
      expect(readPageError(await two.submit({ passcode: digits }))).toMatch(/isn’t right/);
    leftTo(await one.submit({ passcode: digits }));
    leftTo(await two.submit({ passcode: others }));
  });
});

describe('unauthenticated caller who enters wrong codes', () => {
  test('wrong codes on hosted pages lock out only the browser in which they were entered', async () => {
    const email = await newUser();
    const mine = await login.toCode(login.browser(), email);
    const digits = await server.codeTo(email);
    const stranger = await login.toCode(login.browser(), email);
    const locked = await failTimes(stranger);
    expect(readPageError(locked)).toMatch(/^Too many wrong codes/);
    leftTo(await mine.submit({ passcode: digits }));
    await login.logIn(login.browser(), email);
  });

  test('wrong codes that a trusted client forwards lock out only the network that the client reports', async () => {
    const email = await newUser();
    const trusted = await server.clientToken(await storeClient(server, { trusted: true }));
    const { code = '' } = await send(email, {}, trusted);
    const strangers = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::1', '2001:db8::4'];
    const answers = await useUpTries((passcode) =>
      authenticate(email, { passcode, ...from(strangers.pop() ?? '2001:db8::5') }, trusted),
    );
    for (const { body } of answers) expect(body.error_code).toBe('auth_invalid_credentials');
    const right = { passcode: code };
    expect(await authenticate(email, { ...right, ...from('2001:db8::9') }, trusted)).toMatchObject({
      status: 403,
      body: { error_code: 'auth_locked' },
    });
    expect((await authenticate(email, { ...right, ...from('2001:db8:0:1::1') }, trusted)).status).toBe(200);
  });

  test('an untrusted client gets no additional attempts by reporting different network addresses', async () => {
    const email = await newUser();
    const { code = '' } = await send(email);
    const answers = await atOnce(100, (n) =>
      authenticate(email, { passcode: wrong(code), ...from(`198.51.100.${n}`) }),
    );
    const compared = answers.filter(({ body }) => body.error_code === 'auth_invalid_credentials');
    expect(compared).toHaveLength(PASSCODE_MAX_TRIES);
    for (const fields of [from('203.0.113.1'), {}])
      expect((await authenticate(email, { passcode: code, ...fields })).body.error_code).toBe('auth_locked');
  });

  test("a hundred wrong codes disable the codes of a user, but not the user's links and passkeys", async () => {
    const [email, phone_number] = [newEmail(), newPhoneNumber()];
    await createProvenUser(server, { email, phone_number });
    const known = login.browser();
    await login.logIn(known, email);
    await strangersGuess(server, email, PASSCODE_MAX_FAILURES);
    expect(readPageError(await login.afterCode(login.browser(), email))).toMatch(
      /^You can’t sign in with a code/,
    );
    leftTo(
      await (await login.toCode(known, email, { prompt: 'login' })).submit({
        passcode: await server.codeTo(email),
      }),
    );

    // While codes are disabled, a user who has logged in with a link can still use an SMS code as the second factor.
    await strangersGuess(server, email, PASSCODE_MAX_FAILURES);
    const jar = login.browser();
    await login.toCode(jar, email, { acr_values: 'mfa' }, 'link');
    const second = await (await jar.open(await server.linkTo(email))).submit({});
    const text = await second.submit({ method: 'sms' });
    leftTo(await text.submit({ passcode: await server.codeTo(phone_number) }));
  });
});

describe('limit on the wrong codes of a user', () => {
  test('wrong codes are counted together for all identifiers and all applications of a user', async () => {
    const [email, phone_number] = [newEmail(), newPhoneNumber()];
    const username = `name-${phone_number.slice(1)}`;
    const card = { type: 'card', value: email };
    const fields = { email, phone_number, username, custom_identifiers: [card] };
    const { user_id } = await createUser(server, fields);
    const names = [
      named(email),
      { identifier_type: 'phone_number', identifier: phone_number },
      { identifier_type: 'username', identifier: username },
      { identifier_type: 'user_id', identifier: user_id },
      { identifier_type: 'card', identifier: email },
    ];
    const before = isFull ? 0 : 70;
    await strangersGuess(server, email, before);
    let compared = before;
    for (
      let round = 0;
      round * names.length * PASSCODE_MAX_TRIES + before <= PASSCODE_MAX_FAILURES;
      round += 1
    )
      for (const name of names) {
        const { body } = await post('/v1/auth/otp/send', {
          channel: 'direct',
          generate_request_id: true,
          ...name,
        });
        const about = { ...name, request_id: body.request_id };
        const answers = await useUpTries((passcode) =>
          post('/v1/auth/otp/authenticate', { ...about, passcode }),
        );
        compared += answers.filter(({ body }) => body.error_code === 'auth_invalid_credentials').length;
      }
    expect(compared).toBe(PASSCODE_MAX_FAILURES);
    for (const name of names) {
      const { body } = await post('/v1/auth/otp/send', { channel: 'direct', ...name });
      const answer = await post('/v1/auth/otp/authenticate', { ...name, passcode: body.code });
      expect(answer).toMatchObject({ status: 403, body: { error_code: 'auth_locked' } });
    }
    // Codes of code-based logins are disabled as well.
    const sectionC = codeBased(server, token);
    await sectionC.sendEmailOtp({ email });
    expect((await sectionC.validateEmailOtp({ email, passcode: await server.codeTo(email) })).status).toBe(
      403,
    );

    // A login with a magic link re-enables codes.
    const [redirect_uri] = server.environment.redirect_uris;
    const { body } = await post('/v1/auth/link/email/send', {
      ...named(email),
      redirect_uri,
      channel: 'direct',
    });
    expect((await post('/v1/auth/link/email/authenticate', { code: body.code })).status).toBe(200);
    const { code } = await send(email);
    expect((await authenticate(email, { passcode: code })).status).toBe(200);
  }, 120_000);
});

describe('login page that is shown after a wrong code', () => {
  let email: string;
  beforeEach(async () => {
    email = await newUser();
  });

  test('reloading the page after a wrong code does not count as another attempt', async () => {
    const jar = login.browser();
    const page = await login.toCode(jar, email);
    const digits = await server.codeTo(email);
    const [, action = ''] = /<form method="post" action="([^"]*passcode)"/.exec(page.html) ?? [];
    const { csrf } = readForm(page);
    const body = () => new URLSearchParams({ csrf, passcode: otherDigits(digits) });
    const answer = await jar.request(action, { method: 'POST', body: body() });
    expect(answer.status).toBe(303);
    const address = answer.headers.get('location') ?? '';
    for (let reloads = 0; reloads < 5; reloads += 1)
      expect(readPageError(await jar.open(address))).toMatch(/isn’t right/);
    leftTo(await (await jar.open(address)).submit({ passcode: digits }));
  });

  test('submitting the same wrong code many times in one login counts as one attempt', async () => {
    const page = await login.toCode(login.browser(), email);
    const digits = await server.codeTo(email);
    const same = otherDigits(digits);
    for (let times = 0; times < 3; times += 1)
      expect(readPageError(await page.submit({ passcode: same }))).toMatch(/isn’t right/);
    const other = otherDigits(same);
    await Promise.all(Array.from({ length: 10 }, () => page.submit({ passcode: other })));
    leftTo(await page.submit({ passcode: digits }));
  });
});

// Rules for every code and link that the API sends: one-time codes and magic links (section A), code-based logins (section C).
import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { codeAt, open } from '../../support/fixtures/code-based.ts';
import { useCodeBased } from '../../support/fixtures/code-based-people.ts';
import { inScript, otherDigits } from '../../support/fixtures/hosted-login.ts';
import {
  changeUser,
  createProvenUser,
  newEmail,
  newPhoneNumber,
  newUser,
  type Person,
} from '../../support/fixtures/people.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { readCodeState } from '../../support/server/code-state.ts';
import type { TestAnswer } from '../../support/server/test-server.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer();
const sectionC = useCodeBased(server);

type Answer = Promise<TestAnswer<unknown>>;

interface Message {
  readonly channel: 'email' | 'sms';
  send(person: Person): Answer;
  /** Returns the code from the newest message to the user, in the form in which the API accepts it. */
  credential(person: Person): Promise<string>;
  take(person: Person, credential: string): Answer;
  /** Values of `error_code` if the message limit is exceeded, if the provider rejects the message, and if codes are locked. */
  readonly errors: readonly [limited: unknown, refused: unknown, locked?: unknown];
}

function oneTimeCode(channel: Message['channel'], address: 'email' | 'phone_number'): Message {
  const who = ({ user_id }: Person) => ({ identifier_type: 'user_id', identifier: user_id });
  return {
    channel,
    send: (person) => sectionC.post('/v1/auth/otp/send', { channel, ...who(person) }),
    credential: (person) => server.codeTo(person[address]),
    take: (person, passcode) => sectionC.post('/v1/auth/otp/authenticate', { ...who(person), passcode }),
    errors: ['rate_limited', 'external_provider_configuration_error', 'auth_locked'],
  };
}

const codeBasedCode: Message = {
  channel: 'email',
  send: ({ email }) => sectionC.sendEmailOtp({ email }),
  credential: ({ email }) => server.codeTo(email),
  take: ({ email }, passcode) => sectionC.validateEmailOtp({ email, passcode }),
  errors: [429, 400, 403],
};
const codeBasedText: Message = {
  ...codeBasedCode,
  channel: 'sms',
  send: ({ phone_number }) => sectionC.sendSmsOtp({ phone_number }),
  credential: ({ phone_number }) => server.codeTo(phone_number),
  take: ({ phone_number }, passcode) => sectionC.validateSmsOtp({ phone_number, passcode }),
};

const MAGIC_LINK: Message = {
  channel: 'email',
  send: ({ email: identifier }) => {
    const fields = { redirect_uri: sectionC.redirectUri(), identifier_type: 'email', identifier };
    return sectionC.post('/v1/auth/link/email/send', fields);
  },
  credential: async ({ email }) => new URL(await server.linkTo(email)).searchParams.get('code') ?? '',
  take: (_, code) => sectionC.post('/v1/auth/link/email/authenticate', { code }),
  errors: ['429', '400'],
};
const CODE_BASED_LINK: Message = {
  ...codeBasedCode,
  send: ({ email }) => sectionC.sendLink({ email }),
  credential: async ({ email }) => codeAt(await server.linkTo(email)),
  take: (_, code) => sectionC.exchange(code),
};

const MESSAGES: Readonly<Record<string, Message>> = {
  'a magic link': MAGIC_LINK,
  'a code by email': oneTimeCode('email', 'email'),
  'a code by SMS': oneTimeCode('sms', 'phone_number'),
  'a link of a code-based login': CODE_BASED_LINK,
  'a code by email in a code-based login': codeBasedCode,
  'a code by SMS in a code-based login': codeBasedText,
};

describe.each(Object.entries(MESSAGES))('code or link in a message: %s', (_name, message) => {
  test("a code or link is rejected if the user's address has changed since it was sent", async () => {
    const [stays, moves] = [await newUser(server), await newUser(server)];
    for (const person of [stays, moves]) expect((await message.send(person)).status).toBe(200);
    const credentials = [await message.credential(stays), await message.credential(moves)];
    const addresses = { email: newEmail(), phone_number: newPhoneNumber() };
    expect((await sectionC.put(`/v1/users/${moves.user_id}`, addresses)).status).toBe(200);
    expect((await message.take(stays, credentials[0] ?? '')).status).toBe(200);
    expect((await message.take(moves, credentials[1] ?? '')).status).toBe(400);
  });

  test('the sixth message to a user within a minute is rejected with a Retry-After header', async () => {
    const person = await newUser(server);
    await server.nextMinute();
    for (let count = 0; count < 5; count += 1) expect((await message.send(person)).status).toBe(200);
    const limited = await message.send(person);
    expect(limited).toMatchObject({ status: 429, body: { error_code: message.errors[0] } });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    const other = message.channel === 'sms' ? codeBasedCode : codeBasedText;
    expect((await other.send(person)).status).toBe(200);
    await server.advanceClock(60);
    expect((await message.send(person)).status).toBe(200);
  });

  test("a message is sent in the user's language", async () => {
    const WORDS: Readonly<Record<string, RegExp>> = { de: /Ihr|Sie/, fr: /[Vv]o(?:tre|us)/, en: /[Yy]ou/ };
    const expectLanguage = async (userLanguage: string | undefined, expected: string) => {
      const person = await newUser(server);
      if (userLanguage !== undefined) await changeUser(server, person.user_id, { language: userLanguage });
      expect((await message.send(person)).status).toBe(200);
      const [sent] = await server.messages({
        to: message.channel === 'sms' ? person.phone_number : person.email,
      });
      expect(sent?.text).toMatch(WORDS[expected] ?? '');
      if (message.channel === 'email') expect(sent?.html).toContain(`<html lang="${expected}"`);
    };
    await expectLanguage('de-AT', 'de');
    await expectLanguage(undefined, 'en');
    await withApplication(server, { language: 'fr' }, async () => {
      await expectLanguage('de', 'de');
      await expectLanguage('pt-BR', 'fr');
      await expectLanguage(undefined, 'fr');
    });
  });

  test('a code or link is invalid if the email or SMS provider rejected its message', async () => {
    const person = await newUser(server);
    const [service, code] =
      message.channel === 'sms' ? (['sns', 'OptedOut'] as const) : (['ses', 'MessageRejected'] as const);
    await server.faults.inject({ service, effect: 'error', code, times: 1 });
    const refused = await message.send(person);
    expect(refused).toMatchObject({ status: 400, body: { error_code: message.errors[1] } });
    for (const [type, value] of [
      ['email', person.email],
      ['phone_number', person.phone_number],
      ['user_id', person.user_id],
    ] as const)
      expect((await readCodeState(server, { type, value }))?.code).toBeUndefined();
  });
});

const DIGITS = Object.entries(MESSAGES).filter(([name]) => name.startsWith('a code'));

test.each(DIGITS)(
  'N113 after three wrong attempts with %s, even the correct code is rejected until the lockout ends',
  async (_name, message) => {
    const person = await newUser(server);
    await message.send(person);
    const passcode = await message.credential(person);
    for (let tries = 0; tries < 3; tries += 1)
      expect((await message.take(person, otherDigits(passcode))).status).toBe(400);
    expect((await message.take(person, passcode)).status).toBe(403);
    await server.advanceClock(14 * 60);
    await message.send(person);
    const fresh = await message.credential(person);
    const locked = await message.take(person, fresh);
    expect(locked).toMatchObject({ status: 403, body: { error_code: message.errors[2] } });
    await server.advanceClock(61);
    expect((await message.take(person, fresh)).status).toBe(200);
  },
);

test.each(DIGITS)('%s can be entered in digits of other scripts', async (_name, message) => {
  const person = await newUser(server, createProvenUser);
  for (const retype of [
    (digits: string) => inScript(digits, '٠'),
    (digits: string) => inScript(digits, '०'),
    (digits: string) => `${digits.slice(0, 3)}–${digits.slice(3)}`,
    (digits: string) => `${digits.slice(0, 3)}.${digits.slice(3)}`,
  ]) {
    expect((await message.send(person)).status).toBe(200);
    const digits = await message.credential(person);
    expect((await message.take(person, retype(digits))).status).toBe(200);
  }
});

test.each([...DIGITS, ['a magic link', MAGIC_LINK] as const])(
  'N111 exactly one of 30 concurrent logins with %s succeeds',
  async (_name, message) => {
    const loginPreferences = { link: {}, email: { maxTries: 20 }, sms: { maxTries: 20 } };
    await withApplication(server, { loginPreferences }, async () => {
      // Uses a user with verified addresses, because a first verification would supersede other credentials during the test.
      const person = await newUser(server, createProvenUser);
      await message.send(person);
      const credential = await message.credential(person);
      const answers = await atOnce(30, () => message.take(person, credential));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, body } of answers.filter((each) => each.status !== 200)) {
        expect([400, 403]).toContain(status);
        for (const member of ['result', 'access_token']) expect(body).not.toHaveProperty(member);
      }
    });
  },
);

test("a validated code cannot be exchanged if the user's address has changed since the validation", async () => {
  const { email, user_id } = await newUser(server);
  const code = await codeAt(await sectionC.resultByEmail(email));
  await sectionC.put(`/v1/users/${user_id}`, { email: newEmail() });
  expect((await sectionC.exchange(code)).status).toBe(400);
});

type Opened = readonly [
  ...[name: string, path: string, operation: string],
  ...[address: (person: Person) => Promise<string>, take: Message['take']],
];
const sendAndReadLink = (message: Message) => async (person: Person) => {
  await message.send(person);
  return server.linkTo(person.email);
};
const OPENED: readonly Opened[] = [
  ['a magic link', 'link/email/open', 'openMagicLink', sendAndReadLink(MAGIC_LINK), MAGIC_LINK.take],
  [
    'a link of a code-based login',
    'links/email/open',
    'openCodeBasedLink',
    sendAndReadLink(CODE_BASED_LINK),
    CODE_BASED_LINK.take,
  ],
  [
    'the result URL of a code-based login',
    'resume',
    'resumeLogin',
    ({ email }) => sectionC.resultByEmail(email),
    CODE_BASED_LINK.take,
  ],
];

describe.each(OPENED)('link that an email scanner opens: %s', (_name, path, operation, address, take) => {
  test('opening a link with GET or HEAD neither consumes its code nor changes the database', async () => {
    const person = await newUser(server);
    const link = await address(person);
    server.resetMetrics();
    const head = await open(link, { method: 'HEAD' });
    expect([head.status, head.headers.get('location')]).toEqual([200, null]);
    const prefetch = await open(link, { headers: { 'sec-purpose': 'prefetch;prerender' } });
    expect([prefetch.status, prefetch.headers.get('location')]).toEqual([204, null]);
    for (let count = 0; count < 5; count += 1) {
      const opened = await open(link, { headers: { 'user-agent': 'Scanner/1.0' } });
      expect(opened.status).toBe(302);
      expect(opened.headers.get('cache-control')).toBe('no-store');
      expect(opened.headers.get('referrer-policy')).toBe('no-referrer');
    }
    const calls = JSON.stringify((server.metrics() as Readonly<Record<string, unknown>>)[operation]);
    expect(calls).toContain('GetItem');
    expect(calls).not.toMatch(/PutItem|UpdateItem|DeleteItem/);
    expect((await take(person, await codeAt(link))).status).toBe(200);
  });

  test('opening an unknown link shows an error page that cannot be framed', async () => {
    const page = await open(`${server.environment.base_url}/v1/auth/${path}?code=unknown`, {
      headers: { accept: 'text/html', 'accept-language': 'de' },
    });
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(await page.text()).toContain('lang="de"');
  });
});

test.each([
  ['magic link', MAGIC_LINK],
  ['link of a code-based login', CODE_BASED_LINK],
])('if an application requires a Continue page, opening a %s shows this page', async (_section, message) => {
  await withApplication(server, { loginPreferences: { link: { interstitial: true } } }, async () => {
    const person = await newUser(server);
    const link = await sendAndReadLink(message)(person);
    const page = await open(link);
    expect(page.status).toBe(200);
    const code = new URL(link).searchParams.get('code') ?? '';
    expect(await page.text()).toContain(`href="${sectionC.redirectUri()}?code=${code}"`);
    expect((await message.take(person, code)).status).toBe(200);
  });
});

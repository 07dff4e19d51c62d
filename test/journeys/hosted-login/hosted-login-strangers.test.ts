import { describe, expect, test } from '@jest/globals';
import { PASSCODE_MAX_FAILURES } from '../../../shared/domain/basis/limits.ts';
import { failTimes, leftTo, readPageError, useHostedLogin } from '../../support/fixtures/hosted-login.ts';
import {
  createProvenUser,
  createUser,
  newEmail,
  newPhoneNumber,
  strangersGuess,
} from '../../support/fixtures/people.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { logLines } from '../../support/server/log-lines.ts';
import type { BrowserJar, BrowserPage } from '../../support/tools/browser-jar.ts';
import { takes } from '../../support/tools/full-run.ts';

const { server, login } = useHostedLogin({ rateLimits: 'off', environment: { ENVIRONMENT: 'test' } });

/** Returns the page without random values and without the user's input. */
function toPageShape({ status, html }: BrowserPage): string {
  const anonymous = html
    .replace(/name="(csrf|identifier)" value="[^"]*"/g, 'name="$1"')
    .replace(/\/(login|passkey)\/[\w-]{43}/g, '/$1/…')
    .replace(/(<input id="identifier"[^>]*) value="[^"]*"/g, '$1')
    .replace(/<time [^>]*>[^<]*<\/time>/g, '<time>')
    .replace(/(data-seconds="|Available in )\d+/g, '$1…')
    .replace(/<strong dir="ltr">[^<]*<\/strong>/g, '<strong>masked</strong>');
  return `${status}\n${anonymous}`;
}

/** Counts the AWS calls of submitted forms, except the delivery of messages. */
function countWork(): Readonly<Record<string, number>> {
  const { loginAct } = server.metrics();
  const calls = Object.entries(loginAct?.aws_calls ?? {});
  return Object.fromEntries(calls.filter(([name]) => !/^(?:ses|sns)\./.test(name)));
}

describe.each([
  ['with sign-up', {}, 2],
  ['without sign-up', { createNewUser: 'false' }, 0],
] as const)('N122 account enumeration on hosted pages, %s', (title, change, mailsToUnknown) => {
  /** Selects half of the cases for this group of tests, so that the two groups together run each case once. */
  const half = <Case>(cases: readonly Case[]) =>
    cases.filter((_, index) => takes(index + (title === 'with sign-up' ? 0 : 1), 2));

  /** Goes through all login steps that need no correct code. Returns the shapes of their pages. */
  async function walk(identifier: string, method: string): Promise<readonly string[]> {
    const jar = login.browser();
    const identify = await jar.open(login.address(change));
    const sent = await identify.submit({ identifier, method });
    const shapes = [identify, sent];
    shapes.push(await sent.submit({}, '/resend'));
    if (method !== 'link')
      for (let tries = 0; tries < 5; tries += 1)
        shapes.push(await sent.submit({ passcode: `000000${tries}` }));
    shapes.push(await sent.submit({}, '/change'));
    return shapes.map(toPageShape);
  }

  async function identifiers(kind: 'email' | 'phone') {
    const known = kind === 'email' ? newEmail() : newPhoneNumber();
    const disabled = kind === 'email' ? newEmail() : newPhoneNumber();
    const field = kind === 'email' ? 'email' : 'phone_number';
    await createUser(server, { [field]: known });
    const { user_id } = await createUser(server, { [field]: disabled });
    await server.put(`/v1/users/${user_id}`, { status: 'Disabled' }, { token: await server.clientToken() });
    const unknown = kind === 'email' ? newEmail() : newPhoneNumber();
    return { known, disabled, unknown };
  }

  const ways = [
    ['email', 'email'],
    ['link', 'email'],
    ['sms', 'phone'],
  ] as const;

  test.each(half(ways))(
    'login by %s shows the same pages for known and unknown users',
    async (method, kind) => {
      const { known, disabled, unknown } = await identifiers(kind);
      const expected = await walk(known, method);
      expect(expected.at(-2)).toContain(method === 'link' ? 'Check your email' : 'Too many wrong codes');
      expect(await walk(unknown, method)).toEqual(expected);
      expect(await walk(disabled, method)).toEqual(expected);
      expect(await server.messages({ to: known })).toHaveLength(2);
      expect(await server.messages({ to: unknown })).toHaveLength(mailsToUnknown);
      expect(await server.messages({ to: disabled })).toEqual([]);
    },
  );

  test.each(half(ways))(
    'until the message is sent, login by %s makes the same AWS calls for known and unknown users',
    async (method, kind) => {
      const { known, disabled, unknown } = await identifiers(kind);
      const work = async (identifier: string) => {
        const jar = login.browser();
        // The first request sets a cookie. A browser with this cookie could be a known device, so the cookie is looked up.
        await jar.open(login.address(change));
        const page = await jar.open(login.address(change));
        server.resetMetrics();
        const sent = await page.submit({ identifier, method });
        // The last wrong attempt invalidates the code.
        if (method !== 'link') await failTimes(sent);
        return countWork();
      };
      const expected = await work(known);
      expect(expected['dynamodb.GetItem']).toBeGreaterThan(3);
      expect(await work(unknown)).toEqual(expected);
      expect(await work(disabled)).toEqual(expected);
    },
  );

  const failures = [
    ['rejects the number as opted out', 'sms', 'sns', 'OptedOut'],
    ['throttles SMS', 'sms', 'sns', 'Throttling'],
    ['is unavailable for emails', 'email', 'ses', 'ServiceUnavailable'],
    ['throttles emails that contain links', 'link', 'ses', 'Throttling'],
    ['reports a missing configuration set', 'email', 'ses', 'ConfigurationSetDoesNotExist'],
    ['reports missing permissions', 'sms', 'sns', 'AuthorizationError'],
  ] as const;

  test.each(half(failures))(
    'known and unknown users see the same page if the email or SMS provider %s',
    async (_, method, service, code) => {
      const { known, unknown } = await identifiers(method === 'sms' ? 'phone' : 'email');
      const expected = await walk(unknown, method);
      await server.faults.inject({
        service,
        effect: 'error',
        code,
        ...(code === 'ServiceUnavailable' && { status: 503 }),
      });
      try {
        expect(await walk(known, method)).toEqual(expected);
      } finally {
        await server.faults.clear();
      }
      expect(await server.messages({ to: known })).toEqual([]);
    },
  );

  test('an unexpected failure of the email provider is logged and counted as an error', async () => {
    const { known } = await identifiers('email');
    const page = await login.browser().open(login.address(change));
    await server.faults.inject({
      service: 'ses',
      effect: 'error',
      code: 'AccessDeniedException',
      status: 403,
    });
    const lines = await logLines(async () => {
      const sent = await page.submit({ identifier: known, method: 'email' });
      expect(sent.status).toBe(200);
    }).finally(() => server.faults.clear());
    expect(lines.filter(({ event }) => event === 'browser/login-act')).toMatchObject([
      {
        level: 'error',
        status: 303,
        result: 'internal_error',
        error: { name: 'AccessDeniedException' },
        ServerErrors: 1,
      },
    ]);
  });

  test('N139 the login page treats an address whose emails bounce like any other address', async () => {
    const { known, unknown } = await identifiers('email');
    const { users, identifiers: claims } = await server.ports(['users', 'identifiers']);
    const tenantId = server.environment.tenant_id;
    const userId = String(await claims.find(tenantId, { type: 'email', value: known }));
    const mark = { reason: 'bounce', since: 1 } as const;
    await users.markUndeliverable({ userId, tenantId, createdAt: 1 }, known, mark);
    expect(await walk(known, 'email')).toEqual(await walk(unknown, 'email'));
    expect(await server.messages({ to: known })).toEqual([]);
  });

  test('the login page shows an error if the message for the second factor cannot be sent', async () => {
    const [email, phone_number] = [newEmail(), newPhoneNumber()];
    await createProvenUser(server, { email, phone_number });
    const code = await login.toCode(login.browser(), email, { acr_values: 'mfa' });
    const second = await code.submit({ passcode: await server.codeTo(email) });
    await server.faults.inject({ service: 'sns', effect: 'error', code: 'OptedOut' });
    const failed = await second.submit({ method: 'sms' });
    await server.faults.clear();
    expect(readPageError(failed)).toMatch(/couldn’t be sent/);
    const text = await second.submit({ method: 'sms' });
    leftTo(await text.submit({ passcode: await server.codeTo(phone_number) }));
  });
});

describe('N116 protection against locking a user out', () => {
  async function knownDevice(email: string): Promise<BrowserJar> {
    const jar = login.browser();
    await login.logIn(jar, email);
    return jar;
  }

  test('the number of wrong codes is limited even in a known browser', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const own = await knownDevice(email);
    const page = await login.toCode(own, email, { prompt: 'login' });
    const digits = await server.codeTo(email);
    const locked = await failTimes(page);
    expect(readPageError(locked)).toMatch(/^Too many wrong codes/);
    expect(readPageError(await page.submit({ passcode: digits }))).toMatch(/^Too many wrong codes/);
  });

  test('a browser is known only for the user who has logged in with it', async () => {
    const [email, other] = [newEmail(), newEmail()];
    await createUser(server, { email });
    await createUser(server, { email: other });
    const own = await knownDevice(email);
    await strangersGuess(server, other, PASSCODE_MAX_FAILURES);
    expect(readPageError(await login.afterCode(own, other, { prompt: 'login' }))).toMatch(
      /^You can’t sign in with a code/,
    );
  });
});

test('the table `flows` contains no readable address and no browser secret', async () => {
  const [email, phone, unknown] = [newEmail('at.rest'), newPhoneNumber(), newEmail('at.rest')];
  await createProvenUser(server, { email, phone_number: phone });
  const jar = login.browser();
  const hint = { login_hint: email, acr_values: 'mfa', state: 'state-at-rest' };
  const code = await login.toCode(jar, email, hint);
  await login.toCode(login.browser(), unknown, { createNewUser: 'true' });
  await login.toCode(login.browser(), phone, {}, 'sms');
  await login.toCode(login.browser(), email, {}, 'link');
  const link = await server.linkTo(email);
  const before = await dumpTable('flows');
  const [mail] = (await server.messages({ to: email })).slice(1);
  const second = await code.submit({ passcode: mail?.codes[0] ?? '' });
  await second.submit({ method: 'sms' });
  await login.logIn(login.browser(), unknown, { createNewUser: 'true' });
  const dump = before + (await dumpTable('flows'));
  const secrets = [email, phone, unknown, 'at.rest', 'state-at-rest', new URL(link).searchParams.get('link')];
  const told = [...secrets, ...jar.cookies.values()].filter((secret) => dump.includes(secret ?? 'login#'));
  expect(told).toEqual([]);
});

// Sending another code fails: which codes stay valid, including a code that may have been delivered.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Fault } from '../../../lib/local/emulators/basis/faults.ts';
import { hostedLogin, leftTo, otherDigits } from '../../support/fixtures/hosted-login.ts';
import { createProvenUser, newEmail, useUpTries } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer({ rateLimits: 'off' });
let token: string;
beforeAll(async () => {
  token = await server.clientToken();
});

const named = (identifier: string) => ({ identifier_type: 'email', identifier });
const send = (email: string) =>
  server.post('/v1/auth/otp/send', { channel: 'email', ...named(email) }, { token });
const authenticate = async (email: string, passcode: string) =>
  (await server.post('/v1/auth/otp/authenticate', { ...named(email), passcode }, { token })).status;

async function resend(email: string, fault: Partial<Fault>): Promise<{ status: number; code: string }> {
  await server.faults.inject({ service: 'ses', effect: 'error', times: 3, ...fault });
  const { status } = await send(email);
  await server.faults.clear();
  return { status, code: await server.codeTo(email) };
}

const LOST = { effect: 'lost-answer' } as const;

/** Sends a code, and then another code for which the response of SES is lost. Returns both codes. */
async function withTwoCodes() {
  const email = newEmail();
  await createProvenUser(server, { email });
  await send(email);
  const older = await server.codeTo(email);
  const { status, code: newer } = await resend(email, LOST);
  expect([status, newer === older]).toEqual([503, false]);
  return { email, older, newer };
}

describe("resending a code when the email service's response is lost", () => {
  test.each(['older', 'newer'] as const)(
    'if the response to the second email was lost, the user can log in with the %s of the two codes',
    async (which) => {
      const { email, ...codes } = await withTwoCodes();
      expect(await authenticate(email, codes[which])).toBe(200);
      expect(await authenticate(email, codes.older)).toBe(400);
      expect(await authenticate(email, codes.newer)).toBe(400);
    },
  );

  test('two codes that are valid after a lost response share one limit on failed attempts', async () => {
    const { email, older, newer } = await withTwoCodes();
    for (const status of await useUpTries((passcode) => authenticate(email, passcode)))
      expect(status).toBe(400);
    expect(await authenticate(email, older)).toBe(403);
    expect(await authenticate(email, newer)).toBe(403);
  });

  test('an email that was sent successfully invalidates all earlier codes', async () => {
    const { email, older } = await withTwoCodes();
    const { code: third } = await resend(email, LOST);
    await send(email);
    const last = await server.codeTo(email);
    expect(await authenticate(email, older)).toBe(400);
    expect(await authenticate(email, third)).toBe(400);
    expect(await authenticate(email, last)).toBe(200);
    const again = await withTwoCodes();
    await resend(again.email, LOST);
    expect(await authenticate(again.email, again.older)).toBe(200);
  });
});

test.each([
  ['rejected', { code: 'MessageRejected' }, 400],
  ['throttled', { code: 'Throttling' }, 503],
] as const)("a user's earlier code stays valid if the next message is %s", async (_, fault, expected) => {
  const email = newEmail();
  await createProvenUser(server, { email });
  await send(email);
  const code = await server.codeTo(email);
  expect((await resend(email, fault)).status).toBe(expected);
  expect(await authenticate(email, otherDigits(code))).toBe(400);
  expect(await authenticate(email, code)).toBe(200);
  expect(await authenticate(email, code)).toBe(400);
});

describe.each([
  ['lost', LOST],
  ['rejected', { code: 'MessageRejected' }],
] as const)('login page after the second email was %s', (_, fault) => {
  test.each(['digits', 'link'] as const)(
    'after the second email has failed, a user can log in with the %s of the first email',
    async (which) => {
      const email = newEmail();
      await createProvenUser(server, { email });
      const login = hostedLogin(server);
      const jar = login.browser();
      const page = await login.toCode(jar, email);
      const [passcode, link] = [await server.codeTo(email), await server.linkTo(email)];
      await server.advanceClock(61);
      await server.faults.inject({ service: 'ses', effect: 'error', times: 3, ...fault });
      const resent = await page.submit({}, '/resend');
      await server.faults.clear();
      expect(resent.status).toBe(200);
      const end =
        which === 'digits' ? resent.submit({ passcode }) : jar.open(link).then((open) => open.submit({}));
      expect(leftTo(await end).searchParams.get('code')).toBeTruthy();
    },
  );
});

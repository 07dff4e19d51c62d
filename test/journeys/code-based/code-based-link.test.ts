import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { codeAt, open, readRedirect } from '../../support/fixtures/code-based.ts';
import { useCodeBased } from '../../support/fixtures/code-based-people.ts';
import { createUser, findUser, newEmail, newUser } from '../../support/fixtures/people.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { someUse } from '../../support/server/records.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer();
const sectionC = useCodeBased(server);

async function linkTo(email: string, fields: object = {}): Promise<string> {
  const { status, body } = await sectionC.sendLink({ email, ...fields });
  if (status !== 200) throw new Error(`not sent: ${JSON.stringify(body)}`);
  return server.linkTo(email);
}

describe('lifetime and use of an emailed link in a code-based login', () => {
  test('an emailed login link redirects to the client with a single-use authorization code', async () => {
    const { email, user_id } = await newUser(server);
    const sent = await sectionC.sendLink({ email });
    expect(sent).toMatchObject({ status: 200, body: { message: 'Email sent successfully' } });
    expect(Object.keys(sent.body)).toEqual(['message']);
    const link = new URL(await server.linkTo(email));
    expect(link.pathname).toBe('/v1/auth/links/email/open');

    const opened = await open(link.href);
    expect(opened.status).toBe(302);
    const target = await readRedirect(opened);
    expect(`${target.origin}${target.pathname}`).toBe(sectionC.redirectUri());
    expect([...target.searchParams.keys()]).toEqual(['code']);
    const code = target.searchParams.get('code') ?? '';
    expect(code).toBe(link.searchParams.get('code'));

    const { status, body } = await sectionC.exchange(code);
    expect([status, body.is_user_created]).toEqual([200, false]);
    expect(await sectionC.verifyIdToken(body)).toMatchObject({
      sub: user_id,
      amr: ['eml'],
      email,
      email_verified: true,
    });
    expect((await findUser(server, user_id)).email?.email_verified).toBe(true);
    expect((await sectionC.exchange(code)).status).toBe(400);
  });

  test('the auth_time of a link login is the time when the link was opened, not when it was sent', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const link = await linkTo(email);
    await server.advanceClock(600);
    const { body } = await sectionC.exchange(await codeAt(link));
    const { auth_time, iat } = await sectionC.verifyIdToken(body);
    expect(Math.abs((iat ?? 0) - auth_time)).toBeLessThanOrEqual(2);
    const { sessions } = await server.ports(['sessions']);
    const session = await sessions.find(body.session_id, Math.floor(Date.now() / 1000));
    expect(session?.methods).toEqual([someUse({ method: 'eml', at: auth_time })]);
  });

  test('an emailed link and its authorization code expire after the lifetime that the application configures', async () => {
    const { email } = await newUser(server);
    const loginPreferences = { link: { expiresMinutes: 2 } };
    await withApplication(server, { loginPreferences }, async () => {
      const link = await linkTo(email);
      await server.advanceClock(110);
      const code = await codeAt(link);
      await server.advanceClock(10);
      expect((await sectionC.exchange(code)).status).toBe(400);
      const target = await readRedirect(open(link));
      expect(Object.fromEntries(target.searchParams)).toEqual({
        error: 'invalid_link',
        error_description: expect.any(String),
      });
    });
  });

  test("the magic link API and the code-based API reject each other's codes", async () => {
    const { email } = await newUser(server);
    const link = await linkTo(email);
    const code = await codeAt(link);
    const a2 = await sectionC.post('/v1/auth/link/email/authenticate', { code });
    expect(a2).toMatchObject({ status: 400, body: { message: 'Invalid magic link code' } });
    const direct = {
      identifier: email,
      identifier_type: 'email',
      redirect_uri: sectionC.redirectUri(),
      channel: 'direct',
    };
    const a1 = await sectionC.post<{ code: string }>('/v1/auth/link/email/send', direct);
    expect((await sectionC.exchange(a1.body.code)).status).toBe(400);
    for (const path of ['/v1/auth/links/email/open', '/v1/auth/resume'])
      expect((await open(`${server.url}${path}?code=${a1.body.code}`)).status).toBe(404);
    expect((await open(`${server.url}/v1/auth/resume?code=${code}`)).status).toBe(404);
    const digits = new URL(await sectionC.resultByEmail(email)).searchParams.get('code');
    expect((await open(`${server.url}/v1/auth/links/email/open?code=${digits}`)).status).toBe(404);
    expect((await sectionC.exchange(code)).status).toBe(200);
  });
});

describe('Continue page of an emailed login link', () => {
  test('submitting the Continue form of an unknown link shows an error page that cannot be framed', async () => {
    const page = await open(`${server.environment.base_url}/v1/auth/links/email/open?code=unknown`, {
      ...{ method: 'POST', body: new URLSearchParams({ csrf: 'x' }) },
      headers: { accept: 'text/html', 'accept-language': 'fr' },
    });
    expect(page.status).toBe(404);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await page.text()).toContain('lang="fr"');
  });
});

describe('optional fields of a request for a login link', () => {
  test('the tokens of a link login contain the claims that were requested when the link was sent', async () => {
    const { email } = await newUser(server);
    const link = await linkTo(email, {
      email_content: { subject: 'Come in', linkText: 'Open the door' },
      claims: { id_token: { auth_time: { essential: true } }, access_token: { email: null } },
      client_attributes: { user_agent: 'Browser/1', ip_address: 'not an address' },
    });
    expect(await sectionC.lastMessage(email)).toMatchObject({
      subject: 'Come in',
      html: expect.stringContaining('Open the door'),
    });
    const { body } = await sectionC.exchange(await codeAt(link));
    const access = await verifyToken(server, body.access_token, server.environment.issuer);
    expect(access.payload.email).toBe(email);
    const { sessions } = await server.ports(['sessions']);
    const session = await sessions.find(body.session_id, Math.floor(Date.now() / 1000));
    expect(session).toMatchObject({ userAgent: 'Browser/1' });
    expect(session).not.toHaveProperty('ipAddress');
  });

  test.each([false, true])(
    'a login link cannot be used if the email provider rejected its email (require_mfa: %s)',
    async (require_mfa) => {
      const { email } = await newUser(server);
      const before = await dumpTable('flows');
      await server.faults.inject({ service: 'ses', effect: 'error', code: 'MessageRejected', times: 1 });
      expect(await sectionC.sendLink({ email, require_mfa })).toMatchObject({
        status: 400,
        body: { error_code: 400 },
      });
      const added = (
        JSON.parse(await dumpTable('flows')) as Record<string, { S?: string; N?: string }>[]
      ).filter((item) => item.pk?.S?.startsWith('code#') && !before.includes(item.pk.S));
      expect(added).toEqual([expect.objectContaining({ consumed_at: { N: expect.any(String) } })]);
    },
  );

  test('a request for a login link is rejected if the application does not offer login links', async () => {
    const { email } = await newUser(server);
    await withApplication(server, { loginPreferences: { email: {} } }, async () => {
      expect(await sectionC.sendLink({ email })).toMatchObject({ status: 403, body: { error_code: 403 } });
    });
  });
});

import { describe, expect, test } from '@jest/globals';
import { withApplication } from '../../support/fixtures/application.ts';
import { createUser, findUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { type TokenResponse, verifyToken } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { useBackend } from '../../support/tools/backend.ts';

const server = useTestServer();
const { post, get } = useBackend(server);
const redirectUri = () => server.environment.redirect_uris[0] ?? '';

type Sent = { message: string; link: string; code: string; request_id: string; error_code: string };

const send = (fields: object) =>
  post<Sent>('/v1/auth/link/email/send', {
    redirect_uri: redirectUri(),
    identifier_type: 'email',
    ...fields,
  });
const authenticate = (fields: object) =>
  post<TokenResponse & { error_code: string; message: string }>('/v1/auth/link/email/authenticate', fields);
/** Opens a link as a browser does, but does not follow the redirect. */
const open = (link: string, init: RequestInit = {}) => fetch(link, { redirect: 'manual', ...init });

async function directLink(
  fields: object = {},
): Promise<Sent & { readonly email: string; readonly userId: string }> {
  const email = newEmail();
  const { user_id: userId } = await createUser(server, { email });
  const { body } = await send({ identifier: email, channel: 'direct', ...fields });
  return { ...body, email, userId };
}

const invalid = { status: 400, body: { error_code: '400', message: 'Invalid magic link code' } };

test('requesting a magic link for a deleted user returns the same error as for an unknown user', async () => {
  const email = newEmail();
  const { user_id } = await createUser(server, { email });
  const { userRecords } = await server.ports(['userRecords']);
  await userRecords.remove(user_id);
  const [gone, unknown] = [await send({ identifier: email }), await send({ identifier: newEmail() })];
  expect({ status: gone.status, body: gone.body }).toEqual({ status: unknown.status, body: unknown.body });
  expect(gone.status).toBe(404);
});

test('a magic link redirects to the client with a single-use code', async () => {
  const email = newEmail();
  const { user_id } = await createUser(server, { email });
  const sent = await send({ identifier: email, state: 'a b&c' });
  expect(sent).toMatchObject({ status: 200, body: { message: 'Email sent successfully' } });
  expect(Object.keys(sent.body)).toEqual(['message']);

  const opened = await open(await server.linkTo(email));
  expect(opened.status).toBe(302);
  const target = new URL(opened.headers.get('location') ?? '');
  expect(`${target.origin}${target.pathname}`).toBe(redirectUri());
  expect(target.searchParams.get('state')).toBe('a b&c');
  const code = target.searchParams.get('code');

  const { status, body } = await authenticate({ code });
  expect(status).toBe(200);
  const { payload } = await verifyToken(server, body.id_token, server.environment.client_id);
  expect(payload).toMatchObject({ sub: user_id, amr: ['eml'], email, email_verified: true });
  expect((await findUser(server, user_id)).email?.email_verified).toBe(true);
  expect(await authenticate({ code })).toMatchObject(invalid);
});

describe('magic links that cannot be opened', () => {
  test('opening an expired or used magic link redirects to the application with an error and the requested state', async () => {
    const expired = await directLink({ email_expiration: 1, state: 'xyz' });
    await server.advanceClock(61);
    const used = await directLink({ state: 'xyz' });
    await authenticate({ code: used.code });
    for (const { link } of [expired, used]) {
      const target = new URL((await open(link)).headers.get('location') ?? '');
      expect(Object.fromEntries(target.searchParams)).toEqual({
        error: 'invalid_link',
        error_description: expect.any(String),
        state: 'xyz',
      });
    }
    expect(await authenticate({ code: expired.code })).toMatchObject(invalid);
  });

  test('opening a magic link does not redirect to a URI that the application has removed', async () => {
    const { link, code } = await directLink();
    await withApplication(server, { redirectUris: ['https://elsewhere.example/'] }, async () => {
      const opened = await open(link);
      expect([opened.status, opened.headers.get('location')]).toEqual([404, null]);
      expect(await opened.text()).not.toContain(code);
    });
    expect((await open(link)).status).toBe(302);
  });
});

describe('SPEC A1: request for a magic link', () => {
  test('a magic link request may contain the deprecated field email', async () => {
    const email = newEmail();
    const other = newEmail();
    await createUser(server, { email });
    await createUser(server, { email: other });
    const deprecated = await post('/v1/auth/link/email/send', { redirect_uri: redirectUri(), email });
    expect(deprecated.status).toBe(200);
    expect(await server.messages({ to: email })).toHaveLength(1);
    await send({ identifier: other, email });
    expect(await server.messages({ to: email })).toHaveLength(1);
    expect(await server.messages({ to: other })).toHaveLength(1);
  });

  test('a magic link request is rejected if the identifier has no type', async () => {
    for (const fields of [{ identifier: 'a@example.com' }, { identifier_type: 'email' }, {}]) {
      const refused = await post('/v1/auth/link/email/send', { redirect_uri: redirectUri(), ...fields });
      expect(refused).toMatchObject({ status: 400, body: { error_code: '400' } });
    }
  });

  test('a magic link request is rejected if the redirect URI is not registered', async () => {
    const email = newEmail();
    await createUser(server, { email });
    const refused = await send({ identifier: email, redirect_uri: `${redirectUri()}/` });
    expect(refused).toMatchObject({
      status: 400,
      body: { error_code: '400', message: expect.stringContaining('redirect_uri') },
    });
  });

  test('a magic link request is rejected if the state is too long', async () => {
    const refused = await send({ identifier: newEmail(), state: '€'.repeat(500) });
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^state: .*bytes/) },
    });
  });

  test('a magic link request for an unknown user is rejected and creates no user', async () => {
    const email = newEmail();
    const unknown = await send({ identifier: email });
    expect(unknown).toMatchObject({ status: 404, body: { error_code: '404', message: 'User not found' } });
    await withApplication(server, { publicSignup: false }, async () => {
      expect(await send({ identifier: email })).toMatchObject({
        status: 403,
        body: { error_code: '403', message: 'Public signup is not allowed for this application' },
      });
    });
    const found = await get(`/v1/users/email/${email}`);
    expect(found.status).toBe(404);
  });

  test('a magic link for a user without an email address can only be returned to the backend', async () => {
    const phone_number = newPhoneNumber();
    await createUser(server, { phone_number });
    const fields = { identifier_type: 'phone_number', identifier: phone_number };
    expect(await send(fields)).toMatchObject({ status: 404, body: { error_code: '404' } });
    expect((await send({ ...fields, channel: 'direct' })).status).toBe(200);
  });

  test("a magic link's field email_expiration accepts more than 0 and at most 1440 minutes", async () => {
    for (const email_expiration of [0, -5, 1441, 'soon']) {
      const refused = await send({ identifier: newEmail(), email_expiration });
      expect(refused).toMatchObject({
        status: 400,
        body: { error_code: '400', message: expect.stringContaining('email_expiration') },
      });
    }
  });

  test('a magic link with a generated request ID cannot be authenticated without this ID', async () => {
    const { code, request_id } = await directLink({ generate_request_id: true });
    expect(await authenticate({ code })).toMatchObject(invalid);
    expect(await authenticate({ code, request_id: 'another' })).toMatchObject(invalid);
    expect((await authenticate({ code, request_id })).status).toBe(200);
  });
});

describe('SPEC A2: authenticating a magic link', () => {
  test('a magic link stays valid if its authentication was rejected because of an invalid request field', async () => {
    const { code } = await directLink();
    for (const [field, value, message] of [
      ['org_id', 'nowhere', 'User is not a member of the organization'],
      ['session_id', 'none', 'Session not found'],
      ['resource', 'https://unknown.example', 'Resource not found'],
    ] as const) {
      const refused = await authenticate({ code, [field]: value });
      expect(refused).toMatchObject({ status: 400, body: { error_code: '400', message } });
    }
    expect((await authenticate({ code })).status).toBe(200);
  });

  test('a magic link cannot join a session of another user', async () => {
    const first = await directLink();
    const { body } = await authenticate({ code: first.code });
    const second = await directLink();
    const refused = await authenticate({ code: second.code, session_id: body.session_id });
    expect(refused).toMatchObject({ status: 400, body: { message: 'Session not found' } });
  });
});

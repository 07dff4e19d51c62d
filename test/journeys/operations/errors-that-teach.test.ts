// Error messages that help developers to correct their requests.
import { describe, expect, test } from '@jest/globals';
import { createUser, newEmail } from '../../support/fixtures/people.ts';

import { useTestServer } from '../../support/server/use-test-server.ts';
import { logIn } from '../../support/tools/calls.ts';

const server = useTestServer();

type Body = { readonly message: string };

/** Sends a request with this `Authorization` header. Returns the `WWW-Authenticate` header of the 401 response. */
async function challengeTo(authorization: string | undefined, path = '/v1/users'): Promise<string | null> {
  const headers = authorization === undefined ? {} : { authorization };
  const { status, body, headers: answered } = await server.get<Body>(path, { headers });
  expect([status, body.message]).toEqual([401, 'Invalid token']);
  return answered.get('www-authenticate');
}

const invalid = (description: string) => `Bearer error="invalid_token", error_description="${description}"`;

describe('WWW-Authenticate challenge for a rejected access token', () => {
  const MISSING = invalid('An access token is missing: Authorization: Bearer and the token');
  const MALFORMED = invalid('This is not an access token of this service');

  test.each([undefined, 'Basic ZGVtbzpkZW1v', 'Bearer'])(
    'WWW-Authenticate reports a missing access token (Authorization header: %s)',
    async (authorization) => {
      expect(await challengeTo(authorization)).toBe(MISSING);
    },
  );

  test('WWW-Authenticate reports an invalid access token', async () => {
    const { id_token } = await logIn(server);
    for (const token of ['abc', 'a.b.c', id_token])
      expect(await challengeTo(`Bearer ${token}`)).toBe(MALFORMED);
  });

  test('WWW-Authenticate reports an access token whose session has ended', async () => {
    const { access_token } = await logIn(server);
    const { status } = await server.post('/v1/auth/logout', {}, { token: access_token });
    expect(status).toBe(200);
    expect(await challengeTo(`Bearer ${access_token}`, '/v1/auth/device-keys')).toBe(
      invalid('The access token was revoked, or its session, client or application has ended'),
    );
    await server.advanceClock(3601);
    expect(await challengeTo(`Bearer ${access_token}`)).toBe(invalid('The access token has expired'));
  });
});

describe('error messages that tell developers how to correct a request', () => {
  test('the error for a missing permission names the permission', async () => {
    const { client_id, client_secret } = server.environment;
    const fields = { grant_type: 'client_credentials', client_id, client_secret, scope: 'users:read' };
    const { body } = await server.form<{ access_token: string }>('/oidc/token', fields);
    const refused = await server.post<Body>('/v1/users', { email: newEmail() }, { token: body.access_token });
    expect(refused.body.message).toBe(
      'Insufficient permission: needs users:create or apps:create or demo-app:create',
    );
    const { access_token } = await logIn(server);
    const { body: user } = await server.get<Body>('/v1/users', { token: access_token });
    expect(user.message).toMatch(/^Insufficient permission: needs the token of a client of an application/);
  });

  test('the error for an unsupported grant type names the supported grant types', async () => {
    const { client_id, client_secret } = server.environment;
    const ask = async (grant_type: string, scope: string) =>
      (await server.form<Body>('/oidc/token', { client_id, client_secret, grant_type, scope })).body.message;
    expect(await ask('password', '')).toBe(
      'grant_type must be one of client_credentials, authorization_code, refresh_token, urn:ietf:params:oauth:grant-type:token-exchange',
    );
    expect(await ask('client_credentials', 'everything')).toMatch(
      /^scope: the client may request .*\busers:read\b/,
    );
  });

  test('the error for an unknown identifier type names the known identifier types', async () => {
    const token = await server.clientToken();
    const send = async (identifier_type: string) => {
      const fields = { channel: 'direct', identifier_type, identifier: newEmail() };
      return (await server.post<Body>('/v1/auth/otp/send', fields, { token })).body.message;
    };
    const known = 'email, phone_number, user_id, username';
    expect(await send('mail')).toMatch(`User not found: identifier_type is none of ${known},`);
    expect(await send('e-mail')).toMatch(`identifier_type: must be one of ${known}, or a custom type`);
    expect(await send('email')).toBe('User not found');
  });

  test('if the requested scope lacks openid, the error names openid', async () => {
    const { client_id, client_secret } = server.environment;
    const request = { client_id, client_secret, response_type: 'code', scope: 'email' };
    const redirect_uri = 'http://localhost:8080/complete';
    const pushed = await server.form<Body>('/oidc/request', { ...request, redirect_uri });
    expect(pushed.body.message).toEqual([
      'scope: must include openid; known are openid, profile, email, phone, offline_access',
    ]);
    const { refresh_token } = await logIn(server);
    const refresh = { client_id, client_secret, grant_type: 'refresh_token', refresh_token, scope: 'all' };
    expect((await server.form<Body>('/oidc/token', refresh)).body.message).toMatch(
      /^scope: must be among those of the grant: \S/,
    );
  });

  test('the error for an invalid nested field contains the path of the field', async () => {
    const token = await server.clientToken();
    const { body } = await server.post<Body>(
      '/v1/auth/otp/send',
      {
        channel: 'email',
        identifier_type: 'email',
        identifier: newEmail(),
        email_content: { Subject: 'Hi' },
      },
      { token },
    );
    expect(body.message).toBe('email_content.subject: is required; you sent Subject, did you mean subject?');
  });

  test('the error for a misspelled field suggests the correct name', async () => {
    const token = await server.clientToken();
    const send = async (fields: object) =>
      (await server.post<{ message: string[] }>('/v1/auth/otp/sms', fields, { token })).body.message;
    const rest = { create_new_user: false, redirect_uri: 'http://localhost:8080/complete' };
    const { user_id } = await createUser(server, { email: newEmail() });
    expect(await send({ ...rest, phoneNumber: user_id })).toEqual([
      'phone_number: is required; you sent phoneNumber, did you mean phone_number?',
    ]);
    expect(await send({ ...rest, phone: '+1' })).toEqual([
      'phone_number: is required; you sent phone, did you mean phone_number?',
    ]);
    // A valid field, such as `identifier_type`, is not suggested as a misspelling of a missing field.
    const otp = { channel: 'direct', identifier_type: 'email' };
    const { body } = await server.post<Body>('/v1/auth/otp/send', otp, { token });
    expect(body.message).toBe('identifier: is required');
    for (const name of ['<b>phone</b>_number', 'telephone', 'n'])
      expect(await send({ ...rest, [name]: '+1' })).toEqual(['phone_number: is required']);
  });
});

test('the body of an error response contains the request ID', async () => {
  const idIn = async (path: string, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(server.environment.base_url + path, { method: 'POST', headers, body: '{}' });
    const { http_request_id: id } = (await answer.json()) as { readonly http_request_id?: string };
    expect(id === undefined || id === answer.headers.get('x-request-id')).toBe(true);
    return id !== undefined;
  };
  const headers = {
    authorization: `Bearer ${await server.clientToken()}`,
    'content-type': 'application/json',
  };
  const told = await Promise.all(['/v1/users', '/oidc/token'].map((path) => idIn(path, headers)));
  expect(told).toEqual([true, true]);
  for (const path of ['link/email/send', 'link/email/authenticate', 'otp/send', 'otp/authenticate'])
    expect(await idIn(`/v1/auth/${path}`, headers)).toBe(false);
});

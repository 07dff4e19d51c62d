import { beforeAll, expect, test } from '@jest/globals';
import { CLAIMS_REQUEST_MAX_BYTES } from '../../../shared/domain/basis/limits.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer();
let token: string;

beforeAll(async () => {
  token = await server.clientToken();
});

const BAD_CLAIMS = { id_token: { acr: { values: ['x'.repeat(CLAIMS_REQUEST_MAX_BYTES)] } } };

async function newUser() {
  const identifier = newEmail();
  await createUser(server, { email: identifier });
  return { identifier_type: 'email', identifier };
}

test('SPEC A2: a request with invalid claims does not consume the magic link', async () => {
  const [redirect_uri] = server.environment.redirect_uris;
  const named = await newUser();
  const send = { redirect_uri, channel: 'direct', ...named };
  const { code } = (await server.post('/v1/auth/link/email/send', send, { token })).body;
  const authenticate = (claims?: object) =>
    server.post('/v1/auth/link/email/authenticate', { code, claims }, { token });
  expect(await authenticate(BAD_CLAIMS)).toMatchObject({ status: 400, body: { error_code: '400' } });
  expect((await authenticate()).status).toBe(200);
});

test('SPEC A4: a request with invalid claims does not count as a failed attempt', async () => {
  const named = await newUser();
  const { code } = (await server.post('/v1/auth/otp/send', { channel: 'direct', ...named }, { token })).body;
  const authenticate = (claims?: object) =>
    server.post('/v1/auth/otp/authenticate', { passcode: code, ...named, claims }, { token });
  for (let tries = 0; tries < 4; tries += 1)
    expect(await authenticate(BAD_CLAIMS)).toMatchObject({
      status: 400,
      body: { error_code: 'system_invalid_input' },
    });
  expect((await authenticate()).status).toBe(200);
});

import { describe, expect, test } from '@jest/globals';
import { newId, newSecret } from '../../../shared/domain/basis/random.ts';
import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { createAuthorizationCode } from '../../../shared/domain/oauth/authorization-code.ts';
import type { CodeFacts } from '../../../shared/domain/oauth/code-facts.ts';
import { sealSignUp } from '../../../shared/domain/users/sign-up.ts';
import { demoTenant, withApplication } from '../../support/fixtures/application.ts';
import { createUser, findUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import { computeChallenge, createVerifier } from '../../support/fixtures/proofs.ts';
import { verifyToken } from '../../support/fixtures/tokens.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import {
  codeFacts,
  exchange,
  expectDead,
  expectGrantError,
  logIn,
  refresh,
  type StoredCode,
  storeCode,
  storeNewCode,
} from '../../support/tools/authorized.ts';

const server = useTestServer();

/** Stores an authorization code of a sign-up. The user is created when the code is exchanged. */
async function pendingCode(
  email: string,
  change: Partial<CodeFacts> = {},
  phoneNumber?: string,
): Promise<StoredCode> {
  const { codes } = await server.ports(['codes']);
  const code = newSecret();
  const sealedSignUp = sealSignUp(code, { type: 'email', value: email, phoneNumber });
  const facts = codeFacts(server, newId(), { origin: 'code-based', sealedSignUp, ...change });
  const made = createAuthorizationCode(facts, Math.floor(Date.now() / 1000), 60, code);
  await codes.put(made.record);
  return made;
}

describe('SPEC C "Retrieve tokens" at /v1/token', () => {
  const retrieve = (code: string, fields: object = {}) => {
    const { client_id, client_secret } = server.environment;
    return server.post<Readonly<Record<string, string>>>('/v1/token', {
      code,
      client_id,
      client_secret,
      ...fields,
    });
  };

  test.each(['oidc', 'browser', 'code-based'] as const)(
    'SPEC C "Retrieve tokens" accepts authorization codes of the login flow %s',
    async (origin) => {
      const { code, record } = await storeNewCode(server, { origin, provenClient: true });
      const { status, body } = await retrieve(code);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          id_token: expect.any(String),
          access_token: expect.any(String),
          refresh_token: expect.any(String),
          is_user_created: false,
          token_type: 'Bearer',
          expires_in: 3600,
          session_id: record.sessionId,
        },
      });
      expect((await refresh(server, body.refresh_token ?? '')).status).toBe(200);
    },
  );

  test('N006 N007 /v1/token requires the right code_verifier for an authorization code with a PKCE challenge', async () => {
    const verifier = createVerifier(43);
    const { code } = await storeNewCode(server, { codeChallenge: computeChallenge(verifier) });
    expect((await retrieve(code)).status).toBe(400);
    expect((await retrieve(code, { code_verifier: createVerifier(44) })).status).toBe(400);
    expect((await retrieve(code, { code_verifier: verifier })).status).toBe(200);
  });

  test('N009 using an authorization code at the token endpoint revokes tokens that /v1/token issued for it', async () => {
    const stored = await storeNewCode(server, { provenClient: true });
    const { body } = await retrieve(stored.code);
    expectGrantError(await exchange(server, stored));
    await expectDead(server, body as unknown as { access_token: string; refresh_token: string });
  });

  test('N009 using an authorization code at /v1/token again does not end a session that existed before the code', async () => {
    const { user, tokens } = await logIn(server);
    const joining = { joinsSession: tokens.session_id, provenClient: true };
    const { code } = await storeCode(server, user.user_id, joining);
    const { body } = await retrieve(code);
    expect((await retrieve(code)).status).toBe(400);
    await expectDead(server, body as unknown as { access_token: string; refresh_token: string });
    expect((await refresh(server, tokens.refresh_token)).status).toBe(200);
  });

  test('errors of /v1/token contain a numeric error_code', async () => {
    const { code } = await storeNewCode(server, { provenClient: true });
    const wrong = await retrieve(code, { client_secret: 'wrong' });
    expect(wrong).toMatchObject({ status: 401, body: { error_code: 401, message: expect.any(String) } });
    const unknown = await retrieve(newSecret());
    expect(unknown).toMatchObject({ status: 400, body: { error_code: 400, message: [expect.any(String)] } });
    const { client_id, client_secret } = server.environment.management;
    expect((await retrieve(code, { client_id, client_secret })).status).toBe(400);
    expect((await retrieve(code)).status).toBe(200);
  });

  test('/v1/token creates the user of a sign-up, with a verified address', async () => {
    const email = newEmail();
    const deliveredToHash = identifierHash(await demoTenant(server), { type: 'email', value: email });
    const { code, record } = await pendingCode(email, { deliveredToHash });
    const { status, body } = await retrieve(code);
    expect({ status, created: body.is_user_created }).toEqual({ status: 200, created: true });
    expect(await findUser(server, record.userId)).toMatchObject({
      status: 'Active',
      email: { value: email, email_verified: true },
    });
    const { payload } = await verifyToken(server, body.id_token ?? '', server.environment.client_id);
    expect(payload).toMatchObject({ sub: record.userId, email, email_verified: true, new_user: true });
  });

  test('/v1/token creates no user if the phone number of the sign-up belongs to another user', async () => {
    const [email, phone_number] = [newEmail(), newPhoneNumber()];
    await createUser(server, { phone_number });
    const { client_id, client_secret } = server.environment;
    const form = { grant_type: 'authorization_code', client_id, client_secret };
    const first = await pendingCode(email, {}, phone_number);
    expect((await retrieve(first.code)).status).toBe(400);
    const second = await pendingCode(email, {}, phone_number);
    expect((await server.form('/oidc/token', { ...form, code: second.code })).status).toBe(400);
    expect((await createUser(server, { email })).email).toMatchObject({ value: email });
  });

  test('/v1/token creates no user if sign-up is disabled', async () => {
    await withApplication(server, { publicSignup: false }, async () => {
      const fresh = await pendingCode(newEmail());
      expect((await retrieve(fresh.code)).status).toBe(400);
      const token = await server.clientToken();
      expect((await server.get(`/v1/users/${fresh.record.userId}`, { token })).status).toBe(404);
    });
  });
});

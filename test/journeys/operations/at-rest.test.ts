import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { codeAt, codeBased } from '../../support/fixtures/code-based.ts';
import { decodeClaims, hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { createUser, newEmail, newPhoneNumber } from '../../support/fixtures/people.ts';
import type { TokenResponse } from '../../support/fixtures/tokens.ts';
import { dumpTable } from '../../support/server/dump.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';
import { refresh } from '../../support/tools/authorized.ts';

const server = useTestServer();
const login = hostedLogin(server);
let token: string;

beforeAll(async () => {
  token = await server.clientToken();
});

const digest = (text: string, encoding: 'hex' | 'base64url' | 'base64') =>
  createHash('sha256').update(text).digest(encoding);

test('N118: a copy of the table `flows` reveals no code, link, token or address', async () => {
  const email = newEmail();
  const phone_number = newPhoneNumber();
  await createUser(server, { email, phone_number });
  const byEmail = { identifier_type: 'email', identifier: email };
  const direct = await server.post<{ code: string; request_id: string }>(
    '/v1/auth/otp/send',
    { ...byEmail, channel: 'direct', generate_request_id: true },
    { token },
  );
  await server.post(
    '/v1/auth/otp/send',
    { identifier_type: 'phone_number', identifier: phone_number, channel: 'sms' },
    { token },
  );
  const [redirect_uri] = server.environment.redirect_uris;
  const link = await server.post<{ code: string }>(
    '/v1/auth/link/email/send',
    { ...byEmail, redirect_uri, channel: 'direct' },
    { token },
  );
  const login = await server.post<TokenResponse>(
    '/v1/auth/otp/authenticate',
    { ...byEmail, passcode: direct.body.code, request_id: direct.body.request_id },
    { token },
  );
  expect(login.status).toBe(200);

  const flows = await dumpTable('flows');
  expect(flows).toContain('otp#');
  expect(flows).toContain('link#');
  expect(flows).toContain('session#');
  const [sms] = await server.messages({ to: phone_number });
  const secrets = [
    email,
    phone_number,
    direct.body.code,
    direct.body.request_id,
    sms?.codes[0] ?? '',
    link.body.code,
    login.body.access_token,
    login.body.refresh_token.split('.').at(-1) ?? '',
  ];
  for (const secret of secrets) {
    expect(secret).not.toBe('');
    expect(flows).not.toContain(`"${secret}"`);
  }
  for (const address of [email, phone_number]) expect(flows).not.toContain(address);
  // No plain hash of a code is stored either, because an attacker could find the code by hashing a million codes.
  for (const code of [direct.body.code, sms?.codes[0] ?? ''])
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(flows).not.toContain(digest(code, encoding));
});

test('an address in the claims parameter is not stored in readable form', async () => {
  const [email, other, phone_number] = [newEmail('wanted'), newEmail('unwanted'), newPhoneNumber()];
  await createUser(server, { email, phone_number });
  const claims = {
    id_token: { email: { value: email }, phone_number: { values: [phone_number] } },
    access_token: { email: { value: other }, phone_number: { value: phone_number } },
  };
  const sectionC = codeBased(server, token);
  await sectionC.sendLink({ email, claims });
  const { body } = await sectionC.exchange(await codeAt(await sectionC.resultByEmail(email, { claims })));
  const { body: refreshed } = await refresh(server, body.refresh_token);
  const target = await login.logIn(login.browser(), email, { claims: JSON.stringify(claims) });
  const { body: hosted } = await login.exchange(target);
  for (const { id_token, access_token } of [body, refreshed, hosted]) {
    expect(decodeClaims(id_token)).toMatchObject({ email, phone_number });
    const access = decodeClaims(access_token);
    expect([access.email, access.phone_number]).toEqual([undefined, phone_number]);
  }
  const flows = await dumpTable('flows');
  for (const address of [email, other, phone_number]) expect(flows).not.toContain(address);
});

test('N027: client secrets are stored only as hashes', async () => {
  const directory = await dumpTable('directory');
  const { client_id, client_secret, management } = server.environment;
  expect(directory).toContain(client_id);
  expect(directory).toContain(digest(client_secret, 'base64url'));
  for (const secret of [client_secret, management.client_secret]) expect(directory).not.toContain(secret);
});

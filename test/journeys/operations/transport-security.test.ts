import { beforeAll, expect, test } from '@jest/globals';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import type { TestServer } from '../../support/server/test-server.ts';
import { useTestServer } from '../../support/server/use-test-server.ts';

const server = useTestServer();
let token: string;
beforeAll(async () => {
  token = await server.clientToken();
});

async function sentLink(): Promise<string> {
  const email = newEmail();
  await createUser(server, { email });
  const redirect_uri = server.environment.redirect_uris[0];
  const sent = await server.post<{ link: string }>(
    '/v1/auth/link/email/send',
    { email, redirect_uri, channel: 'direct' },
    { token },
  );
  return sent.body.link;
}

test.each<readonly [string, number, () => ReturnType<TestServer['request']>]>([
  ['an answer', 200, () => server.get('/health')],
  ['a public answer', 200, () => server.get('/oidc/jwks')],
  ['an answer without a body', 204, () => server.request('/oidc/token', { method: 'OPTIONS' })],
  ['a refusal', 401, () => server.get('/v1/users')],
  ['an unknown path', 404, () => server.get('/nothing')],
  ['a redirect', 302, async () => server.request(await sentLink())],
  ['a page', 404, () => server.get('/v1/auth/link/email/open?code=unknown')],
])('N029 %s asks the browser to stay with TLS', async (_title, status, ask) => {
  const answer = await ask();
  expect(answer.status).toBe(status);
  expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
});

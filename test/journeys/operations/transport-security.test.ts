import { beforeAll, expect, test } from '@jest/globals';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import type { World } from '../../support/server/test-server.ts';
import { useWorld } from '../../support/server/use-test-server.ts';

const world = useWorld();
let token: string;
beforeAll(async () => {
  token = await world.clientToken();
});

async function sentLink(): Promise<string> {
  const email = newEmail();
  await createUser(world, { email });
  const redirect_uri = world.environment.redirect_uris[0];
  const sent = await world.post<{ link: string }>(
    '/v1/auth/link/email/send',
    { email, redirect_uri, channel: 'direct' },
    { token },
  );
  return sent.body.link;
}

test.each<readonly [string, number, () => ReturnType<World['request']>]>([
  ['an answer', 200, () => world.get('/health')],
  ['a public answer', 200, () => world.get('/oidc/jwks')],
  ['an answer without a body', 204, () => world.request('/oidc/token', { method: 'OPTIONS' })],
  ['a refusal', 401, () => world.get('/v1/users')],
  ['an unknown path', 404, () => world.get('/nothing')],
  ['a redirect', 302, async () => world.request(await sentLink())],
  ['a page', 404, () => world.get('/v1/auth/link/email/open?code=unknown')],
])('N029 %s asks the browser to stay with TLS', async (_title, status, ask) => {
  const answer = await ask();
  expect(answer.status).toBe(status);
  expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hostedLogin, type HostedLogin, answerIn, claimsOf, leftTo } from '../support/hosted-login.ts';
import { createUser, newEmail } from '../support/people.ts';
import { verifyToken } from '../support/tokens.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let login: HostedLogin;

beforeAll(async () => {
  world = await startWorld({ rateLimits: 'off' });
  login = hostedLogin(world);
});
afterAll(async () => {
  await world.stop();
  world.expectNoViolations();
});

async function someUser(): Promise<string> {
  const email = newEmail();
  await createUser(world, { email });
  return email;
}

describe('the authorization endpoint', () => {
  test('leads through a login to the redirect URI, with code, state and iss (N038)', async () => {
    const target = await login.logIn(login.browser(), await someUser());
    expect(`${target.origin}${target.pathname}`).toBe(login.redirectUri);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'the state & more',
      iss: world.environment.issuer,
    });
    const { body } = await login.exchange(target);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid email' });
    expect(body.refresh_token).toBeUndefined();
    const { payload } = await verifyToken(world, body.id_token, world.environment.client_id);
    expect(payload).toMatchObject({ nonce: 'the-nonce', amr: ['eotp'], email_verified: true });
  });
});

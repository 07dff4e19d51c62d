import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BrowserJar } from '../support/browser-jar.ts';
import { createUser, newEmail } from '../support/people.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let token: string;
let redirect_uri: string;

beforeAll(async () => {
  world = await startWorld();
  token = await world.clientToken();
  redirect_uri = world.environment.redirect_uris[0] ?? '';
});
afterAll(async () => {
  await world.stop();
  world.expectNoViolations();
});

const origin = () => new URL(world.environment.base_url).origin;
const browser = () => new BrowserJar(origin());

const verifier = randomBytes(32).toString('base64url');
const code_challenge = createHash('sha256').update(verifier).digest('base64url');

function request(fields: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams({
    client_id: world.environment.client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid email',
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge,
    code_challenge_method: 'S256',
    ...fields,
  });
  return `${world.environment.issuer}/auth?${parameters}`;
}

async function mailedCode(email: string): Promise<string> {
  const [mail] = await world.messages({ to: email });
  return mail?.codes[0] ?? '';
}

/** A login by mailed code, to the redirect. */
async function logIn(jar: BrowserJar, email: string, fields: Readonly<Record<string, string>> = {}): Promise<URL> {
  const identify = await jar.open(request(fields));
  const code = await identify.submit({ identifier: email, method: 'email' });
  const done = await code.submit({ passcode: await mailedCode(email) });
  if (!done.left) throw new Error(`the login did not end: ${done.html}`);
  return done.left;
}

describe('a login on the hosted page', () => {
  test('leads to the redirect URI with code, state and iss', async () => {
    const email = newEmail();
    await createUser(world, { email });
    const target = await logIn(browser(), email);
    expect(`${target.origin}${target.pathname}`).toBe(redirect_uri);
    expect(target.searchParams.get('code')).toMatch(/^[\w-]{43}$/);
    expect(target.searchParams.get('state')).toBe('the-state');
    expect(target.searchParams.get('iss')).toBe(world.environment.issuer);
    expect(token).toBeTruthy();
  });
});

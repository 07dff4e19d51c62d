import { expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { newUser, REDIRECT_URI, register } from '../conformance/support.ts';
import { createUser, newEmail } from '../support/fixtures/people.ts';
import { bundledFunctions } from '../support/server/bundles.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { logIn } from '../support/tools/calls.ts';

// One login of each type with the bundled functions. `npm run test:bundles` runs all tests with the bundled functions.

const load = bundledFunctions();
const server = useTestServer({ load });

test('a user can log in with a passcode through the bundled functions', async () => {
  expect(await logIn(server)).toMatchObject({ access_token: expect.any(String) });
});

test('a user can log in with an emailed link through the bundled functions', async () => {
  const token = await server.clientToken();
  const identifier = newEmail();
  const { user_id } = await createUser(server, { email: identifier });
  const [redirect_uri] = server.environment.redirect_uris;
  const wanted = { channel: 'email', identifier_type: 'email', identifier, redirect_uri };
  expect((await server.post('/v1/auth/link/email/send', wanted, { token })).status).toBe(200);
  const opened = await server.get(await server.linkTo(identifier));
  const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code');
  const login = await server.post('/v1/auth/link/email/authenticate', { code }, { token });
  expect(login).toMatchObject({ status: 200, body: { session_id: expect.stringContaining(`${user_id}.`) } });
});

test('an OpenID Connect client can complete a hosted login through the bundled functions', async () => {
  const { clientId, clientSecret } = await register(server);
  const config = await client.discovery(
    new URL(server.environment.issuer),
    clientId,
    clientSecret,
    undefined,
    {
      execute: [client.allowInsecureRequests],
    },
  );
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const person = await newUser(server);
  const address = await client.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: REDIRECT_URI,
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const arrival = await person.authorize(address);
  const tokens = await client.authorizationCodeGrant(config, arrival, { pkceCodeVerifier });
  expect(tokens.claims()?.sub).toBe(person.userId);
});

// Logs a person in with the browser, which is redirected to a port on this machine (RFC 8252 §7.3).

import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OTL_CLIENT_ID } from '../../../shared/domain/operators/operators.ts';
import { RefusedError } from '../terminal/failure.ts';
import { keepLogin } from './login-file.ts';
import { buyTokens } from './tokens.ts';

const LOGIN_MILLISECONDS = 10 * 60 * 1000;
const PAGE = '<!doctype html><meta charset="utf-8"><title>otl</title><p>You can close this window.</p>';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
const secret = () => randomBytes(32).toString('base64url');

interface PendingRedirect {
  readonly redirectUri: string;
  /** Promise of the query parameters with which the browser is redirected to this machine after the login. */
  readonly answer: Promise<URLSearchParams>;
  readonly close: () => void;
}

async function waitForBrowser(state: string): Promise<PendingRedirect> {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    // Other programs on this machine can also call the port, so requests without our `state` are ignored.
    const isOurs = pathname === '/callback' && searchParams.get('state') === state;
    response.writeHead(isOurs ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      connection: 'close',
    });
    response.end(isOurs ? PAGE : '');
    if (isOurs) resolve(searchParams);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  const timer = setTimeout(
    () => reject(new RefusedError('The login was not completed within ten minutes.')),
    LOGIN_MILLISECONDS,
  );
  const close = () => {
    clearTimeout(timer);
    server.close();
  };
  return { redirectUri: `http://127.0.0.1:${port}/callback`, answer: promise, close };
}

/**
 * Logs a person in with the browser and stores the tokens on this machine.
 * @param say Shows the person the URL to open.
 * @throws `RefusedError`
 */
export async function logIn(baseUrl: string, say: (text: string) => void): Promise<void> {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const [state, verifier] = [secret(), secret()];
  const { redirectUri, answer, close } = await waitForBrowser(state);
  try {
    const asked = new URLSearchParams({
      client_id: OTL_CLIENT_ID,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid offline_access',
      acr_values: 'mfa',
      // Requests a new login, because some operations reject an older one.
      max_age: '0',
      state,
      code_challenge: sha256(verifier),
      code_challenge_method: 'S256',
      dpop_jkt: sha256(JSON.stringify({ crv: key.crv, kty: key.kty, x: key.x, y: key.y })),
    });
    say(`Open this URL in your browser and log in:\n\n${baseUrl}/oidc/auth?${asked}\n\n`);
    const given = await answer;
    const code = given.get('code');
    if (!code) throw new RefusedError(given.get('error_description') ?? 'The login was not completed.');
    const grant = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    keepLogin(baseUrl, await buyTokens(baseUrl, key, grant));
  } finally {
    close();
  }
}

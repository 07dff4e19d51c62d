import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** An application as the recipes test it: codes by its own backend, and the hosted pages. */
export async function startShop({ base_url, issuer, client_id, client_secret }, port = 0) {
  const client = { client_id, client_secret };
  const byForm = async (body) => {
    const granted = await fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams(body) });
    return granted.json();
  };
  const call = async (path, body) => {
    const { access_token } = await byForm({ grant_type: 'client_credentials', ...client });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${access_token}` };
    return fetch(base_url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const byEmail = (email) => ({ identifier_type: 'email', identifier: email });
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, url);
    if (pathname === '/login') {
      const { email } = await json(request);
      await call('/v1/users', { email });
      const { status } = await call('/v1/auth/otp/send', { ...byEmail(email), channel: 'email' });
      response.writeHead(status).end();
    } else if (pathname === '/code') {
      const { email, code } = await json(request);
      const { status } = await call('/v1/auth/otp/authenticate', { ...byEmail(email), passcode: code });
      response.writeHead(status).end();
    } else if (pathname === '/done') {
      const code = searchParams.get('code');
      const tokens = await byForm({ grant_type: 'authorization_code', code, redirect_uri, ...client });
      // Straight from the issuer: a real application verifies it all the same.
      const { email } = JSON.parse(Buffer.from(tokens.id_token.split('.')[1], 'base64url'));
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>Hello ${email}</p>`);
    } else {
      const scope = 'openid email';
      const asked = {
        client_id,
        response_type: 'code',
        scope,
        createNewUser: 'true',
        state: 's',
        redirect_uri,
      };
      response.writeHead(302, { location: `${issuer}/auth?${new URLSearchParams(asked)}` }).end();
    }
  });
  await once(server.listen(port, 'localhost'), 'listening');
  const url = `http://localhost:${server.address().port}`;
  const redirect_uri = `${url}/done`;
  return {
    url,
    post: (path, body) => fetch(url + path, { method: 'POST', body: JSON.stringify(body) }),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

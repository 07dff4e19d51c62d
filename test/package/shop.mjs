// Example application of the recipes in lib/local/for-tests/README.md. Logs users in on its own page or on the hosted page.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { ApiError, createClient } from 'one-time-login-client';

export async function startShop(
  { base_url: baseUrl, issuer, client_id: clientId, client_secret: clientSecret },
  port = 0,
) {
  const client = createClient({ baseUrl, clientId, clientSecret });
  const who = (email) => ({ identifier_type: 'email', identifier: email });
  const pages = {
    '/login': async ({ email }) => {
      // A code can be sent only to a user. The status 409 means that the user already exists.
      await client.createUser({ email }).catch((error) => {
        if (error.status !== 409) throw error;
      });
      await client.sendOTP({ ...who(email), channel: 'email' });
    },
    '/code': ({ email, code }) => client.authenticateOTP({ ...who(email), passcode: code }),
    '/done': async ({ code }) => {
      const { id_token } = await client.retrieveTokens({ code, redirect_uri });
      const { email } = await client.verifyIdToken(id_token);
      return `<p>Hello ${email}</p>`;
    },
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, url);
    try {
      if (!pages[pathname]) return response.writeHead(302, { location: loginUrl }).end();
      const fields = request.method === 'POST' ? await json(request) : Object.fromEntries(searchParams);
      response.setHeader('content-type', 'text/html').end(String(await pages[pathname](fields)));
    } catch (error) {
      response.writeHead(error instanceof ApiError ? error.status : 500).end();
    }
  });
  await once(server.listen(port, 'localhost'), 'listening');
  const url = `http://localhost:${server.address().port}`;
  const redirect_uri = `${url}/done`;
  const asked = {
    client_id: clientId,
    response_type: 'code',
    scope: 'openid email',
    state: 's',
    redirect_uri,
  };
  const loginUrl = `${issuer}/auth?${new URLSearchParams(asked)}`;
  return {
    url,
    post: (path, body) => fetch(url + path, { method: 'POST', body: JSON.stringify(body) }),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

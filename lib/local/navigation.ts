import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Redirects browsers from 127.0.0.1 to `localhost`, the host of passkeys and the login cookie. Scripts and API calls do not
 * ask for HTML and are left alone.
 */
export function redirectToLocalhost(request: IncomingMessage, response: ServerResponse): boolean {
  const { host = '', accept = '' } = request.headers;
  const port = /^127\.0\.0\.1(:\d+)?$/.exec(host)?.[1];
  if (request.method !== 'GET' || port === undefined || !accept.includes('text/html')) return false;
  response.writeHead(302, { location: `http://localhost${port}${request.url ?? '/'}` }).end();
  return true;
}

import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Redirects browsers from 127.0.0.1 to `localhost`, to which passkeys and the login cookie are bound. Returns false for other
 * requests, such as those of scripts, which do not accept HTML.
 */
export function redirectToLocalhost(request: IncomingMessage, response: ServerResponse): boolean {
  const { host = '', accept = '' } = request.headers;
  const port = /^127\.0\.0\.1(:\d+)?$/.exec(host)?.[1];
  if (request.method !== 'GET' || port === undefined || !accept.includes('text/html')) return false;
  response.writeHead(302, { location: `http://localhost${port}${request.url ?? '/'}` }).end();
  return true;
}

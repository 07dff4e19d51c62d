import type { IncomingMessage, ServerResponse } from 'node:http';

const LOOPBACK = /^(?:localhost|[\w.-]+\.localhost|127\.0\.0\.1|\[::1\])$/;
const SHOWN_MAX = 200;

/** Returns the name in a Host header, in lower case and without the port. */
const hostName = (host: string): string => host.toLowerCase().replace(/:\d*$/, '');

const countHeaders = (header: string, { rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === header).length;

/**
 * Checks if the local server may handle a request. If not, sends the error response and returns false. Without this check,
 * malicious web pages in a browser on this machine could reach the server by DNS rebinding or by cross-site requests.
 */
export type HostCheck = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Creates the check of the Host header and of cross-site requests.
 * @param hosts Host names that are allowed in addition to the loopback names.
 * @param isPrivate Returns true for requests that pages of other sites must not make, as shown by Fetch Metadata headers.
 */
export function createHostCheck(
  hosts: readonly string[],
  isPrivate: (request: IncomingMessage) => boolean,
): HostCheck {
  const names = new Set(hosts.map(hostName));
  return (request, response) => {
    const { host = '', 'sec-fetch-site': site } = request.headers;
    const name = hostName(host);
    // RFC 9112 §3.2 demands 400. Node itself silently ignores all Host headers but the first.
    if (countHeaders('host', request) > 1) {
      refuse(response, 400, 'The request has more than one Host header.');
      return false;
    }
    if (!LOOPBACK.test(name) && !names.has(name)) {
      const shown = JSON.stringify(host.slice(0, SHOWN_MAX));
      refuse(
        response,
        421,
        `The local server does not answer the host ${shown}. To allow a host, add it to LOCAL_HOSTS.`,
      );
      return false;
    }
    if (site !== 'cross-site' || !isPrivate(request)) return true;
    refuse(response, 403, 'Pages of other sites must not request this.');
    return false;
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response
    // Closing the connection keeps the unread body from being parsed as the next request.
    .writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(JSON.stringify({ message }));
}

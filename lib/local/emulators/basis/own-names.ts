import type { IncomingMessage, ServerResponse } from 'node:http';

const LOOPBACK = /^(?:localhost|[\w.-]+\.localhost|127\.0\.0\.1|\[::1\])$/;
const SHOWN_MAX = 200;

/** A host without its port. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, '');

const countOf = (header: string, { rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === header).length;

/**
 * Refuses what a web page may send from a browser on this machine: requests whose name was rebound to it (DNS rebinding), and
 * those of another site. False: it has answered.
 */
export type Admits = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * @param hosts answered besides those of the loopback
 * @param isPrivate what other sites may not ask for (Fetch Metadata)
 */
export function ownNames(hosts: readonly string[], isPrivate: (request: IncomingMessage) => boolean): Admits {
  const names = new Set(hosts.map(nameOf));
  return (request, response) => {
    const { host = '', 'sec-fetch-site': site } = request.headers;
    const name = nameOf(host);
    // RFC 9112 §3.2. Node drops all but the first.
    if (countOf('host', request) > 1) {
      refuse(response, 400, 'The request has more than one Host header.');
      return false;
    }
    if (!LOOPBACK.test(name) && !names.has(name)) {
      const shown = JSON.stringify(host.slice(0, SHOWN_MAX));
      refuse(
        response,
        421,
        `The local server has no name ${shown}. LOCAL_HOSTS lists names that it answers.`,
      );
      return false;
    }
    if (site !== 'cross-site' || !isPrivate(request)) return true;
    refuse(response, 403, 'Pages of another site may not ask for this.');
    return false;
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response
    // A body that was not read must not become the next request.
    .writeHead(status, {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(JSON.stringify({ message }));
}

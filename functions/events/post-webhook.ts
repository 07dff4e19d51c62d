import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

const TIME_OUT_MILLISECONDS = 5000;

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export class RefusedTarget extends Error {}

type Done = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/** Checks the addresses that the connection uses: DNS rebinding gains nothing. */
function publicLookup(hostname: string, options: LookupOptions, done: Done): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error);
    const allowed = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = allowed;
    if (!first) return done(new RefusedTarget('the host has no public address'));
    if (options.all) return done(null, allowed);
    return done(null, first.address, first.family);
  });
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Posts to an address that a tenant has chosen: https, public addresses only, no redirects, 5 seconds in all (OWASP, Server
 * Side Request Forgery Prevention). `allowLoopback`, for the local cloud, also allows `http` on this machine.
 * @returns the status
 * @throws RefusedTarget, or the network's error when there is no answer
 */
export function post({ url, headers, body }: Post, allowLoopback: boolean): Promise<number> {
  const target = new URL(url);
  const loopback = LOOPBACK.has(target.hostname);
  const local = allowLoopback && loopback;
  if (target.protocol !== 'https:' && !local) throw new RefusedTarget('the address must use https');
  const literal = target.hostname.replace(/^\[|\]$/g, '');
  if (!local && isIP(literal) !== 0 && !isPublicAddress(literal))
    throw new RefusedTarget('the address is not public');
  const send = target.protocol === 'https:' ? secureRequest : plainRequest;
  return new Promise((resolve, reject) => {
    const request = send(
      target,
      {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(TIME_OUT_MILLISECONDS),
        // A kept connection may end at an address that is public no more.
        agent: false,
        ...(local ? {} : { lookup: publicLookup as never }),
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        // The status is all that counts.
        response.destroy();
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

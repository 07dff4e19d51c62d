import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { findAddressFault, isOnThisMachine, isPublicAddress } from '../domain/basis/public-address.ts';

export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** True for the local server, which may also call the computer it runs on, even over `http`. */
  readonly loopback: boolean;
}

export class RefusedTarget extends Error {
  override readonly name = 'RefusedTarget';
}

type Done = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

/**
 * Resolves a host name to public addresses only. The connection uses exactly the addresses that were checked, which prevents
 * DNS rebinding.
 */
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

/**
 * Calls a URL that a tenant has chosen. Only https and public addresses are allowed, and redirects are not followed (OWASP,
 * Server Side Request Forgery Prevention).
 * @returns the response with its body unread
 * @throws RefusedTarget, or the network error if there is no response
 */
export async function publicRequest(address: string, outgoing: Outgoing): Promise<IncomingMessage> {
  const { method, headers, body, signal, loopback } = outgoing;
  const target = new URL(address);
  const isLocal = loopback && isOnThisMachine(target);
  const refusal = isLocal ? undefined : findAddressFault(target);
  if (refusal !== undefined) throw new RefusedTarget(refusal);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const { request } = target.protocol === 'https:' ? https : http;
    const sent = request(
      target,
      {
        method,
        headers: { ...headers, ...length },
        signal,
        // Connections are not reused, because the host of an open connection may no longer have a public address.
        agent: false,
        ...(isLocal ? {} : { lookup: publicLookup as never }),
      },
      resolve,
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

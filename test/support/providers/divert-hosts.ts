import http, { type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';

/**
 * Redirects https requests of this process for these hosts to an HTTP server on this machine. The server gets the original host
 * as `X-Forwarded-Host`.
 *
 * @returns Function that ends the redirection.
 */
export function divertHosts(hosts: readonly string[], port: number | string): () => void {
  const network = https.request;
  const diverted = (url: URL, options: RequestOptions, answered: (response: IncomingMessage) => void) => {
    if (!hosts.includes(url.host)) return network(url, options, answered);
    const { lookup: _, headers, ...rest } = options;
    const there = new URL(`http://127.0.0.1:${port}${url.pathname}${url.search}`);
    return http.request(there, { ...rest, headers: { ...headers, 'x-forwarded-host': url.host } }, answered);
  };
  https.request = diverted as typeof https.request;
  return () => {
    https.request = network;
  };
}

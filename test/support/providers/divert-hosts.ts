import http, { type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';

/**
 * Leads https requests of this process for these hosts to a plain server of this machine, which gets the host as
 * `X-Forwarded-Host`.
 *
 * @returns a function that ends the diversion
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

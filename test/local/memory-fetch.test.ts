import { expect, test } from '@jest/globals';
import { fetchInMemory } from '../support/runtime/memory-fetch.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

// Most tests call the server without sockets (`fetchInMemory`). The responses must equal responses over the network.

const server = useTestServer();

const json = { 'content-type': 'application/json' };
const CASES: readonly (readonly [path: string, init: RequestInit])[] = [
  ['/health', {}],
  ['/health', { method: 'HEAD' }],
  ['/health', { method: 'OPTIONS', headers: { origin: 'https://a.example' } }],
  ['/nowhere', { method: 'DELETE' }],
  ['/', { redirect: 'manual' }],
  ['/v1/users', { method: 'POST', headers: json, body: '{"username":"ä"}' }],
  ['/v1/users/me', { headers: { authorization: 'Bearer x' } }],
  ['/cis/oidc/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'none' }) }],
  ['/cis/oidc/token', { method: 'POST', body: 'text' }],
  ['/cis/oidc/auth?client_id=none', { redirect: 'manual', headers: { accept: 'text/html' } }],
  ['/_local/messages?to=none', {}],
];

/** Returns a response without the headers that belong to the connection or differ in each response. */
async function seen(response: Response) {
  const headers = [...response.headers].filter(
    ([name]) => !/^(?:date|connection|keep-alive|x-request-id)$/.test(name),
  );
  const body = (await response.text()).replaceAll(response.headers.get('x-request-id') ?? '-', 'ID');
  return { status: response.status, text: response.statusText, url: response.url, headers, body };
}

test.each(CASES)(
  'in-memory fetch and network fetch return the same response for %s %j',
  async (path, init) => {
    const address = server.url + path;
    expect(await seen(await fetchInMemory(address, init))).toEqual(await seen(await fetch(address, init)));
  },
);

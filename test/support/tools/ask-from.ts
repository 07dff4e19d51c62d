import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestServer } from '../server/test-server.ts';

/** Sends a request from a loopback address, such as 127.0.7.1, which the service treats as another network. */
export async function fetchFrom(localAddress: string, url: URL, init: RequestInit): Promise<Response> {
  const whole = new Request(url, { ...init, redirect: 'manual' });
  const { pathname, search, port } = url;
  const target = { host: '127.0.0.1', port, path: `${pathname}${search}`, method: whole.method };
  const sent = request({ ...target, localAddress, agent: false });
  sent.setHeader('host', url.host);
  for (const [name, value] of whole.headers) sent.setHeader(name, value);
  sent.end(await whole.text());
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const headers = new Headers();
  const { rawHeaders } = response;
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const { statusCode: status = 0 } = response;
  const body = await text(response);
  return new Response([204, 304].includes(status) ? null : body, { status, headers });
}

/** Sends a POST request to the server from a loopback address, such as 127.0.7.1. Returns the status. */
export async function askFrom(
  server: TestServer,
  localAddress: string,
  path: string,
  body: URLSearchParams | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const isForm = body instanceof URLSearchParams;
  const { status } = await fetchFrom(localAddress, new URL(server.environment.base_url + path), {
    method: 'POST',
    headers: { ...(!isForm && { 'content-type': 'application/json' }), ...headers },
    body: isForm ? body : JSON.stringify(body),
  });
  return status;
}

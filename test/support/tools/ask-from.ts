import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { TestServer } from '../server/test-server.ts';

/** Posts to the server from one of the addresses of this machine, and returns the status of the answer. */
export async function askFrom(
  server: TestServer,
  localAddress: string,
  path: string,
  body: URLSearchParams | object,
  headers: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const isForm = body instanceof URLSearchParams;
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const sent = request(`${server.environment.base_url.replace('localhost', '127.0.0.1')}${path}`, {
    method: 'POST',
    localAddress,
    agent: false,
    headers: { 'content-type': type, ...headers },
  });
  sent.end(isForm ? body.toString() : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

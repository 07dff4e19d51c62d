import type { TestServer } from '../server/test-server.ts';
import { fetchFrom } from './fetch-from.ts';

/** Posts to the server from one of the addresses of this machine, and returns the status of the answer. */
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

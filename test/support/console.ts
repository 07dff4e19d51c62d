import { demo } from '../../lib/local/demo.ts';
import { buildGrantId } from '../../shared/domain/basis/operators.ts';
import type { OperatorRole } from '../../shared/ports/operators.ts';
import type { TestServer } from './server/test-server.ts';

// Simulates the demo operator in the console, without a real browser.

type Headers = Readonly<Record<string, string>>;

export interface ConsolePage {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly html: string;
}

export interface AtConsole {
  readonly cookie: string;
  get(path: string, headers?: Headers): Promise<ConsolePage>;
  /** Posts a form of the console with its CSRF token, unless `fields` contains another one. */
  post(path: string, fields: Headers, headers?: Headers): Promise<ConsolePage>;
}

/** Calls the console without following redirects. */
export async function callConsole(
  server: TestServer,
  path: string,
  init: RequestInit = {},
): Promise<ConsolePage> {
  const answer = await fetch(`${server.environment.console_url}${path}`, { redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, html: await answer.text() };
}

const cookiesIn = (headers: globalThis.Headers): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .filter((cookie) => !cookie.endsWith('='))
    .join('; ');

/** Logs the demo operator in at the console, as one click in the playground does. */
export async function enterConsole(server: TestServer): Promise<AtConsole> {
  const led = await fetch(`${server.url}/_local/console`, { redirect: 'manual' });
  const { pathname, search } = new URL(led.headers.get('location') ?? '');
  const entered = await callConsole(server, `${pathname}${search}`, {
    headers: { cookie: cookiesIn(led.headers) },
  });
  const cookie = cookiesIn(entered.headers);
  const get = (path: string, headers: Headers = {}) =>
    callConsole(server, path, { headers: { cookie, ...headers } });
  let csrf: string | undefined;
  return {
    cookie,
    get,
    async post(path, fields, headers = {}) {
      csrf ??=
        /name="csrf" value="([^"]+)"/.exec((await get(`/${demo.tenantId}/applications`)).html)?.[1] ?? '';
      const body = new URLSearchParams({ csrf, ...fields });
      return callConsole(server, path, {
        method: 'POST',
        body,
        headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
      });
    },
  };
}

/** Gives the demo operator another role in the demo tenant. */
export async function becomeOperator(server: TestServer, role: OperatorRole): Promise<void> {
  const { operatorRecords } = await server.ports(['operatorRecords']);
  const grant = await operatorRecords.find(
    buildGrantId({ userId: demo.operator.userId, tenantId: demo.tenantId }),
  );
  if (!grant) throw new Error('the demo operator has no grant');
  await operatorRecords.replace(grant, { ...grant, role });
}

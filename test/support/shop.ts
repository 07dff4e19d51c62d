import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { codeBased, type RetrievedTokens } from './code-based.ts';
import type { World } from './world.ts';

/**
 * A customer's application on a site of its own, with a backend that speaks section C: it asks for an address, sends what
 * the visitor chose, takes the digits, and exchanges the code that the browser comes back with.
 */
export interface Shop {
  readonly origin: string;
  readonly redirectUri: string;
  /** Tells it which service to use, once there is one. */
  connect(world: World, token: string): void;
  /** What the last exchange brought. */
  tokens(): RetrievedTokens | undefined;
  close(): void;
}

type Means = 'email' | 'sms' | 'link';

interface Visit {
  readonly means: Means;
  readonly to: string;
}

const page = (title: string, content: string) => `<!doctype html><title>${title}</title>${content}`;
const field = (label: string, name: string, value = '') =>
  `<label>${label} <input name="${name}" value="${value}"></label>`;
const form = (action: string, content: string) =>
  `<form method="post" action="${action}">${content}<button>Go</button></form>`;

const START = page(
  'Sign in',
  form(
    '/send',
    `${field('To', 'to')}${field('By', 'means')}${field('MFA', 'mfa')}${field('New', 'create_new_user')}`,
  ),
);

export async function openShop(): Promise<Shop> {
  let backend: ReturnType<typeof codeBased> | undefined;
  let visit: Visit = { means: 'email', to: '' };
  let retrieved: RetrievedTokens | undefined;

  async function send(fields: Readonly<Record<string, string>>): Promise<string> {
    const { to = '', means } = fields;
    visit = { means: means as Means, to };
    const asked = {
      redirect_uri: redirectUri,
      require_mfa: fields.mfa === 'yes',
      create_new_user: fields.create_new_user === 'yes',
    };
    const answer =
      means === 'sms'
        ? await backend?.sendSmsOtp({ phone_number: to, ...asked })
        : means === 'link'
          ? await backend?.sendLink({ email: to, ...asked })
          : await backend?.sendEmailOtp({ email: to, ...asked });
    if (answer?.status !== 200) return page('Refused', JSON.stringify(answer?.body));
    return means === 'link'
      ? page('Look into your mailbox', '')
      : page('Enter the code', form('/digits', field('Code', 'passcode')));
  }

  async function validate({ passcode }: Readonly<Record<string, string>>): Promise<string | undefined> {
    const { means, to } = visit;
    const answer =
      means === 'sms'
        ? await backend?.validateSmsOtp({ phone_number: to, passcode })
        : await backend?.validateEmailOtp({ email: to, passcode });
    return answer?.body.result;
  }

  async function callback(parameters: URLSearchParams): Promise<string> {
    const [code, error] = [parameters.get('code'), parameters.get('error')];
    if (code === null) return page(`Not yet: ${error}`, `<p>${parameters.get('error_description')}</p>`);
    const answer = await backend?.exchange(code);
    retrieved = answer?.body;
    return page(answer?.status === 200 ? 'Welcome' : 'Refused', '');
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
    const fields = Object.fromEntries(new URLSearchParams(await text(request)));
    const location = pathname === '/digits' ? await validate(fields) : undefined;
    if (location !== undefined) {
      response.writeHead(302, { location }).end();
      return;
    }
    const pages: Readonly<Record<string, () => string | Promise<string>>> = {
      '/': () => START,
      '/send': () => send(fields),
      '/digits': () => page('Wrong code', ''),
      '/callback': () => callback(searchParams),
    };
    const shown = await pages[pathname]?.();
    response.writeHead(shown === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(shown);
  }

  const server: Server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  // Not `localhost`, where the service is: another site, so that its cookies have to cross over.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const redirectUri = `${origin}/callback`;
  return {
    origin,
    redirectUri,
    connect: (world, token) => {
      backend = codeBased(world, token);
    },
    tokens: () => retrieved,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';
import { decodeClaims, hostedLogin, verifier } from '../fixtures/hosted-login.ts';
import { made, resourceFields } from '../fixtures/managed.ts';
import { createProvenUser, newEmail, newPhoneNumber } from '../fixtures/people.ts';
import type { TokenResponse } from '../fixtures/tokens.ts';
import type { TestServer, TestServerOptions } from '../server/test-server.ts';
import { useTestServer } from '../server/use-test-server.ts';
import type { BrowserJar, BrowserPage } from '../tools/browser-jar.ts';

type Fields = Readonly<Record<string, string | undefined>>;
type Document = Readonly<Record<string, unknown>>;
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server that publishes client ID metadata documents by path. A function as a document handles its requests. */
async function startDocuments() {
  const documents = new Map<string, Document | Answer>();
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const document = documents.get(path);
    if (typeof document === 'function') return document(request, response);
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    counts,
    /** Publishes a client document, at a new path by default. Returns its URL, which is the client ID. */
    publish(change: Document | Answer = {}, path = `/${randomUUID()}.json`): string {
      const clientId = `${origin}${path}`;
      const document = {
        client_id: clientId,
        client_name: 'Your bank',
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      };
      documents.set(path, typeof change === 'function' ? change : { ...document, ...change });
      return clientId;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Default redirect URI of the published clients. The URI uses https, so it does not lead to an app on a device. */
export const CALLBACK = 'https://agent.example.com/callback';

const SCOPES = [
  { name: 'notes:read', sentence: { en: 'Read your notes', de: 'Ihre Notizen lesen' }, default: true },
  { name: 'notes:write', sentence: { en: 'Change your notes' } },
  { name: 'notes:burn', sentence: { en: 'Burn your notes' }, acr: 'mfa' },
];

/** Ends of the form actions behind the buttons of the consent page. */
export const ALLOW = '/allow';
export const DENY = '/deny';

/** Returns functions that act as clients with a client ID metadata document. Call the returned `prepare` first. */
export function createAgents(server: TestServer) {
  const login = hostedLogin(server);
  const at: { documents?: Awaited<ReturnType<typeof startDocuments>>; notes: string } = { notes: '' };

  /** Allows clients with a metadata document in the demo application, and creates a resource with scopes. */
  async function prepare(): Promise<void> {
    at.documents = await startDocuments();
    const token = await server.adminToken();
    const path = `/v1/applications/${server.environment.app_id}`;
    const { status } = await server.put(path, { client_document_hosts: ['localhost'] }, { token });
    if (status !== 200) throw new Error(`${path}: ${status}`);
    const fields = resourceFields({ scopes: SCOPES });
    at.notes = (await made<{ uri: string }>(server, '/v1/resources', fields, await server.clientToken())).uri;
  }

  async function someUser() {
    const [email, phone] = [newEmail(), newPhoneNumber()];
    const { user_id: userId } = await createProvenUser(server, { email, phone_number: phone });
    return { email, phone, userId };
  }

  const documents = () => {
    if (!at.documents) throw new Error('starts with the tests');
    return at.documents;
  };

  const request = (clientId: string, change: Fields = {}): Fields => ({
    client_id: clientId,
    redirect_uri: CALLBACK,
    resource: at.notes,
    scope: 'notes:read notes:write',
    ...change,
  });

  /** Sends an authorization request in a browser. */
  const ask = (jar: BrowserJar, clientId: string, change: Fields = {}): Promise<BrowserPage> =>
    jar.open(login.address(request(clientId, change)));

  /** Logs a user in by email code in the given browser. Returns the consent page. */
  async function logInAt(jar: BrowserJar, clientId: string, email: string, change: Fields = {}) {
    const code = await login.toCode(jar, email, request(clientId, change));
    return code.submit({ passcode: await server.codeTo(email) });
  }

  /** Creates a user and logs the user in with a new browser. Returns the user, the browser and the consent page. */
  async function asked(clientId: string, change: Fields = {}) {
    const user = await someUser();
    const jar = login.browser();
    return { ...user, jar, page: await logInAt(jar, clientId, user.email, change) };
  }

  const token = (clientId: string, fields: Readonly<Record<string, string>>) =>
    server.form<TokenResponse & Readonly<Record<string, string>>>('/oidc/token', {
      client_id: clientId,
      ...fields,
    });

  const exchange = (
    clientId: string,
    target: URL | undefined,
    change: Readonly<Record<string, string>> = {},
  ) =>
    token(clientId, {
      grant_type: 'authorization_code',
      code: target?.searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
      code_verifier: verifier,
      ...change,
    });

  const refresh = (clientId: string, refreshToken: string, change: Readonly<Record<string, string>> = {}) =>
    token(clientId, { grant_type: 'refresh_token', refresh_token: refreshToken, ...change });

  /** Creates a user, who logs in and grants the requested scopes. Returns the client's tokens. */
  async function connected(clientId: string, change: Fields = {}) {
    const person = await asked(clientId, change);
    const target = (
      await person.page.submit({ scope: change.scope ?? 'notes:read notes:write', stay: 'yes' }, ALLOW)
    ).left;
    const { status, body } = await exchange(clientId, target, {
      redirect_uri: change.redirect_uri ?? CALLBACK,
    });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return { ...person, tokens: body, claims: decodeClaims(body.access_token) };
  }

  return {
    server,
    login,
    prepare,
    stop: () => at.documents?.stop(),
    someUser,
    ask,
    logInAt,
    asked,
    token,
    exchange,
    refresh,
    connected,
    get documents() {
      return documents();
    },
    get notes() {
      return at.notes;
    },
  };
}

/** Starts a server for the tests of a file. The server accepts clients with a client ID metadata document. */
export function useAgents(options: TestServerOptions = { rateLimits: 'off' }) {
  const agents = createAgents(useTestServer(options));
  beforeAll(agents.prepare);
  afterAll(agents.stop);
  return agents;
}

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as delay } from 'node:timers/promises';
import { demo } from '../../../lib/local/demo.ts';
import type { Fault } from '../../../lib/local/emulators/basis/faults.ts';
import type { MessageFilter } from '../../../lib/local/emulators/messages/messages.ts';
import type { Message } from '../../../lib/local/emulators/messages/read-message.ts';
import { type LocalServerOptions, startLocalServer } from '../../../lib/local/start.ts';
import * as adapters from '../../../shared/aws/adapters.ts';
import { createPorts } from '../../../shared/aws/create-ports.ts';
import type { ErrorKey } from '../../../shared/errors/catalogue.ts';
import { listErrors } from '../../../shared/http/errors-of.ts';
import type { Operation } from '../../../shared/operation.ts';
import type { PortOrMethod, PortsWith } from '../../../shared/ports/uses.ts';
import { noteForComparison } from './aws-calls.ts';
import { openEmulators } from './emulators.ts';
import { loadBackground, loadFunction } from './load-function.ts';

export interface TestAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed body if the response is JSON, otherwise the text. Undefined if the body is empty. */
  readonly body: Body;
}

export interface RequestOptions {
  /** Bearer token of the request. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Local server of one test file, in memory and in this process. Each file starts one server with `useTestServer`, because
 * functions read the environment only once, when they are first loaded.
 */
export interface TestServer {
  /** Root URL of the server, without `/cis`. */
  readonly url: string;
  readonly consoleUrl: string;
  readonly environment: {
    readonly base_url: string;
    readonly issuer: string;
    readonly tenant_id: string;
    readonly app_id: string;
    readonly client_id: string;
    readonly client_secret: string;
    readonly management: { readonly client_id: string; readonly client_secret: string };
    readonly public_client: { readonly client_id: string };
    readonly console_url: string;
    readonly redirect_uris: readonly string[];
    readonly post_logout_redirect_uris: readonly string[];
    readonly origins: readonly string[];
  };
  /** Returns a new access token, by default of the demo client. */
  clientToken(client?: { readonly clientId: string; readonly clientSecret: string }): Promise<string>;
  /** Returns a new access token of the demo tenant's management client. */
  adminToken(): Promise<string>;
  /** Sends a request to a path relative to `base_url`, without following redirects. */
  request<Body = Json>(path: string, init?: RequestInit & RequestOptions): Promise<TestAnswer<Body>>;
  get<Body = Json>(path: string, options?: RequestOptions): Promise<TestAnswer<Body>>;
  delete<Body = Json>(path: string, options?: RequestOptions): Promise<TestAnswer<Body>>;
  post<Body = Json>(path: string, json: unknown, options?: RequestOptions): Promise<TestAnswer<Body>>;
  put<Body = Json>(path: string, json: unknown, options?: RequestOptions): Promise<TestAnswer<Body>>;
  form<Body = Json>(
    path: string,
    fields: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<TestAnswer<Body>>;
  /** Returns the sent messages, newest first. */
  messages(filter?: MessageFilter): Promise<readonly Message[]>;
  /** Returns the code in the newest message to an address, or an empty string. Skips notices, whose time of arrival varies. */
  codeTo(address: string): Promise<string>;
  /** Returns the login link in the newest message to an address, skipping notices. */
  linkTo(address: string): Promise<string>;
  /** Returns an email as it was passed to SES. */
  rawMail(id: string): Promise<string>;
  advanceClock(seconds: number): Promise<void>;
  /** Moves the clock to the start of the next minute, so that the following calls are in one rate limit window. */
  nextMinute(): Promise<void>;
  /** Waits until timelines, webhooks and notices have received all due events. Requires the option `events`. */
  settleEvents(): Promise<void>;
  /** Returns the AWS calls by operation (see `/_local/metrics`). */
  metrics(): ReturnType<Awaited<ReturnType<typeof startLocalServer>>['metrics']['report']>;
  resetMetrics(): void;
  readonly faults: {
    inject(fault: Fault): Promise<void>;
    /** Waits until all injected faults with a limited number of calls have affected this number of calls. */
    untilMet(): Promise<void>;
    clear(): Promise<void>;
  };
  /** Returns ports that access the tables of the server directly. */
  ports<Used extends PortOrMethod>(uses: readonly Used[]): Promise<PortsWith<Used>>;
  /** Descriptions of responses that violate the operation table: the response schema, or the list of error keys. */
  readonly violations: string[];
  /** Causes of the responses with `internal_error`. */
  readonly internalErrors: unknown[];
  /** Throws if there were violations or internal errors. */
  expectNoViolations(): void;
  stop(): Promise<void>;
}

export type TestServerOptions = Pick<
  LocalServerOptions,
  | 'areas'
  | 'consoleOrigin'
  | 'environment'
  | 'errorUris'
  | 'events'
  | 'hosts'
  | 'load'
  | 'operations'
  | 'providers'
  | 'publicOrigin'
  | 'rateLimits'
  | 'redirectUris'
>;

interface PublishedAnswer {
  readonly operation: Operation;
  readonly errorKey?: ErrorKey;
  readonly error?: unknown;
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const violations: string[] = [];
  const internalErrors: unknown[] = [];
  const collect = (message: unknown) => {
    const { operation, errorKey, error } = message as PublishedAnswer;
    if (errorKey === 'internal_error') internalErrors.push(error);
    // Callers of the public URL never get this error, so no operation lists it.
    if (errorKey === 'edge_bypassed') return;
    if (errorKey !== undefined && !listErrors(operation).includes(errorKey))
      violations.push(`${operation.event}: answered ${errorKey}, which its row does not list`);
  };
  const notes = noteForComparison();
  const load = options.load ?? loadFunction;
  const server = await startLocalServer({
    ...options,
    load: async (entry) => notes.noting(entry, await load(entry)),
    loadBackground: async (entry) => notes.noting(entry, await loadBackground(entry)),
    port: 0,
    emulators: openEmulators,
    events: options.events ?? false,
    errorUris: options.errorUris ?? false,
    // A higher time limit prevents a short deletion from becoming a background job on a busy machine.
    environment: { LOG_LEVEL: 'silent', JOB_CALL_SECONDS: '30', ...options.environment },
    onViolation: (violation) => violations.push(violation),
  });
  subscribe('otl:answer', collect);
  const { emulators, metrics } = server;
  const request = requester(options.publicOrigin === undefined ? server.baseUrl : `${server.url}/cis`);
  const clientToken = tokenIssuer(request);
  async function advanceClock(seconds: number): Promise<void> {
    const body = JSON.stringify({ advance_seconds: seconds });
    await request(`${server.url}/_local/clock`, { method: 'POST', body });
  }

  return {
    url: server.url,
    consoleUrl: server.consoleUrl,
    environment: {
      base_url: server.baseUrl,
      issuer: server.issuer,
      tenant_id: demo.tenantId,
      app_id: demo.applicationId,
      client_id: demo.client.clientId,
      client_secret: demo.client.clientSecret,
      management: {
        client_id: demo.management.clientId,
        client_secret: demo.management.clientSecret,
      },
      public_client: { client_id: demo.publicClient.clientId },
      console_url: server.consoleOrigin,
      redirect_uris: server.demoUris.redirectUris,
      post_logout_redirect_uris: server.demoUris.postLogoutRedirectUris,
      origins: server.demoUris.origins,
    },
    clientToken: (client = demo.client) => clientToken(client),
    adminToken: () => clientToken(demo.management),
    request,
    ...createRequestMethods(request),
    messages: emulators.messages,
    // A notice contains the year of its date, which must not be mistaken for a code.
    codeTo: async (address) =>
      (await emulators.messages({ to: address }))
        .flatMap(({ codes }) => codes)
        .find((code) => !/^20\d\d$/.test(code)) ?? '',
    linkTo: async (address) =>
      (await emulators.messages({ to: address }))
        .flatMap(({ links }) => links)
        .find((link) => new URL(link).pathname !== '/notice') ?? '',
    rawMail: async (id) => (await fetch(`${emulators.url}/messages/${id}/raw`)).text(),
    advanceClock,
    nextMinute: () => advanceClock(61 - ((Date.now() / 1000) % 60)),
    settleEvents: server.settleEvents,
    metrics: () => metrics.report(),
    resetMetrics: () => metrics.reset(),
    faults: {
      inject: emulators.inject,
      async untilMet() {
        const waiting = async () =>
          (await request<{ faults: unknown[] }>(`${server.url}/_local/faults`)).body;
        while ((await waiting()).faults.length > 0) await delay(10);
      },
      clear: emulators.clearFaults,
    },
    async ports(uses) {
      return createPorts(uses, adapters, process.env);
    },
    violations,
    internalErrors,
    expectNoViolations() {
      if (internalErrors.length > 0)
        throw new Error(`${internalErrors.length} internal errors`, { cause: internalErrors[0] });
      if (violations.length > 0) throw new Error([...new Set(violations)].join('\n'));
    },
    async stop() {
      unsubscribe('otl:answer', collect);
      await server.stop();
      notes.close();
    },
  };
}

/** Checks that the `http_request_id` of an error equals the response header, and removes it so that errors can be compared. */
function withoutRequestId(body: unknown, { status, headers, url }: Response): unknown {
  if (status < 400 || typeof body !== 'object' || body === null || !('http_request_id' in body)) return body;
  const { http_request_id: id, ...rest } = body;
  if (id !== headers.get('x-request-id'))
    throw new Error(`${url}: http_request_id is not that of the header`);
  return rest;
}

function requester(baseUrl: string): TestServer['request'] {
  return async <Body>(path: string, init: RequestInit & RequestOptions = {}) => {
    const { token, headers, ...rest } = init;
    const response = await fetch(path.startsWith('http') ? path : baseUrl + path, {
      redirect: 'manual',
      ...rest,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    });
    const text = await response.text();
    const isJson = /^application\/(?:[\w.-]+\+)?json/.test(response.headers.get('content-type') ?? '');
    // The body is parsed here and not by fetch, so that its objects belong to the VM context in which the test compares them.
    const body = text === '' ? undefined : isJson ? withoutRequestId(JSON.parse(text), response) : text;
    return { status: response.status, headers: response.headers, body: body as Body };
  };
}

function tokenIssuer(request: TestServer['request']) {
  return async ({ clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string }) => {
    const { status, body } = await request<{ access_token: string }>('/oidc/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
    });
    if (status !== 200) throw new Error(`no client token: ${status} ${JSON.stringify(body)}`);
    return body.access_token;
  };
}

function createRequestMethods(
  request: TestServer['request'],
): Pick<TestServer, 'get' | 'delete' | 'post' | 'put' | 'form'> {
  const withJson =
    (method: 'POST' | 'PUT') =>
    <Body>(path: string, json: unknown, options: RequestOptions = {}) =>
      request<Body>(path, {
        ...options,
        method,
        body: JSON.stringify(json),
        headers: { 'content-type': 'application/json', ...options.headers },
      });
  return {
    get: (path, options = {}) => request(path, { ...options, method: 'GET' }),
    delete: (path, options = {}) => request(path, { ...options, method: 'DELETE' }),
    post: withJson('POST'),
    put: withJson('PUT'),
    form: (path, fields, options = {}) =>
      request(path, { ...options, method: 'POST', body: new URLSearchParams(fields) }),
  };
}

import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { createRemoteJWKSet, errors } from 'jose';
import * as v from 'valibot';
import { toApplicationRecord } from '../../../shared/domain/management/application-record.ts';
import { demo } from '../demo.ts';
import type { Addresses } from '../function-environment.ts';
import { findApplication } from '../seed.ts';
import { createBackend } from './backend.ts';
import { exchangeCode } from './exchange.ts';
import { explainToken } from './explain-tokens.ts';
import type { History } from './history.ts';
import { createOwnApplication } from './own-application.ts';
import { listUnsent } from './unsent.ts';

const text = v.pipe(v.string(), v.maxLength(8192));
const CallSchema = v.object({
  method: v.picklist(['GET', 'POST', 'PUT', 'DELETE']),
  path: v.pipe(text, v.startsWith('/')),
  body: v.optional(v.unknown()),
});
const TokensSchema = v.object({
  id_token: v.optional(text),
  access_token: v.optional(text),
  nonce: v.optional(text),
});
const ExchangeSchema = v.object({
  code: text,
  code_verifier: v.optional(text),
  redirect_uri: v.exactOptional(text),
  is_link: v.optional(v.boolean()),
});

const OwnApplicationSchema = v.object({ name: text, kind: text, address: v.optional(text) });

/** ID of this run of the server. Open pages reload when the ID changes, which means that the server was restarted. */
const run = randomUUID();

export interface PlaygroundOptions extends Pick<Addresses, 'baseUrl' | 'issuer'> {
  readonly history: History;
  /** URL of this server without a reverse proxy in between. */
  readonly url: string;
}

/** Creates the JSON API of the playground. The returned function finds the handler for a method and the first path segment. */
export function playgroundApi({ history, url: ownUrl, issuer, baseUrl: publicUrl }: PlaygroundOptions) {
  const baseUrl = `${ownUrl}/cis`;
  const backend = createBackend(baseUrl);
  const answers: Readonly<Record<string, (request: IncomingMessage) => unknown>> = {
    'GET requests': async ({ url = '' }) => {
      const since = Number(new URLSearchParams(url.split('?')[1]).get('since') ?? 0);
      const requests = history.since(since);
      return { run, requests, unsent: await listUnsent(requests, findApplication) };
    },
    'DELETE requests': () => {
      history.clear();
      return {};
    },
    'GET login-preferences': async () => {
      const application = await findApplication(demo.applicationId);
      return (application && toApplicationRecord(application).login_preferences) ?? {};
    },
    'POST own-application': async (request) => {
      const { name, ...own } = v.parse(OwnApplicationSchema, await readJson(request));
      return createOwnApplication(publicUrl, { ...own, settings: { name } });
    },
    'POST backend': async (request) => backend(v.parse(CallSchema, await readJson(request))),
    'POST callback': async (request) =>
      exchangeCode(baseUrl, {
        redirect_uri: new URL('/_local/callback', issuer).href,
        ...v.parse(ExchangeSchema, await json(request)),
      }),
    'POST tokens': async (request) => {
      const { nonce, ...tokens } = v.parse(TokensSchema, await readJson(request));
      const keys = createRemoteJWKSet(new URL(`${baseUrl}/oidc/jwks`));
      const expected = { keys, issuer, nonce };
      const explained = (['id_token', 'access_token'] as const).map(async (kind) => {
        const token = tokens[kind];
        return [kind, token === undefined ? undefined : await explainToken(kind, token, expected)] as const;
      });
      return Object.fromEntries(await Promise.all(explained).catch(refuseInvalidToken));
    },
  };
  return (method: string, subject: string) => answers[`${method} ${subject}`];
}

function refuseInvalidToken(error: unknown): never {
  throw error instanceof errors.JWTInvalid || error instanceof TypeError
    ? new SyntaxError(error.message)
    : error;
}

/**
 * Reads a JSON body. Requires the content type `application/json`, which pages of other origins cannot send without a CORS
 * preflight request (Fetch §3.3.5).
 */
function readJson(request: IncomingMessage): Promise<unknown> {
  if (!request.headers['content-type']?.startsWith('application/json'))
    throw new SyntaxError('Content-Type must be application/json');
  return json(request);
}

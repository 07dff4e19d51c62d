import { type IncomingMessage, request as outgoing, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer, json, text } from 'node:stream/consumers';
import * as v from 'valibot';
import { byProvider, toProviderLabel } from '../../shared/records/providers.ts';
import { enterConsole } from './console-login.ts';
import { demo } from './demo.ts';
import { advanceClock, clockOffset } from './emulators/basis/clock.ts';
import { isService } from './emulators/basis/services.ts';
import type { Emulators } from './emulators/start.ts';
import type { Addresses } from './function-environment.ts';
import { clearFunctionCache } from './load-function.ts';
import type { LogLines } from './log/log-lines.ts';
import type { Metrics } from './metrics.ts';
import { sendApiReference, sendPage } from './page.ts';
import { playgroundApi } from './playground/api.ts';
import type { History } from './playground/history.ts';
import { sendPreview } from './preview.ts';
import { findApplication } from './seed.ts';

export type LocalPages = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface LocalPagesOptions extends Addresses {
  readonly emulators: Emulators;
  readonly metrics: Metrics;
  readonly logLines: LogLines;
  readonly history: History;
  readonly url: string;
  readonly settleEvents: () => Promise<void>;
  /** Returns to the real time. Deletes sessions, codes, counters and messages with later times. Keeps users and settings. */
  readonly reset: () => Promise<void>;
  /** Returns to the real time. Deletes sessions, codes, counters and messages from the future. Keeps users and settings. */
  readonly returnToRealTime: () => Promise<void>;
}

const HUNDRED_YEARS_SECONDS = 100 * 365 * 86_400;
const AdvanceSchema = v.object({
  advance_seconds: v.pipe(v.number(), v.minValue(0), v.maxValue(HUNDRED_YEARS_SECONDS)),
});
/** Credentials of the demo clients with which operations can be tried in the API reference, by security scheme. */
const CLIENTS = {
  ClientAccessToken: credentials(demo.client),
  AdminAccessToken: credentials(demo.management),
};

/** Creates the handler for all paths below `/_local/`. These pages and endpoints are for developers and are never deployed. */
export function createLocalPages(options: LocalPagesOptions): LocalPages {
  const { emulators, metrics } = options;
  const api = playgroundApi(options);
  return async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    const isReading = method === 'GET' || method === 'HEAD';
    const path = url.split('?', 1)[0] ?? '/';
    const [, , subject = '', name = ''] = path.split('/');
    if (path === '/' || path === '/_local') return redirect(response, '/_local/');
    try {
      if (isReading && subject === '') return await sendPage(response, 'playground');
      if (isReading && subject === 'callback') return await sendPage(response, 'callback');
      if (isReading && subject === 'docs') return await sendApiReference(response, CLIENTS);
      if (
        isReading &&
        subject === 'preview' &&
        (await sendPreview(response, new URL(url, 'http://localhost')))
      )
        return;
      if (isReading && subject === 'console') {
        const place = path.split('/').slice(3).join('/');
        return await enterConsole(response, options, place);
      }
      if (isReading && subject === 'environment') return sendJson(response, await readEnvironment(options));
      if (isReading && subject === 'metrics') return sendJson(response, metrics.report());
      if (isReading && subject === 'log') {
        const after = Number(URL.parse(url, 'http://localhost')?.searchParams.get('after'));
        return sendJson(response, options.logLines.after(after));
      }
      if (method === 'DELETE' && subject === 'metrics') {
        metrics.reset();
        return sendJson(response, {});
      }
      if (subject === 'clock') {
        if (method === 'POST') {
          await shiftClock(emulators, await json(request));
          await options.settleEvents();
        }
        if (method === 'DELETE') await options.returnToRealTime();
        return sendJson(response, { now: new Date().toISOString(), offset_seconds: clockOffset() / 1000 });
      }
      if (method === 'POST' && subject === 'reset') {
        await options.reset();
        return sendJson(response, {});
      }
      // The callback page reads its parameters from the query, so those of a response with `response_mode=form_post` are moved
      // there.
      if (method === 'POST' && subject === 'callback' && isForm(request))
        return redirect(response, `/_local/callback?${await text(request)}`);
      const answer = api(method, subject);
      if (answer) return sendJson(response, (await answer(request)) as object);
      // Lines of the operator audit log are processed like log lines of functions.
      if (subject === 'aws' && name === 'logs') {
        const line = await buffer(request);
        // `otl` writes this line after a change. The change then takes effect immediately, except for signing keys, whose
        // changes are scheduled.
        if (!line.includes('otl/keys/')) clearFunctionCache();
        response.once('finish', () => void options.settleEvents());
        return forwardTo(request, response, `${emulators.endpoint(name)}/`, Readable.from(line));
      }
      if (subject === 'aws' && isService(name))
        return forwardTo(request, response, `${emulators.endpoint(name)}/`);
      if (['messages', 'faults', 'events', 'functions'].includes(subject))
        return forwardTo(request, response, emulators.url + url.slice('/_local'.length));
      sendJson(response, { message: 'Not found' }, 404);
    } catch (error) {
      if (!(error instanceof v.ValiError || error instanceof SyntaxError)) throw error;
      sendJson(response, { message: error.message }, 400);
    }
  };
}

function credentials({ clientId, clientSecret }: (typeof demo)['client' | 'management']) {
  return { client_id: clientId, client_secret: clientSecret };
}

async function readEnvironment({ baseUrl, issuer, consoleOrigin }: Addresses): Promise<object> {
  const application = await findApplication(demo.applicationId);
  return {
    base_url: baseUrl,
    issuer,
    tenant_id: demo.tenantId,
    app_id: demo.applicationId,
    ...credentials(demo.client),
    management: credentials(demo.management),
    public_client: { client_id: demo.publicClient.clientId },
    console_url: consoleOrigin,
    providers: byProvider(toProviderLabel),
    redirect_uris: application?.redirectUris ?? [],
    post_logout_redirect_uris: application?.postLogoutRedirectUris ?? [],
    origins: application?.origins ?? [],
  };
}

/** Moves the clock forward, first in the emulators, so that their timestamps are never older than those of the functions. */
async function shiftClock(emulators: Emulators, body: unknown): Promise<void> {
  const milliseconds = v.parse(AdvanceSchema, body).advance_seconds * 1000;
  await emulators.advanceClock(milliseconds);
  advanceClock(milliseconds);
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

function isForm({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

/** Forwards a request to the emulators. Sets the Host header, because the emulators reject unknown host names. */
function forwardTo(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  body: Readable = request,
): void {
  const { method } = request;
  const headers = { ...request.headers, host: new URL(target).host };
  const onward = outgoing(target, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  body.pipe(onward);
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import * as v from 'valibot';
import { advanceClock, returnToRealTime } from './basis/clock.ts';
import type { Faults } from './basis/faults.ts';
import type { MessageFilter, MessageStore } from './messages/messages.ts';
import { renderMail } from './messages/read-message.ts';
import type { SenderFunction } from './messages/sender-function.ts';
import type { Queues } from './queues/queues.ts';
import type { Secrets } from './secrets.ts';

const AdvanceSchema = v.object({ advance_ms: v.pipe(v.number(), v.minValue(0)) });

/** Content security policy for mails that are shown in a browser. The policy blocks scripts, forms and remote images. */
const MAIL_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox";

/**
 * Handles requests to the endpoints for sent messages, events, injected faults, sender functions, the clock and the reset,
 * which exist only locally.
 */
export async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  {
    messages,
    faults,
    queues,
    secrets,
    sender,
  }: {
    readonly messages: MessageStore;
    readonly faults: Faults;
    readonly queues: Queues;
    readonly secrets: Secrets;
    readonly sender: SenderFunction;
  },
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://emulators');
  const [, subject = '', id, form] = url.pathname.split('/');
  const { method } = request;
  try {
    if (subject === 'messages' && method === 'DELETE') {
      await messages.clear();
      return sendJson(response, 200, {});
    }
    if (subject === 'messages' && id !== undefined) return sendMail(response, messages.raw(id), form);
    if (subject === 'messages')
      return sendJson(response, 200, { messages: await messages.list(readFilter(url)) });
    if (subject === 'events') return sendJson(response, 200, queues.report());
    if (subject === 'faults') {
      if (method === 'POST') faults.add(await json(request));
      if (method === 'DELETE') faults.clear();
      return sendJson(response, 200, { faults: faults.list() });
    }
    if (subject === 'functions') {
      if (method === 'POST') sender.prepare(await json(request));
      if (method === 'DELETE') sender.clear();
      return sendJson(response, 200, { events: sender.list() });
    }
    if (subject === 'clock' && method === 'DELETE') {
      returnToRealTime();
      await Promise.all([messages.clear(Date.now()), queues.clear()]);
      return sendJson(response, 200, {});
    }
    if (subject === 'reset') {
      returnToRealTime();
      faults.clear();
      messages.smsAttributes.clear();
      sender.clear();
      await Promise.all([messages.clear(), queues.clear(), secrets.clear()]);
      return sendJson(response, 200, {});
    }
    if (subject === 'clock') {
      advanceClock(v.parse(AdvanceSchema, await json(request)).advance_ms);
      return sendJson(response, 200, {});
    }
    sendJson(response, 404, { message: 'Not found' });
  } catch (error) {
    if (!(error instanceof v.ValiError || error instanceof SyntaxError)) throw error;
    sendJson(response, 400, { message: error.message });
  }
}

/** Pattern of a date-time by RFC 3339 §5.6, checked first because `Date.parse` would accept a plain number as a year. */
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** Reads the message filter from a query. Restores the `+` of a phone number or time zone, which was decoded to a space. */
function readFilter({ searchParams }: URL): MessageFilter {
  const [to, channel, since] = ['to', 'channel', 'since'].map((name) =>
    searchParams.get(name)?.replace(/^ (?=\d)| (?=\d\d:\d\d$)/, '+'),
  );
  if (since && (!DATE_TIME.test(since) || Number.isNaN(Date.parse(since))))
    throw new SyntaxError('since: must be a date and time by RFC 3339');
  return { ...(to && { to }), ...(channel && { channel }), ...(since && { since }) };
}

async function sendMail(response: ServerResponse, raw: Buffer | undefined, form?: string): Promise<void> {
  if (raw === undefined) return sendJson(response, 404, { message: 'The mail does not exist.' });
  if (form === 'raw') {
    response.writeHead(200, { 'content-type': 'message/rfc822' }).end(raw);
    return;
  }
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': MAIL_POLICY })
    .end(await renderMail(raw));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { PlainRequest } from '../events.ts';
import type { Answer } from '../gateway.ts';
import type { CallReport } from '../metrics.ts';
import type { Match } from '../routes.ts';

type Fields = Readonly<Record<string, unknown>>;
type Headers = readonly (readonly [name: string, value: string])[];

/**
 * Request to the service with its response, log lines, events and AWS calls. An entry contains codes and tokens, so only the
 * playground may use it.
 */
export interface HistoryEntry {
  /** Sequence number of the response. */
  readonly id: number;
  /** Sequence number of the request in the order of arrival. */
  readonly arrived: number;
  readonly at: string;
  readonly operation: string;
  readonly summary: string;
  readonly method: string;
  /** Path template of the operation, for example `/v1/users/{id}`. */
  readonly path: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: string;
  readonly answer: { readonly status: number; readonly headers: Headers; readonly body: string };
  readonly milliseconds: number;
  readonly log: readonly Fields[];
  /** Types of the security events that the request caused. */
  readonly events: readonly unknown[];
  readonly calls: readonly CallReport[];
}

export interface History {
  /** Runs an invocation and stores the request with its response, its log lines and its AWS calls. */
  record(
    route: Match,
    request: PlainRequest,
    invocation: (tell: (calls: () => readonly CallReport[]) => void) => Promise<Answer>,
  ): Promise<Answer>;
  /** Returns the requests that got a response after the entry with this `id`, in the order of their arrival. */
  since(id: number): readonly HistoryEntry[];
  clear(): void;
  close(): void;
}

/** Stored form of an entry. Log lines and calls are parsed only when they are read, because parsing is slow. */
interface StoredEntry extends Omit<HistoryEntry, 'log' | 'events' | 'calls'> {
  readonly lines: readonly string[];
  calls(): readonly CallReport[];
}

function toHistoryEntry({ lines, calls, ...kept }: StoredEntry): HistoryEntry {
  const log = lines.map((line) => JSON.parse(line) as Fields);
  return { ...kept, log, events: log.flatMap(({ audit }) => audit ?? []), calls: calls() };
}

/** Returns no AWS calls. Defined outside of `record`, because an inner function would keep the request in memory. */
const noCalls = (): readonly CallReport[] => [];

const KEPT = 200;
const TEXT_MAX_BYTES = 20_000;

/** Names of the headers that are not stored, because they concern the connection or are the same in every response. */
const OMITTED_HEADERS =
  /^(?:accept|accept-.*|cache-control|connection|content-length|host|priority|sec-.*|strict-transport-security|upgrade-insecure-requests|user-agent|pragma|keep-alive|otl-.*)$/;

/** Creates a history that stores the last 200 requests in memory. */
export function createHistory(): History {
  const running = new AsyncLocalStorage<string[]>();
  const entries: StoredEntry[] = [];
  let arrivals = 0;
  let answers = 0;
  const onLogLine = (line: unknown) => void running.getStore()?.push(String(line));
  subscribe('otl:log', onLogLine);
  return {
    async record(route, request, invocation) {
      arrivals += 1;
      const arrived = arrivals;
      const at = new Date().toISOString();
      const beganAt = performance.now();
      const lines: string[] = [];
      let calls = noCalls;
      const answer = await running.run(lines, () => invocation((told) => (calls = told)));
      answers += 1;
      entries.push({
        id: answers,
        arrived,
        at,
        operation: route.name,
        summary: route.row.summary,
        path: route.path,
        ...describeRequest(request),
        answer: describeAnswer(answer),
        milliseconds: Math.round(performance.now() - beganAt),
        lines,
        calls,
      });
      entries.splice(0, entries.length - KEPT);
      return answer;
    },
    since: (id) =>
      entries
        .filter((entry) => entry.id > id)
        .toSorted((one, other) => one.arrived - other.arrived)
        .map(toHistoryEntry),
    clear: () => void entries.splice(0),
    close: () => unsubscribe('otl:log', onLogLine),
  };
}

function describeRequest({ method, target, rawHeaders, body }: PlainRequest) {
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ''] as const] : [],
  );
  return { method, target, headers: relevantHeaders(pairs), body: bodyText(body, 'text') };
}

function describeAnswer({ status, headers, cookies, body }: Answer): HistoryEntry['answer'] {
  const set = cookies.map((cookie) => ['set-cookie', cookie] as const);
  return {
    status,
    headers: [...relevantHeaders(Object.entries(headers)), ...set],
    body: bodyText(body, headers['content-type'] ?? ''),
  };
}

const relevantHeaders = (headers: Headers): Headers =>
  headers.flatMap(([name, value]) =>
    OMITTED_HEADERS.test(name) ? [] : [[name, withoutPassword(value)] as const],
  );

/** Removes the client's secret from a Basic `Authorization` header. Unlike codes and tokens, a secret does not expire. */
const withoutPassword = (header: string): string =>
  header.replace(
    /^Basic (\S+)$/i,
    (_, pair: string) => `Basic ${Buffer.from(pair, 'base64').toString().replace(/:.*/s, '')}:…`,
  );
const withoutSecrets = (text: string): string =>
  text.replace(/("client_secret"\s*:\s*")[^"]+|(\bclient_secret=)[^&]+/g, '$1$2…');

/** Returns the text of a body without client secrets, up to 20,000 bytes. For an HTML page, returns only the page's size. */
function bodyText(body: Uint8Array, type: string): string {
  if (type.startsWith('text/html')) return `(a page of ${Math.ceil(body.length / 1024)} KB)`;
  // Bytes are cut before decoding, because a slice of a string keeps the whole string in memory. With `stream`, the decoder
  // drops an incomplete character at the end.
  return withoutSecrets(new TextDecoder().decode(body.subarray(0, TEXT_MAX_BYTES), { stream: true }));
}

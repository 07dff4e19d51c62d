import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { PlainRequest } from '../events.ts';
import type { Answer } from '../gateway.ts';
import type { CallReport } from '../metrics.ts';
import type { Match } from '../routes.ts';

type Fields = Readonly<Record<string, unknown>>;
type Headers = readonly (readonly [name: string, value: string])[];

/** A request to the service, with all that it caused. It holds codes and tokens, so it goes to the playground alone. */
export interface HistoryEntry {
  /** Rises with each answer. */
  readonly id: number;
  /** Rises with each request. */
  readonly arrived: number;
  readonly at: string;
  readonly operation: string;
  readonly summary: string;
  readonly method: string;
  /** As the row writes it. */
  readonly path: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: string;
  readonly answer: { readonly status: number; readonly headers: Headers; readonly body: string };
  readonly milliseconds: number;
  readonly log: readonly Fields[];
  /** Security events, as timelines and webhooks get them. */
  readonly events: readonly unknown[];
  readonly calls: readonly CallReport[];
}

export interface History {
  /** Notes the request, its answer, and the log lines that the invocation writes. */
  record(
    route: Match,
    request: PlainRequest,
    invocation: (tell: (calls: () => readonly CallReport[]) => void) => Promise<Answer>,
  ): Promise<Answer>;
  /** What was answered after this entry, in the order of the requests. */
  since(id: number): readonly HistoryEntry[];
  clear(): void;
  close(): void;
}

/** Lines and calls are parsed when they are read: most never are, and it takes longer than to answer some requests. */
interface Kept extends Omit<HistoryEntry, 'log' | 'events' | 'calls'> {
  readonly lines: readonly string[];
  calls(): readonly CallReport[];
}

function entryOf({ lines, calls, ...kept }: Kept): HistoryEntry {
  const log = lines.map((line) => JSON.parse(line) as Fields);
  return { ...kept, log, events: log.flatMap(({ audit }) => audit ?? []), calls: calls() };
}

/** Made here: a closure of `record` would keep the request alive. */
const noCalls = (): readonly CallReport[] => [];

const KEPT = 200;
const TEXT_MAX_BYTES = 20_000;

/** Headers of the connection, and those that every answer has. */
const DULL =
  /^(?:accept|accept-.*|cache-control|connection|content-length|host|priority|sec-.*|strict-transport-security|upgrade-insecure-requests|user-agent|pragma|keep-alive|otl-.*)$/;

/** Keeps the last requests in memory. */
export function createHistory(): History {
  const running = new AsyncLocalStorage<string[]>();
  const entries: Kept[] = [];
  let arrivals = 0;
  let answers = 0;
  const hear = (line: unknown) => void running.getStore()?.push(String(line));
  subscribe('otl:log', hear);
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
        ...requestOf(request),
        answer: answerOf(answer),
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
        .map(entryOf),
    clear: () => void entries.splice(0),
    close: () => unsubscribe('otl:log', hear),
  };
}

function requestOf({ method, target, rawHeaders, body }: PlainRequest) {
  const pairs = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ''] as const] : [],
  );
  return { method, target, headers: telling(pairs), body: textOf(body, 'text') };
}

function answerOf({ status, headers, cookies, body }: Answer): HistoryEntry['answer'] {
  const set = cookies.map((cookie) => ['set-cookie', cookie] as const);
  return {
    status,
    headers: [...telling(Object.entries(headers)), ...set],
    body: textOf(body, headers['content-type'] ?? ''),
  };
}

const telling = (headers: Headers): Headers =>
  headers.flatMap(([name, value]) => (DULL.test(name) ? [] : [[name, withoutPassword(value)] as const]));

/** Codes and tokens end by themselves; a client's secret does not, and it teaches nothing. */
const withoutPassword = (header: string): string =>
  header.replace(
    /^Basic (\S+)$/i,
    (_, pair: string) => `Basic ${Buffer.from(pair, 'base64').toString().replace(/:.*/s, '')}:…`,
  );
const withoutSecrets = (text: string): string =>
  text.replace(/("client_secret"\s*:\s*")[^"]+|(\bclient_secret=)[^&]+/g, '$1$2…');

/** Of a page its size alone. */
function textOf(body: Uint8Array, type: string): string {
  if (type.startsWith('text/html')) return `(a page of ${Math.ceil(body.length / 1024)} KB)`;
  // A slice of the decoded text would keep all of it in memory. A character that is cut in two is left out.
  return withoutSecrets(new TextDecoder().decode(body.subarray(0, TEXT_MAX_BYTES), { stream: true }));
}

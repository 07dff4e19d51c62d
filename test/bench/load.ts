import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { demo } from '../../lib/local/demo.ts';
import { BrowserJar } from '../support/tools/browser-jar.ts';
import { type Flow, flows, type Login } from './support/flows.ts';
import { type ServerProcess, startServerProcess } from './support/server-process.ts';
import { median, percentile, rounded } from './support/statistics.ts';

export interface LoadRow {
  readonly flow: string;
  readonly logins: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Percentage of logins that took less than two seconds. */
  readonly within_2_s: number;
  /** Number of responses that ask the client to try again (429 and 503). */
  readonly overload: number;
  /** Other failures, with the number of occurrences of each failure. */
  readonly errors: Readonly<Record<string, number>>;
}

export interface AtTwoMoments {
  readonly after_a_minute: number;
  readonly at_the_end: number;
}

export interface LoadResult {
  readonly seconds: number;
  readonly concurrency: number;
  readonly rows: readonly LoadRow[];
  /** Memory of the server in MB at two moments of the run. Each value is the median of ten samples within ten seconds. */
  readonly memory_mb: Readonly<Record<'resident' | 'live', AtTwoMoments>>;
}

export interface LoadOptions {
  readonly seconds: number;
  readonly concurrency: number;
}

const PEOPLE_FOR_EACH = 8;
const SAMPLE_MS = 1000;
const SAMPLES = 10;
const WARM_SECONDS = 60;
const FAST_MS = 2000;
/**
 * Heap limit of the server process. Without this limit, V8 collects garbage so late that the heap grows to gigabytes, although
 * only 80 MB are in use.
 */
const HEAP = '--max-old-space-size=256';
const PROBE = new URL('support/live-memory.ts', import.meta.url);
const OVERLOAD = /\b(?:429|503)\b/;

type Run = (login: Login) => Promise<void>;

interface Message {
  readonly codes: readonly string[];
}

/**
 * Finds the code in a user's messages. A newer notice about another login may contain a year, which must not be mistaken for a
 * code.
 */
const codeIn = (messages: readonly Message[]): string =>
  messages.flatMap(({ codes }) => codes).find((code) => !/^20\d\d$/.test(code)) ?? '';

/** Returns the error message that a hosted page shows, or an empty string. */
const said = (html: string): string => /role="alert">.*?<p>(.*?)<\/p>/s.exec(html)?.[1] ?? '';

/** Logs in on the hosted pages by a mailed code, in a new browser, until the tokens arrive. */
function pageLogin({ url, get }: ServerProcess): Run {
  const base = new URL(url);
  base.hostname = 'localhost';
  const { clientId: client_id, clientSecret: client_secret } = demo.client;
  return async ({ email, redirectUri: redirect_uri }) => {
    const jar = new BrowserJar(base.origin);
    const asked = new URLSearchParams({ client_id, redirect_uri, response_type: 'code', scope: 'openid' });
    const page = await jar.open(`/cis/oidc/auth?${asked}`);
    const typed = await page.submit({ identifier: email, method: 'email' });
    const sent = await get<{ messages: Message[] }>(`/_local/messages?to=${email}`);
    const { left, status, html } = await typed.submit({ passcode: codeIn(sent.messages) });
    const code = left?.searchParams.get('code');
    if (!code) throw new Error(`login page: ${status} ${said(html)}`);
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id,
      client_secret,
      redirect_uri,
    });
    const answer = await fetch(new URL('/cis/oidc/token', base), { method: 'POST', body });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`token: ${answer.status}`);
  };
}

const apiLogin =
  ({ client }: ServerProcess, { steps }: Flow): Run =>
  async (login) => {
    for (const step of steps) await client.run(step, login);
  };

/** Returns the resident memory of a process in MB, or NaN if the system does not report it. */
async function readMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024);
}

/**
 * Returns the live memory of the server's threads in MB. Resident memory also includes memory that V8 and the allocator
 * reserve.
 */
async function liveMemory(folder: string): Promise<number> {
  const threads = await readdir(folder);
  const bytes = await Promise.all(
    threads.map(async (name) => Number(await readFile(join(folder, name), 'utf8'))),
  );
  return Math.round(bytes.reduce((sum, each) => sum + each, 0) / 2 ** 20);
}

async function runLoad(
  server: ServerProcess,
  folder: string,
  { seconds, concurrency }: LoadOptions,
): Promise<LoadResult> {
  const people = await server.logins(concurrency * PEOPLE_FOR_EACH);
  const kinds = [
    ...flows
      .filter(({ name }) => name.endsWith('login'))
      .map((flow) => [flow.name, apiLogin(server, flow)] as const),
    ['page login', pageLogin(server)] as const,
  ];
  const seen = kinds.map(([flow, run]) => ({
    flow,
    run,
    durations: [] as number[],
    errors: new Map<string, number>(),
  }));
  const end = performance.now() + seconds * 1000;
  let next = 0;
  async function loop(): Promise<void> {
    while (performance.now() < end) {
      const { run, durations, errors } = seen[next % seen.length] as (typeof seen)[number];
      const login = people[next++ % people.length] as Login;
      const began = performance.now();
      try {
        await run(login);
        durations.push(performance.now() - began);
      } catch (error) {
        const what = String(error).slice(0, 120);
        errors.set(what, (errors.get(what) ?? 0) + 1);
      }
    }
  }
  const resident: number[] = [];
  const live: number[] = [];
  async function watch(): Promise<void> {
    for (; performance.now() < end; await delay(SAMPLE_MS)) {
      resident.push(await readMemory(server.pid));
      live.push(await liveMemory(folder));
    }
  }
  await Promise.all([watch(), ...Array.from({ length: concurrency }, loop)]);
  const rows = seen.map(({ flow, durations, errors }) => ({
    flow,
    logins: durations.length,
    p50_ms: rounded(median(durations)),
    p99_ms: rounded(percentile(durations, 0.99)),
    within_2_s: rounded((100 * durations.filter((each) => each < FAST_MS).length) / durations.length, 3),
    overload: [...errors].reduce((sum, [what, count]) => sum + (OVERLOAD.test(what) ? count : 0), 0),
    errors: Object.fromEntries([...errors].filter(([what]) => !OVERLOAD.test(what))),
  }));
  const at = Math.min(WARM_SECONDS, Math.floor(seconds / 2));
  const moments = (memory: readonly number[]): AtTwoMoments => ({
    after_a_minute: median(memory.slice(at, at + SAMPLES)),
    at_the_end: median(memory.slice(-SAMPLES)),
  });
  return {
    seconds,
    concurrency,
    rows,
    memory_mb: { resident: moments(resident), live: moments(live) },
  };
}

/** Measures logins by API and on the hosted pages over a long time. Data are stored on disk, so growing memory is a leak. */
export async function measureLoad(options: LoadOptions): Promise<LoadResult> {
  const [data, live] = await Promise.all(
    ['data', 'live'].map((name) => mkdtemp(join(tmpdir(), `otl-${name}-`))),
  );
  const server = await startServerProcess({
    RATE_LIMITS: 'off',
    DATA_DIR: data as string,
    LIVE_MEMORY: live as string,
    NODE_OPTIONS: `${HEAP} --expose-gc --import=${PROBE}`,
  });
  try {
    return await runLoad(server, live as string, options);
  } finally {
    await server.stop();
    for (const folder of [data, live]) await rm(folder as string, { recursive: true });
  }
}

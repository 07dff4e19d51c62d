import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Message } from '../emulators/messages/read-message.ts';

// The service runs in its own process, because it shifts `Date` and sets environment variables, which must not affect the
// caller's tests.

/** Settings of the local service that `startLocal` starts. */
export interface LocalOptions {
  /** Port of the service. The value 0, the default, picks a free port. */
  readonly port?: number;
  /** Redirect URIs that the demo application allows in addition to its own. */
  readonly redirectUris?: readonly string[];
  /** Redirect URIs for logouts that the demo application allows in addition to its own. */
  readonly postLogoutRedirectUris?: readonly string[];
  /** Origins of pages that may use passkeys of the demo application, in addition to its own. */
  readonly origins?: readonly string[];
  /** Rate limits for sending messages and for calls. If `off`, failure counters and lockouts still apply. */
  readonly rateLimits?: 'on' | 'off';
  /** Maximum time in milliseconds that the service may take to start. Default: 120000. */
  readonly timeout?: number;
}

/** URLs, IDs and secrets of the demo tenant, as `/_local/environment` returns them. */
export interface LocalEnvironment {
  readonly base_url: string;
  readonly issuer: string;
  readonly tenant_id: string;
  readonly app_id: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly management: { readonly client_id: string; readonly client_secret: string };
  /** Public client, which has no secret, for single-page and native apps. */
  readonly public_client: { readonly client_id: string };
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  readonly origins: readonly string[];
}

/** Mail or text message that the service has sent. */
export interface LocalMessage extends Message {}

/** Running local service, as `startLocal` returns it. */
export interface Local {
  readonly baseUrl: string;
  readonly environment: LocalEnvironment;
  readonly inbox: {
    /**
     * Waits for a message to an email address or phone number, and returns the newest message.
     * @param timeout Maximum time to wait in milliseconds. Default: 5000.
     */
    waitFor(recipient: string, timeout?: number): Promise<LocalMessage>;
    /** Deletes all messages, so that `waitFor` waits for the next message. */
    clear(): Promise<void>;
  };
  readonly clock: {
    /** Moves the clock of the service forward. Timers are not affected. */
    advance(seconds: number): Promise<void>;
    /**
     * Returns to the real time. Deletes sessions, codes, counters and messages whose timestamps would then be in the future.
     */
    reset(): Promise<void>;
  };
  /** Restores the state of a fresh start: deletes all data and returns to the real time. */
  reset(): Promise<void>;
  /** Stops the service after the requests in progress have finished. */
  close(): Promise<void>;
}

/** Task that the process of the tests sends to the process of the local service. */
export type Task =
  | { readonly kind: 'start'; readonly options: LocalOptions }
  | { readonly kind: 'wait'; readonly recipient: string; readonly timeout: number }
  | {
      readonly kind: 'call';
      readonly method: 'POST' | 'DELETE';
      readonly path: string;
      readonly body?: object;
    }
  | { readonly kind: 'close' };

/** Message to the process of the service. The process replies to every message except `close`, which ends the process. */
export interface Question {
  readonly id: number;
  readonly task: Task;
}
export interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

const WANTED_NODE = 24;
const START_TIMEOUT_MS = 120_000;

/**
 * Starts the whole service in a child process, on a free port by default. The caller's process can exit without `close()`.
 * @throws Error with the reason if the service cannot start, or does not start in time. The child process is then ended.
 * @example
 * const local = await startLocal();
 * // … test your application against local.baseUrl with local.environment …
 * const { codes } = await local.inbox.waitFor('ann@example.com');
 * await local.close();
 */
export async function startLocal(options: LocalOptions = {}): Promise<Local> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), {
    execPath: findNode(),
    // The service must not inherit loaders and flags of the caller's test runner.
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '', LOG_LEVEL: process.env.LOG_LEVEL ?? 'error' },
    // The service writes to standard error, because the caller's test reporter uses standard output.
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const ask = createAsk(child);
  const { timeout = START_TIMEOUT_MS, ...rest } = options;
  const started = new AbortController();
  const environment = (await Promise.race([
    ask({ kind: 'start', options: rest }),
    delay(timeout, undefined, { signal: started.signal }).then(() => {
      throw new Error(`The local service has not started within ${timeout} ms.`);
    }),
  ])
    .catch((error: unknown) => {
      // An open process would keep the caller's process alive.
      child.kill('SIGKILL');
      throw error;
    })
    .finally(() => started.abort())) as LocalEnvironment;
  const call = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
    await ask({ kind: 'call', method, path, ...(body && { body }) });
  };
  let closing: Promise<void> | undefined;
  return {
    baseUrl: environment.base_url,
    environment,
    inbox: {
      waitFor: async (recipient, timeout = 5000) =>
        (await ask({ kind: 'wait', recipient, timeout })) as LocalMessage,
      clear: () => call('DELETE', '/_local/messages'),
    },
    clock: {
      advance: (seconds) => call('POST', '/_local/clock', { advance_seconds: seconds }),
      reset: () => call('DELETE', '/_local/clock'),
    },
    reset: () => call('POST', '/_local/reset'),
    close() {
      // `close` gets no answer: the process exits, which rejects the promise that waits for the answer.
      closing ??= ask({ kind: 'close' }).then(
        () => undefined,
        () => undefined,
      );
      return closing;
    },
  };
}

/** Returns the path of the running Node executable, or of the executable from npm if the running version is too old. */
function findNode(): string {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= WANTED_NODE && process.versions.bun === undefined) return process.execPath;
  try {
    return createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    throw new Error(
      `startLocal() needs Node ${WANTED_NODE} and found ${process.versions.node}: install without --ignore-scripts, which brings it, or use Node ${WANTED_NODE}.`,
    );
  }
}

/**
 * Creates the function that sends tasks to the process of the service and returns its answers. The channel keeps the caller's
 * process alive only while an answer is pending.
 */
function createAsk(child: ChildProcess): (task: Task) => Promise<unknown> {
  const open = new Map<number, (reply: Reply) => void>();
  let asked = 0;
  let ended: string | undefined;
  const keepAlive = (isWanted: boolean) => {
    const does = isWanted ? 'ref' : 'unref';
    child[does]();
    child.channel?.[does]();
  };
  child.on('message', (message) => {
    const reply = message as Reply;
    open.get(reply.id)?.(reply);
    open.delete(reply.id);
    if (open.size === 0) keepAlive(false);
  });
  const end = (error: string) => {
    ended ??= error;
    for (const [id, answer] of open) answer({ id, error });
    open.clear();
  };
  child.on('error', ({ message }) => end(message));
  child.once('exit', (code, signal) => end(`the local service has ended (${code ?? signal})`));
  const replyTo = (task: Task) =>
    new Promise<Reply>((resolve) => {
      asked += 1;
      if (ended !== undefined) return resolve({ id: asked, error: ended });
      open.set(asked, resolve);
      keepAlive(true);
      child.send({ id: asked, task } satisfies Question);
    });
  return async (task) => {
    const { value, error } = await replyTo(task);
    // The error is created here so that its stack trace contains the line of the test.
    if (error !== undefined) throw new Error(error);
    return value;
  };
}

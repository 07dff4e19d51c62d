import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Message } from '../emulators/messages/read-message.ts';

/** The service runs in a process of its own: it shifts `Date` and sets variables there, not in the caller's tests. */

export interface LocalOptions {
  /** 0 picks a free one. */
  readonly port?: number;
  /** Allowed for the demo application beside its own. */
  readonly redirectUris?: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
  /** Of pages that use its passkeys. */
  readonly origins?: readonly string[];
  /** `off` switches the send and call windows off; failure counters and locks stay. */
  readonly rateLimits?: 'on' | 'off';
}

/** What `/_local/environment` answers. */
export interface LocalEnvironment {
  readonly base_url: string;
  readonly issuer: string;
  readonly tenant_id: string;
  readonly app_id: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly management: { readonly client_id: string; readonly client_secret: string };
  /** Has no secret: for pages and apps. */
  readonly public_client: { readonly client_id: string };
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  readonly origins: readonly string[];
}

/** A mail or text that the service sent. */
export interface LocalMessage extends Message {}

export interface Local {
  readonly baseUrl: string;
  readonly environment: LocalEnvironment;
  readonly inbox: {
    /**
     * The newest message to an email address or phone number, as soon as there is one.
     *
     * @param timeout in milliseconds, 5000 when absent
     */
    waitFor(recipient: string, timeout?: number): Promise<LocalMessage>;
    /** Forgets all messages, so that `waitFor` waits for the next one. */
    clear(): Promise<void>;
  };
  readonly clock: {
    /** Moves the clock of the service forward; timers do not move. */
    advance(seconds: number): Promise<void>;
    /** Back to the real time; sessions, codes and messages of the future are gone. */
    reset(): Promise<void>;
  };
  /** Puts everything back to the state of a fresh start. */
  reset(): Promise<void>;
  /** Finishes requests in flight and ends the service. */
  close(): Promise<void>;
}

/** What the process is asked to do. */
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

/** The process answers each question once, and `close` by its end. */
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

/** Starts the whole service, on a free port when none is given. The caller's process ends with or without `close()`. */
export async function startLocal(options: LocalOptions = {}): Promise<Local> {
  const child = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), {
    execPath: nodePath(),
    // Loaders and flags of the caller's test runner are not for the service.
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '', LOG_LEVEL: process.env.LOG_LEVEL ?? 'error' },
    // Standard output belongs to the reporter of the caller's tests.
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const ask = questioner(child);
  const environment = (await ask({ kind: 'start', options }).catch((error: unknown) => {
    child.kill();
    throw error;
  })) as LocalEnvironment;
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
      // Its end is the answer.
      closing ??= ask({ kind: 'close' }).then(
        () => undefined,
        () => undefined,
      );
      return closing;
    },
  };
}

/** This Node when it is new enough, else the one that npm installed for the service. */
function nodePath(): string {
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

/** Keeps the caller's process alive while a question is open, and not longer. */
function questioner(child: ChildProcess): (task: Task) => Promise<unknown> {
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
    // Made here, so that its stack leads to the line of the test.
    if (error !== undefined) throw new Error(error);
    return value;
  };
}

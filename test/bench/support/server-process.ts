import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createUser, issueToken, type Login, newLogin, toEmail } from './flows.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';

export interface ServerProcess {
  /** Root URL of the server, without `/cis`. */
  readonly url: string;
  readonly client: HttpClient;
  readonly pid: number;
  /** Creates users who can log in. */
  logins(count: number): Promise<readonly Login[]>;
  get<Body>(target: string): Promise<Body>;
  stop(): Promise<void>;
}

const ENTRY = join(import.meta.dirname, '../../../bin/start.ts');

/** Starts the local server as a separate process. It runs the functions and, in another thread, the AWS emulators. */
export async function startServerProcess(
  variables: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [ENTRY], {
    env: { ...process.env, PORT: '0', DATA_DIR: '', LOG_LEVEL: 'silent', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readyAddress(child.stdout);
  const client = createHttpClient(url);

  async function get<Body>(target: string): Promise<Body> {
    const answer = await client.send({ method: 'GET', target, headers: {}, body: '' });
    return JSON.parse(answer.body) as Body;
  }

  return {
    url,
    client,
    pid: child.pid ?? 0,
    get,

    async logins(count) {
      const { redirect_uris } = await get<{ redirect_uris: string[] }>('/_local/environment');
      const logins = Array.from({ length: count }, (_, index) =>
        newLogin(toEmail(index), redirect_uris[0] ?? ''),
      );
      for (const login of logins) {
        login.token = logins[0]?.token ?? '';
        if (login.token === '') await client.run(issueToken, login);
        await client.run(createUser, login);
      }
      return logins;
    },

    async stop() {
      client.close();
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

async function readyAddress(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const url = /^ready (\S+)$/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error('the local server did not start');
}

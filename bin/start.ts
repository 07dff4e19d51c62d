import { StartupError } from '../lib/local/http-server.ts';
import { type ReadableLog, startReadableLog } from '../lib/local/log/readable-log.ts';
import { readProviders } from '../lib/local/providers.ts';
import { type LocalServer, startLocalServer } from '../lib/local/start.ts';
import { hasArea } from '../shared/domain/basis/areas.ts';

const STOP_WITHIN_MS = 1900;

/** Starts the local server, configured by environment variables. The banner's last line says that the server is ready. */
async function main(): Promise<void> {
  const { env } = process;
  const log = readableLog();
  const server = await startLocalServer({
    port: readPort(env.PORT),
    preload: true,
    ...(env.CONSOLE_PORT && { consolePort: readPort(env.CONSOLE_PORT) }),
    ...(log && { log }),
    ...(env.OTL_AREAS && { areas: readList(env.OTL_AREAS) }),
    rateLimits: env.RATE_LIMITS === 'off' ? 'off' : 'on',
    providers: readProviders(env),
    redirectUris: readList(env.APP_REDIRECT_URIS),
    postLogoutRedirectUris: readList(env.APP_POST_LOGOUT_REDIRECT_URIS),
    origins: readList(env.APP_ORIGINS),
    hosts: readList(env.LOCAL_HOSTS),
    ...(env.HOST && { host: env.HOST }),
    ...(env.PUBLIC_ORIGIN && { publicOrigin: readOrigin(env.PUBLIC_ORIGIN) }),
    ...(env.DATA_DIR && { dataDir: env.DATA_DIR }),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(server));
  // The banner is printed last, because a program that reads the ready line may stop the server immediately.
  process.stdout.write(banner(server, env.DATA_DIR));
}

/** Starts the readable log if the output is a terminal. Piped output stays JSON. */
function readableLog(): ReadableLog | undefined {
  const { LOG_LEVEL: level = 'info' } = process.env;
  if (!process.stdout.isTTY || level === 'debug' || level === 'silent') return undefined;
  // The functions read `LOG_LEVEL` for each log line.
  process.env.LOG_LEVEL = 'silent';
  return startReadableLog((text) => process.stdout.write(text), level === 'error');
}

function readList(text = ''): readonly string[] {
  return text.split(',').flatMap((entry) => entry.trim() || []);
}

function readPort(port = '3000'): number {
  const number = Number(port || 3000);
  if (Number.isInteger(number) && number >= 0 && number <= 65_535) return number;
  throw new StartupError(`PORT must be a number from 0 to 65535, not "${port}".`);
}

function readOrigin(text: string): string {
  const { origin, protocol } = URL.parse(text) ?? {};
  if (origin !== undefined && /^https?:$/.test(protocol ?? '') && text.replace(/\/$/, '') === origin)
    return origin;
  throw new StartupError(`PUBLIC_ORIGIN must be an origin such as https://login.test:8443, not "${text}".`);
}

function banner({ areas, baseUrl, browserOrigin, url }: LocalServer, dataDir: string | undefined): string {
  return `
  One-Time Login, local

  playground   ${browserOrigin}/_local/${hasArea({ areas }, 'console') ? `\n  console      ${browserOrigin}/_local/console` : ''}
  reference    ${browserOrigin}/_local/docs
  service      ${baseUrl}
  environment  ${browserOrigin}/_local/environment
  data         ${dataDir ?? 'in memory (DATA_DIR=.data keeps it)'}

ready ${url}
`;
}

function stop(server: LocalServer): void {
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
  server.stop().then(
    () => process.exit(0),
    () => process.exit(0),
  );
}

process.on('uncaughtException', (error) => {
  console.error(error instanceof StartupError ? error.message : error);
  process.exit(1);
});
await main();

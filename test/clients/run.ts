import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer } from '../support/server/test-server.ts';

// Tests the API document of a server with third-party tools: two linters, and clients that two generators make from it. Each
// client logs in a user. The tools are installed in a temporary folder.

const folder = mkdtempSync(join(tmpdir(), 'otl-clients-'));
const at = (...names: readonly string[]) => join(folder, ...names);

/** Runs a command. Returns true if it succeeds. */
function succeeds(command: string, ...args: readonly string[]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  child.on('error', () => resolve(false));
  child.on('close', (code) => resolve(code === 0));
  return promise;
}

async function must(command: string, ...args: readonly string[]): Promise<void> {
  if (!(await succeeds(command, ...args))) throw new Error(`failed: ${command} ${args.join(' ')}`);
}

const server = await startTestServer();
const { base_url, client_id, client_secret } = server.environment;

async function lint(): Promise<void> {
  await must(process.execPath, at('lint.mjs'), at('openapi.json'));
}

const COMPILER = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024'];

async function logInByTypeScript(): Promise<void> {
  const [generator, compiler] = ['openapi-typescript', 'tsc'].map((name) => at('node_modules/.bin', name));
  await must(generator ?? '', at('openapi.json'), '--output', at('typescript/schema.d.ts'));
  await must(compiler ?? '', ...COMPILER, at('typescript/login.ts'));
  await must(
    process.execPath,
    at('typescript/login.ts'),
    base_url,
    client_id,
    client_secret,
    'typescript@example.com',
  );
}

async function logInByPython(): Promise<void> {
  const python = at('python/bin/python');
  const isThere =
    (await succeeds('python3', '-m', 'venv', at('python'))) &&
    (await succeeds(python, '-m', 'pip', 'install', '--quiet', '--requirement', at('requirements.txt')));
  if (!isThere) {
    console.log('skipped: a client in Python, for python3 -m venv or pip install does not work here');
    return;
  }
  const generated = ['--path', at('openapi.json'), '--output-path', at('otl_client'), '--meta', 'none'];
  await must(at('python/bin/openapi-python-client'), 'generate', ...generated);
  await must(python, at('login.py'), base_url, client_id, client_secret, 'python@example.com');
}

try {
  cpSync(import.meta.dirname, folder, { recursive: true });
  writeFileSync(at('openapi.json'), JSON.stringify((await server.get('/openapi.json')).body));
  await must('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  for (const attempt of [lint, logInByTypeScript, logInByPython])
    await attempt().catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
  server.expectNoViolations();
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

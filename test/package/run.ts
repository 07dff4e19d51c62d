import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listBlocks, listInlineCode, ROOT, readPage, section } from '../pages/support/markdown.ts';
import { chromiumPath } from '../support/tools/chromium-path.ts';
import { compareConstruct } from './construct.ts';

// Packs the client and the service, and installs both in one application with the commands of the quickstarts. Uses the
// packages from a program, as a command, with the documented test runners and in production. Then synthesizes the service in a
// CDK application that has only the packed package.

const page = readPage('lib/local/for-tests/README.md');
const folder = mkdtempSync(join(tmpdir(), 'otl-package-'));
const at = (...names: readonly string[]) => join(folder, ...names);
const installed = (command: string) => at('node_modules/.bin', command);
const NPM = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Runs a command. Throws if it fails or does not end. */
async function must(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = folder,
) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 900_000,
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`failed: ${command} ${args.join(' ')}`);
}

const bash = (commands: string, cwd: string, env: Record<string, string> = {}) =>
  must('bash', ['-euo', 'pipefail', '-c', commands], env, cwd);

/** Runs the commands of the Playwright quickstart. npm installs in the parent folder, which has the nearest package.json. */
async function install(): Promise<void> {
  cpSync(import.meta.dirname, folder, { recursive: true });
  await must('npm', ['ci', '--ignore-scripts', ...NPM]);
  await must('npm', ['run', '--silent', 'package:client'], {}, ROOT);
  const [block = ''] = listBlocks('bash', section(readPage('test/quickstarts/README.md'), 'Playwright'));
  const [commands = '', tests = ''] = block.split('npx playwright install chromium\n');
  const env = { npm_config_prefer_offline: 'true', npm_config_loglevel: 'error' };
  await bash(commands.replaceAll('../', `${folder}/`), ROOT, env);
  if (chromiumPath === undefined) return console.log(`skipped: ${tests}, for there is no Chromium`);
  cpSync(at('playwright.config.mjs'), at('tested/playwright.config.mjs'));
  await bash(tests, at('tested'), { CHROMIUM: chromiumPath });
  // The other test runners look for tests in all folders, so the Playwright tests are removed.
  rmSync(at('tested/playwright'), { recursive: true });
}

async function startByCommand(): Promise<void> {
  const child = spawn(installed('one-time-login'), [], {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let banner = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    banner += chunk;
    if (/^ready http/m.test(banner)) child.kill('SIGTERM');
  }
  const [code] = await closed;
  if (!/^ready http/m.test(banner) || code !== 0) throw new Error(`ended with ${code}: ${banner}`);
  await must(installed('otl'), ['--help']);
}

async function checkTypes(): Promise<void> {
  const code = `import { createClient } from 'one-time-login-client';
import { startLocal } from 'one-time-login/local';
const { environment, inbox } = await startLocal({ rateLimits: 'off' });
const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = environment;
await createClient({ baseUrl, clientId, clientSecret }).getUserByEmail({ email: 'ann@example.com' });
const { codes } = await inbox.waitFor(environment.client_id);
codes satisfies readonly string[];`;
  writeFileSync(at('types.mts'), code);
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  await must(compiler, ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', at('types.mts')]);
}

async function followRecipes(): Promise<void> {
  for (const name of ['Node', 'Jest', 'Vitest', 'Playwright']) {
    const recipe = section(page, name);
    const [command = ''] = listInlineCode(recipe);
    if (name === 'Playwright' && chromiumPath === undefined) {
      console.log(`skipped: ${command}, for there is no Chromium`);
      continue;
    }
    const [code = ''] = listBlocks('js', recipe);
    const [rest = ''] = name === 'Vitest' ? listBlocks('js', section(page, 'Jest')) : [];
    writeFileSync(at('login.test.mjs'), `${code}${rest}`);
    await bash(command, folder, { CHROMIUM: chromiumPath ?? '' });
  }
}

/** Installs only production dependencies. Checks that the client is then installed and the service is not. */
async function installForProduction(): Promise<void> {
  await must('npm', ['ci', '--omit=dev', '--prefer-offline', ...NPM]);
  const code = `import { createClient } from 'one-time-login-client';
    createClient({ baseUrl: 'https://login.example.com/cis', clientId: 'id', clientSecret: 'secret' });
    const service = await import('one-time-login/local').catch(({ code }) => code);
    if (service !== 'ERR_MODULE_NOT_FOUND') throw new Error('the service is installed');`;
  await must(process.execPath, ['--input-type=module', '--eval', code]);
}

try {
  await install();
  const callsItself = () => must(process.execPath, ['caller.mjs']);
  const deploys = async () => compareConstruct(join(ROOT, 'dist/one-time-login-0.1.0.tgz'));
  const attempts = [callsItself, startByCommand, checkTypes, followRecipes, installForProduction, deploys];
  for (const attempt of attempts)
    await attempt().catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

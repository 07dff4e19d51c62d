import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf, ROOT, readPage, section } from '../pages/support/markdown.ts';
import { chromiumPath } from '../support/tools/chromium-path.ts';

/**
 * Packs the project, installs the package in an empty folder and uses it there: as another program does, as a command, and
 * by the recipes for test runners.
 */

const folder = mkdtempSync(join(tmpdir(), 'otl-package-'));
const at = (...names: readonly string[]) => join(folder, ...names);
const installed = (command: string) => at('node_modules/.bin', command);
const NPM = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Fails when the command does, or does not end. */
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
    timeout: 300_000,
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`failed: ${command} ${args.join(' ')}`);
}

async function install(): Promise<void> {
  cpSync(import.meta.dirname, folder, { recursive: true });
  await must('npm', ['ci', '--ignore-scripts', ...NPM]);
  await must('npm', ['pack', '--pack-destination', folder, ...NPM], {}, ROOT);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  await must('npm', ['install', '--no-save', '--prefer-offline', ...NPM, at(tarball)]);
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
  const code = `import { createClient } from 'one-time-login/client';
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
  const page = readPage('lib/local/for-tests/README.md');
  for (const name of ['Node', 'Jest', 'Vitest', 'Playwright']) {
    const [code = ''] = blocksOf('js', section(page, name));
    writeFileSync(at(`${name.toLowerCase()}.test.mjs`), code);
  }
  await must(process.execPath, ['--test', 'node.test.mjs']);
  await must(installed('jest'), ['jest.test.mjs'], { NODE_OPTIONS: '--experimental-vm-modules' });
  await must(installed('vitest'), ['run', 'vitest.test.mjs']);
  if (chromiumPath === undefined) console.log('skipped: the recipe for Playwright, for there is no Chromium');
  else await must(installed('playwright'), ['test'], { CHROMIUM: chromiumPath });
}

try {
  await install();
  const callsItself = () => must(process.execPath, ['caller.mjs']);
  for (const attempt of [callsItself, startByCommand, checkTypes, followRecipes])
    await attempt().catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

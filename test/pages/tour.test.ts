import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { leftTo } from '../support/fixtures/hosted-login.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { BrowserJar } from '../support/tools/browser-jar.ts';
import { childEnvironment } from '../support/tools/child-environment.ts';
import { listBlocks, ROOT, readPage, section } from './support/markdown.ts';

/** Time-out for slow machines, in milliseconds. */
const TIME_OUT_MS = 120_000;

const server = useTestServer();
const tour = section(readPage('README.md'), 'A tour');

/** Runs the code blocks of a section in order, as if pasted into a terminal. Stops at the first failure. */
async function paste(markdown: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const script = listBlocks('bash', markdown).join('\n');
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', ...childEnvironment(environment) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => shell.once('close', resolve));
  const [output, complaints, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  if (code !== 0) throw new Error(`the script ended with ${code}\n${output}\n${complaints}`);
  return output;
}

test(
  'the commands in the README tour log a user in with a passcode and verify the ID token',
  async () => {
    const output = await paste(tour, { BASE: server.environment.base_url });
    expect(output).toContain('"status":"Pending"');
    expect(output).toContain('{"message":"OTP sent"}');
    expect(output).toContain('"refresh_token":');
    expect(output).toMatch(/amr: \[ 'eotp' \]/);
    expect(output).toMatch(/email_verified: true/);
  },
  TIME_OUT_MS,
);

test('the login URL in the README tour logs a new user in and ends at the callback page', async () => {
  const { url, environment } = server;
  const [address = ''] = listBlocks('', tour);
  const browser = new BrowserJar(new URL(environment.base_url).origin);
  const local = address.trim().replaceAll('http://localhost:3000', new URL(environment.base_url).origin);
  const identify = await browser.open(local);
  const ask = await identify.submit({ identifier: 'tour@example.com', method: 'email' });
  const target = leftTo(await ask.submit({ passcode: await server.codeTo('tour@example.com') }));
  expect(target.pathname).toBe('/_local/callback');
  const exchanged = await fetch(`${url}/_local/callback`, {
    method: 'POST',
    body: JSON.stringify({ code: target.searchParams.get('code') }),
  });
  expect(await exchanged.json()).toMatchObject({ status: 200, answer: { id_token: expect.any(String) } });
});

test(
  'the documented commands create an application',
  async () => {
    const own = section(readPage('README.md'), 'Make it yours');
    const output = await paste(own, { OTL_ENDPOINT: server.url });
    expect(output).toMatch(/redirect_uris +http:\/\/localhost:8080\/complete/);
    expect(output).toMatch(/client_secret +\S{40}/);
  },
  TIME_OUT_MS,
);

test(
  'the commands on the documentation page of otl work as written',
  async () => {
    const output = await paste(section(readPage('bin/README.md'), 'Try it'), { OTL_ENDPOINT: server.url });
    expect(output).toMatch(/client_secret +[\w-]{43}$/m);
    expect(output).toContain('ben@example.com');
    const token = await server.clientToken();
    expect((await server.get('/v1/users/email/ben@example.com', { token })).status).toBe(404);
    await server.post('/v1/users', { email: 'ann@example.com' }, { token });
    const aboutCodes = section(readPage('bin/README.md'), 'A code did not come');
    const calls = `\`\`\`bash\notl() { npm run --silent otl -- "$@"; }\n\`\`\`\n${aboutCodes}`;
    expect(await paste(calls, { OTL_ENDPOINT: server.url })).toContain('ann@example.com');
  },
  TIME_OUT_MS,
);

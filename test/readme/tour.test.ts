import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { useTestServer } from '../support/server/use-test-server.ts';
import { blocksOf, ROOT, readReadme, section } from './support/readme.ts';

/** Minutes, for a busy machine: nothing is measured here. */
const TIME_OUT_MS = 120_000;

const readme = readReadme();
const server = useTestServer();

/** Runs the blocks of a section as somebody who pastes them one after the other, but stops at the first failure. */
async function paste(heading: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const script = blocksOf('bash', section(readme, heading)).join('\n');
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => shell.once('close', resolve));
  const [output, complaints, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  if (code !== 0) throw new Error(`"${heading}" ended with ${code}\n${output}\n${complaints}`);
  return output;
}

test(
  'the tour runs as it is written: by link, passcode and hosted page users log in, another library verifies the tokens',
  async () => {
    const output = await paste('A tour', { BASE: server.environment.base_url });
    expect(output).toContain('"status":"Pending"');
    expect(output).toContain('{"message":"Email sent successfully"}');
    expect(output).toMatch(/^http:\/\/localhost:\d+\/v1\/auth\/link\/email\/open\?code=[\w-]{43}$/m);
    expect(output).toMatch(/amr: \[ 'eml' \]/);
    expect(output).toMatch(/email_verified: true/);
    expect(output).toMatch(/amr: \[ 'eml', 'otp', 'mfa' \]/);
    expect(output).toMatch(/acr: 'mfa'/);
    expect(output).toContain('"auth_otp_passcode_expired"');

    const { issuer } = server.environment;
    expect(output).toMatch(/\/_local\/callback\?code=[\w-]{43}&state=from-the-tour&iss=/);
    expect(output).toContain(`iss=${encodeURIComponent(issuer)}`);
    expect(output).toMatch(/amr: \[ 'eotp' \]/);
    expect(output).toMatch(/^\{"sub":"\w+","email":"ann\d+@example\.com","email_verified":true\}$/m);
    expect(output).toContain('{"sessions_count":1}');
    expect(output).toMatch(/\{"error":"invalid_grant".+\}\s*$/);
  },
  TIME_OUT_MS,
);

test(
  'the commands of the command line run as they are written',
  async () => {
    const output = await paste('The command line', { OTL_ENDPOINT: server.url });
    expect(output).toMatch(/client_secret +[\w-]{43}$/m);
    expect(output).toContain('ben@example.com');
    const token = await server.clientToken();
    expect((await server.get('/v1/users/email/ben@example.com', { token })).status).toBe(404);
  },
  TIME_OUT_MS,
);

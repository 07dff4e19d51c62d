import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { approveByDeviceKey } from '../support/fixtures/device-keys.ts';
import { login, newPerson, registerPasskey } from '../support/fixtures/passkeys.ts';
import { startTestServer, type TestServer } from '../support/server/test-server.ts';
import { childEnvironment } from '../support/tools/child-environment.ts';
import { listBlocks, readPage } from './support/markdown.ts';

// Runs the verification code of the documentation page, with a signed approval as its only input.

const [lines = ''] = listBlocks('js', readPage('functions/approvals/README.md'));
const folder = mkdtempSync(join(tmpdir(), 'verify-'));
const file = join(folder, 'verify.mjs');
let server: TestServer;

beforeAll(async () => {
  writeFileSync(file, lines);
  server = await startTestServer({ rateLimits: 'off' });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

function run(given: unknown) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
    input: JSON.stringify(given),
    encoding: 'utf8',
    env: childEnvironment(),
  });
  return { status, stdout, complaint: /Error: (.*)/.exec(stderr)?.[1] };
}

const data = { payee: 'Zoë "Z" Lee', amount: '120.00 €', '10': 'ten', '9': 'nine' };
type Artifacts = Readonly<Record<string, unknown>>;

const byPasskey = (alg: -7 | -8 | -257) => async (): Promise<Artifacts> => {
  const passkey = await registerPasskey(server, await newPerson(server), { alg });
  const { body } = await login(server, passkey, { start: { approval_data: data } });
  return body.signing_artifacts ?? {};
};
const byDevice = (kind: 'EC' | 'RSA') => async (): Promise<Artifacts> =>
  approveByDeviceKey(server, await newPerson(server), kind, data);

describe.each<[string, () => Promise<Artifacts>]>([
  ['a passkey (ES256)', byPasskey(-7)],
  ['a passkey (EdDSA)', byPasskey(-8)],
  ['a passkey (RS256)', byPasskey(-257)],
  ['a device key (ECDSA)', byDevice('EC')],
  ['a device key (RSA-PSS)', byDevice('RSA')],
])('N109 documented verification of an approval signed by %s', (_title, approve) => {
  test('the documented verification of approvals accepts only an unchanged approval', async () => {
    const artifacts = await approve();
    expect(run({ signing_artifacts: artifacts })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(JSON.stringify(data)),
    });
    const swapped = { ...artifacts, signature: (await approve()).signature };
    for (const [given, complaint] of [
      [{ ...artifacts, approval_data: { ...data, amount: '1.00 €' } }, 'other data was approved'],
      [swapped, 'the signature is wrong'],
    ])
      expect(run(given)).toMatchObject({ status: 1, complaint });
  });
});

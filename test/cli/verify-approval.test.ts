import { sign } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { login, newPerson, registerPasskey, toOrigin } from '../support/fixtures/passkeys.ts';
import { newKey } from '../support/fixtures/proofs.ts';
import { type Ended, otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

// Time-out for slow machines. On an idle machine, the process starts in a quarter of a second.
jest.setTimeout(120_000);

const server = useTestServer({ rateLimits: 'off' });

/** Runs the command without a server URL or credentials. */
const verify = (input: unknown, ...args: string[]): Promise<Ended> =>
  otlWith({}, ['verify-approval', '-', ...args], typeof input === 'string' ? input : JSON.stringify(input));

const data = { amount: '120.00', payee: 'Zoë' };

async function byPasskey(): Promise<Record<string, unknown>> {
  const passkey = await registerPasskey(server, await newPerson(server));
  const answer = await login(server, passkey, { start: { approval_data: data } });
  return answer.body as unknown as Record<string, unknown>;
}

async function byDeviceKey(): Promise<Record<string, unknown>> {
  const person = await newPerson(server);
  const key = newKey();
  const own = { token: person.tokens.access_token };
  const json = { public_key: key.jwk, name: 'Phone' };
  const made = await server.post<{ result: { key_id: string } }>('/v1/auth/device-keys', json, own);
  const token = await server.clientToken();
  const request = { user_id: person.user.user_id, approval_data: data };
  const { body } = await server.post<Record<string, string>>('/v1/auth/approvals/start', request, { token });
  const options = { key: key.privateKey, dsaEncoding: 'ieee-p1363' } as const;
  const signature = sign('sha256', Buffer.from(String(body.challenge)), options).toString('base64url');
  const signed = { approval_id: body.approval_id, key_id: made.body.result.key_id, signature };
  return (await server.post('/v1/auth/approvals/authenticate', signed, { token })).body;
}

describe('checking approvals with otl verify-approval', () => {
  test('N109 otl verify-approval accepts an approval that a passkey has signed', async () => {
    const answer = await byPasskey();
    for (const given of [answer, answer.signing_artifacts]) {
      const { code, stdout, stderr } = await verify(given, '--json');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({
        verified: true,
        approval_data: data,
        signed_by: 'passkey',
        origin: toOrigin(server),
        key_fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }
    expect((await verify(answer)).stdout).toContain('Zoë');
  });

  test('otl verify-approval accepts an approval that a device key has signed', async () => {
    const { code, stdout } = await verify(await byDeviceKey(), '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ approval_data: data, signed_by: 'device key' });
  });

  test('otl verify-approval rejects an altered approval and prints the reason for the rejection', async () => {
    const [passkey, key] = [await byPasskey(), await byDeviceKey()].map(
      ({ signing_artifacts }) => signing_artifacts as Record<string, unknown>,
    );
    const other = { amount: '1' };
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{ ...passkey, approval_data: other }, /does not carry this approval_data/],
      [{ ...key, approval_data: other }, /does not carry this approval_data/],
      [{ ...passkey, public_key: key?.public_key }, /signature is wrong/],
      [{ ...key, public_key: passkey?.public_key }, /signature is wrong/],
      [{ ...passkey, public_key: 'AAAA' }, /not a public key/],
      [{ ...key, challenge: undefined }, /challenge is missing/],
      [{}, /approval_data is missing/],
      ['text', /is not JSON/],
    ];
    for (const [given, message] of wrong) {
      const { code, stdout, stderr } = await verify(given);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(message);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});

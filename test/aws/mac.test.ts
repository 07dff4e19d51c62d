import {
  CreateKeyCommand,
  DisableKeyCommand,
  EnableKeyCommand,
  GenerateMacCommand,
  KMSClient,
} from '@aws-sdk/client-kms';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Emulators } from '../../lib/local/emulators/start.ts';
import { setEnvironment } from '../../lib/local/function-environment.ts';
import { connectKms } from '../../shared/aws/kms.ts';
import { createDerivedMac } from '../../shared/aws/mac.ts';
import { openEmulators } from '../support/server/emulators.ts';

let emulators: Emulators;
let restore: () => void;
let kms: KMSClient;
let KeyId: string;

beforeAll(async () => {
  emulators = await openEmulators({});
  restore = setEnvironment({
    AWS_ENDPOINT_URL_KMS: emulators.endpoint('kms'),
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  kms = new KMSClient({});
  const made = await kms.send(new CreateKeyCommand({ KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' }));
  KeyId = made.KeyMetadata?.KeyId ?? '';
});
afterAll(async () => {
  kms.destroy();
  restore();
  await emulators.stop();
});

test('all Lambda containers derive the same passcode key from the same KMS key', async () => {
  const [one, other, changed] = [
    createDerivedMac(connectKms({ env: {} }), KeyId, '1'),
    createDerivedMac(connectKms({ env: {} }), KeyId, '1'),
    createDerivedMac(connectKms({ env: {} }), KeyId, '2'),
  ];
  await kms.send(new DisableKeyCommand({ KeyId }));
  await expect(one.mac('monday', 'digits')).rejects.toMatchObject({ key: 'service_unavailable' });
  await kms.send(new EnableKeyCommand({ KeyId }));

  const mac = await one.mac('monday', 'digits');
  expect(mac).toMatch(/^[\w-]{43}$/);
  expect(await Promise.all([other, other].map(({ mac: again }) => again('monday', 'digits')))).toEqual([
    mac,
    mac,
  ]);
  const others = [
    await one.mac('tuesday', 'digits'),
    await one.mac('monday', 'others'),
    await changed.mac('monday', 'digits'),
  ];
  expect(new Set([mac, ...others]).size).toBe(4);
  // A caller who may only use the KMS key must not get the same MAC by calling KMS directly.
  const asked = await kms.send(
    new GenerateMacCommand({ KeyId, MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from('digits') }),
  );
  expect(Buffer.from(asked.Mac ?? []).toString('base64url')).not.toBe(mac);

  await kms.send(new DisableKeyCommand({ KeyId }));
  expect(await one.mac('monday', 'digits')).toBe(mac);
  // A container caches at most three derived keys, including keys that it derived in advance. The oldest key is dropped first.
  await expect(other.mac('wednesday', 'digits', ['thursday'])).rejects.toMatchObject({
    key: 'service_unavailable',
  });
  await kms.send(new EnableKeyCommand({ KeyId }));
  await one.mac('wednesday', 'digits', ['thursday']);
  const soon = await one.mac('thursday', 'digits');
  await kms.send(new DisableKeyCommand({ KeyId }));
  expect(await one.mac('tuesday', 'digits')).toBe(others[0]);
  expect(await one.mac('thursday', 'digits')).toBe(soon);
  await expect(one.mac('monday', 'digits')).rejects.toMatchObject({ key: 'service_unavailable' });
});

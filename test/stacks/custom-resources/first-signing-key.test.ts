import { afterAll, describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import type { CustomResourceEvent } from '../../../functions/deployment/custom-resource.ts';
import { ENVELOPE_KEY_ID, MAC_KEY_ID, SIGNING_KEY_ID } from '../../../lib/local/demo.ts';
import { signingKeyRecords } from '../../../shared/aws/adapters.ts';
import { noteForComparison } from '../../support/server/aws-calls.ts';
import { loadBackground } from '../../support/server/load-function.ts';
import { useCustomResources } from '../support/custom-resources.ts';

const { noting, close } = noteForComparison();
const unnoted = await loadBackground('first-signing-key');
const handler = noting('first-signing-key', unnoted);
const deployment = useCustomResources(() => ({
  keys: [
    { id: SIGNING_KEY_ID, spec: 'RSA_2048' },
    { id: MAC_KEY_ID, spec: 'HMAC_256' },
    { id: ENVELOPE_KEY_ID, spec: 'SYMMETRIC_DEFAULT' },
  ],
}));
afterAll(close);

const records = () => signingKeyRecords({ env: process.env });
const event = (RequestType: CustomResourceEvent['RequestType'], KeyId = SIGNING_KEY_ID) => ({
  RequestType,
  ResourceType: 'Custom::FirstSigningKey',
  ResourceProperties: { KeyId },
});
const send = (sent: Partial<CustomResourceEvent>) => deployment.send(handler, sent);

describe('first signing key of an environment', () => {
  test('the first signing key is the current key, and its kid is the thumbprint of the public key', async () => {
    expect(await send(event('Create'))).toEqual({
      Status: 'SUCCESS',
      Reason: 'done',
      PhysicalResourceId: 'first-signing-key',
      StackId: 'stack',
      RequestId: 'request',
      LogicalResourceId: 'Record',
      Data: {},
    });
    const [key, ...others] = await records().list();
    expect(others).toEqual([]);
    expect(key).toMatchObject({
      alg: 'RS256',
      state: 'current',
      keyArn: expect.stringMatching(new RegExp(`^arn:aws:kms:.*:key/${SIGNING_KEY_ID}$`)),
    });
    expect(Object.keys(key?.publicJwk ?? {}).toSorted()).toEqual(['e', 'kty', 'n']);
    expect(key?.kid).toBe(await calculateJwkThumbprint({ ...key?.publicJwk }));
  });

  test('later deployments do not write the first signing key again', async () => {
    await send(event('Create'));
    const [key] = await records().list();
    await records().move(String(key?.kid), 'current', 'previous', { at: 1 });
    for (const type of ['Update', 'Create'] as const)
      expect(await send(event(type))).toMatchObject({ Status: 'SUCCESS' });
    expect(await records().list()).toMatchObject([{ kid: key?.kid, state: 'previous', stateSince: 1 }]);
  });

  test('creating the first signing key is retried until the new role has its permissions', async () => {
    const { inject } = deployment.emulators();
    await inject({ service: 'dynamodb', effect: 'error', code: 'AccessDeniedException', times: 1 });
    await inject({ service: 'kms', effect: 'error', code: 'AccessDeniedException', times: 1 });
    expect(await deployment.send(unnoted, event('Create'))).toMatchObject({ Status: 'SUCCESS' });
    expect(await records().list()).toHaveLength(1);
  });

  test('if functions sign locally, the first signing key is a key pair encrypted by KMS', async () => {
    const SealingContext = { 'otl:environment': 'eu', 'otl:purpose': 'signing' };
    const create = event('Create', ENVELOPE_KEY_ID);
    const properties = { ...create.ResourceProperties, SealingContext };
    expect(await send({ ...create, ResourceProperties: properties })).toMatchObject({ Status: 'SUCCESS' });
    expect(await records().list()).toMatchObject([
      {
        state: 'current',
        keyArn: expect.stringMatching(new RegExp(`:key/${ENVELOPE_KEY_ID}$`)),
        sealed: { ciphertext: expect.stringMatching(/^[\w+/]{1000,}=*$/), context: SealingContext },
      },
    ]);
  });

  test('a deployment with an unusable first signing key fails with a reason and stores no key', async () => {
    // A MAC key cannot sign. In AWS, the key policy would already reject the call.
    const answer = await deployment.send(unnoted, event('Create', MAC_KEY_ID));
    expect(answer).toMatchObject({ Status: 'FAILED', PhysicalResourceId: 'first-signing-key' });
    expect(answer.Reason).not.toBe('');
    expect(await records().list()).toEqual([]);
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint } from 'jose';
import type { CustomResourceEvent } from '../../functions/deployment/custom-resource.ts';
import { ENVELOPE_KEY_ID, MAC_KEY_ID, SIGNING_KEY_ID } from '../../lib/local/demo.ts';
import { createTables } from '../../lib/local/emulators/dynamodb/tables.ts';
import type { Emulators } from '../../lib/local/emulators/start.ts';
import { setEnvironment } from '../../lib/local/function-environment.ts';
import { signingKeyRecords } from '../../shared/aws/adapters.ts';
import { tableLayouts } from '../../shared/dynamo/keys.ts';
import { noteForComparison } from '../support/server/aws-calls.ts';
import { openEmulators } from '../support/server/emulators.ts';
import { loadBackground } from '../support/server/load-function.ts';

interface Answer {
  readonly Status: string;
  readonly Reason: string;
  readonly PhysicalResourceId: string;
}

const { noting, close } = noteForComparison();
const unnoted = await loadBackground('first-signing-key');
const handler = noting('first-signing-key', unnoted);

let emulators: Emulators;
let cloudFormation: Server;
let answers: Answer[];
let status: number;
let restoreEnvironment = () => {};

beforeAll(async () => {
  emulators = await openEmulators({
    keys: [
      { id: SIGNING_KEY_ID, spec: 'RSA_2048' },
      { id: MAC_KEY_ID, spec: 'HMAC_256' },
      { id: ENVELOPE_KEY_ID, spec: 'SYMMETRIC_DEFAULT' },
    ],
  });
  await createTables(emulators.endpoint('dynamodb'), tableLayouts);
  restoreEnvironment = setEnvironment({ DIRECTORY_TABLE: 'directory', ...emulators.environment });
  cloudFormation = createServer(async (request, response) => {
    expect(request.method).toBe('PUT');
    expect(request.headers['content-type']).toBe('');
    answers.push((await json(request)) as Answer);
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(cloudFormation, 'listening');
});

afterAll(async () => {
  close();
  restoreEnvironment();
  cloudFormation.close();
  await emulators.stop();
});

const records = () => signingKeyRecords({ env: process.env });

beforeEach(async () => {
  answers = [];
  status = 200;
  for (const { kid, state } of await records().list()) await records().remove(kid, state);
});

const event = (
  RequestType: CustomResourceEvent['RequestType'],
  KeyId = SIGNING_KEY_ID,
): CustomResourceEvent => ({
  RequestType,
  ResourceType: 'Custom::FirstSigningKey',
  ResponseURL: `http://127.0.0.1:${(cloudFormation.address() as AddressInfo).port}/signed?by=aws`,
  StackId: 'stack',
  RequestId: 'request',
  LogicalResourceId: 'Record',
  ResourceProperties: { KeyId },
});

describe('the first signing key', () => {
  test('becomes current, under the thumbprint of its public key', async () => {
    await handler(event('Create'));
    const [key, ...others] = await records().list();
    expect(others).toEqual([]);
    expect(key).toMatchObject({
      alg: 'RS256',
      state: 'current',
      keyArn: expect.stringMatching(new RegExp(`^arn:aws:kms:.*:key/${SIGNING_KEY_ID}$`)),
    });
    expect(Object.keys(key?.publicJwk ?? {}).toSorted()).toEqual(['e', 'kty', 'n']);
    expect(key?.kid).toBe(await calculateJwkThumbprint({ ...key?.publicJwk }));
    expect(answers).toEqual([
      {
        Status: 'SUCCESS',
        Reason: 'done',
        PhysicalResourceId: 'first-signing-key',
        StackId: 'stack',
        RequestId: 'request',
        LogicalResourceId: 'Record',
        Data: {},
      },
    ]);
  });

  test('is not written again: a rotation stays', async () => {
    await handler(event('Create'));
    const [key] = await records().list();
    await records().move(String(key?.kid), 'current', 'previous', 1);
    await handler(event('Update'));
    await handler(event('Create'));
    expect(await records().list()).toMatchObject([{ kid: key?.kid, state: 'previous', stateSince: 1 }]);
    expect(answers.map(({ Status }) => Status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
  });

  test('is a sealed key pair where the environment signs by itself', async () => {
    const SealingContext = { 'otl:environment': 'eu', 'otl:purpose': 'signing' };
    const create = event('Create', ENVELOPE_KEY_ID);
    await handler({ ...create, ResourceProperties: { ...create.ResourceProperties, SealingContext } });
    expect(await records().list()).toMatchObject([
      {
        state: 'current',
        keyArn: expect.stringMatching(new RegExp(`:key/${ENVELOPE_KEY_ID}$`)),
        sealed: { ciphertext: expect.stringMatching(/^[\w+/]{1000,}=*$/), context: SealingContext },
      },
    ]);
    expect(answers.map(({ Status }) => Status)).toEqual(['SUCCESS']);
  });

  test('outlives the deletion of its stack', async () => {
    await handler(event('Create'));
    await handler({ ...event('Delete'), PhysicalResourceId: 'first-signing-key' });
    expect(await records().list()).toHaveLength(1);
    expect(answers.map(({ Status }) => Status)).toEqual(['SUCCESS', 'SUCCESS']);
  });

  test('of a wrong key fails the deployment with a reason, and writes nothing', async () => {
    // In AWS the key would refuse already the question.
    await unnoted(event('Create', MAC_KEY_ID));
    expect(answers).toMatchObject([{ Status: 'FAILED', PhysicalResourceId: 'first-signing-key' }]);
    expect(answers[0]?.Reason).not.toBe('');
    expect(await records().list()).toEqual([]);
  });

  test('is retried by Lambda when CloudFormation takes no answer', async () => {
    status = 503;
    await expect(handler(event('Create'))).rejects.toThrow('CloudFormation answered 503');
  });
});

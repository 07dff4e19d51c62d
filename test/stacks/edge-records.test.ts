import { afterAll, describe, expect, test } from '@jest/globals';
import type { CustomResourceEvent } from '../../functions/deployment/custom-resource.ts';
import { isFromEdge } from '../../shared/domain/basis/edge.ts';
import { noteForComparison } from '../support/server/aws-calls.ts';
import { loadBackground } from '../support/server/load-function.ts';
import { Cloud } from './support/cloud.ts';
import { useCustomResourceCloud } from './support/custom-resource-cloud.ts';
import { synthesized } from './support/synthesized.ts';

interface Answer {
  readonly Status: string;
  readonly Reason: string;
  readonly PhysicalResourceId: string;
  readonly Data: Readonly<Record<string, string>>;
}

const { noting, close } = noteForComparison();
const unnoted = await loadBackground('edge-records');
const handler = noting('edge-records', unnoted);
const [resource] = new Cloud(synthesized('eu').templates).resources('Custom::EdgeSecretHash');
const SECRET_ID = String(resource?.properties.SecretId);
const SECRET = 'the-secret-of-the-edge';
const cloud = useCustomResourceCloud<Answer>('AWS_ENDPOINT_URL_SECRETS_MANAGER', (body, headers) => {
  expect(headers['x-amz-target']).toBe('secretsmanager.GetSecretValue');
  const found = JSON.parse(body).SecretId === SECRET_ID;
  return {
    status: found ? 200 : 400,
    type: 'application/x-amz-json-1.1',
    body: JSON.stringify(found ? { SecretString: SECRET } : { __type: 'ResourceNotFoundException' }),
  };
});
afterAll(close);

async function record(event: Partial<CustomResourceEvent>, run = handler): Promise<Answer | undefined> {
  await run({
    RequestType: 'Create',
    ResourceType: 'Custom::Domain',
    ResponseURL: cloud.responseUrl(),
    StackId: 'stack',
    RequestId: 'request',
    LogicalResourceId: 'Record',
    ResourceProperties: {},
    ...event,
  });
  return cloud.lastAnswer();
}

describe('the domain', () => {
  const domain = (name: string) => ({ ResourceProperties: { Domain: name } });
  const update = { RequestType: 'Update', PhysicalResourceId: 'login.example.com' } as const;

  test('is recorded, and any deployment may name it again', async () => {
    expect(await record(domain('login.example.com'))).toMatchObject({
      Status: 'SUCCESS',
      PhysicalResourceId: 'login.example.com',
    });
    expect(await record({ ...update, ...domain('login.example.com') })).toMatchObject({ Status: 'SUCCESS' });
  });

  test('can never change: the deployment fails, and the way back is free', async () => {
    expect(await record({ ...update, ...domain('other.example.com') })).toMatchObject({
      Status: 'FAILED',
      Reason:
        'Error: the domain of an environment can never change: it is login.example.com, not other.example.com',
      PhysicalResourceId: 'login.example.com',
    });
    expect(await record({ ...update, ...domain('login.example.com') })).toMatchObject({ Status: 'SUCCESS' });
  });
});

describe('the hash of a secret', () => {
  const hash = (SecretId: string) => ({
    ResourceType: 'Custom::EdgeSecretHash',
    ResourceProperties: { SecretId },
  });

  test('returns the hash of the secret, and never the secret', async () => {
    const answer = await record(hash(SECRET_ID));
    expect(answer).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'Record' });
    expect(isFromEdge(SECRET, [answer?.Data.Hash ?? ''])).toBe(true);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });

  test('of a secret that is not there fails the deployment', async () => {
    expect(await record(hash('arn:of-nothing'), unnoted)).toMatchObject({ Status: 'FAILED', Data: {} });
  });
});

import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { callJson } from '../../../lib/local/emulators/basis/call-json.ts';
import { tenantRecords } from '../../../shared/aws/adapters.ts';
import { isFromEdge } from '../../../shared/domain/basis/edge.ts';
import { createTenant } from '../../../shared/domain/management/tenants.ts';
import { noteForComparison } from '../../support/server/aws-calls.ts';
import { loadBackground } from '../../support/server/load-function.ts';
import { Cloud } from '../support/cloud.ts';
import { useCustomResources } from '../support/custom-resources.ts';
import { synthesized } from '../support/synthesized.ts';

const { noting, close } = noteForComparison();
const unnoted = await loadBackground('edge-records');
const handler = noting('edge-records', unnoted);
const deployment = useCustomResources();
afterAll(close);

describe('custom resource that stores the domain of an environment', () => {
  const OLD = 'login.example.com';
  const NEW = 'other.example.com';
  const domain = (Domain: string) => ({ ResourceType: 'Custom::Domain', ResourceProperties: { Domain } });
  const update = (to: string, from = OLD) =>
    deployment.send(handler, { RequestType: 'Update', PhysicalResourceId: from, ...domain(to) });
  const tenants = () => tenantRecords({ env: process.env });
  afterEach(async () => {
    for (const { tenantId } of (await tenants().list('', { limit: 10 })).items)
      await tenants().remove(tenantId);
  });
  const addTenant = () => createTenant({ tenantRecords: tenants() }, { name: 'Example' }, 1);

  test('a later deployment with the domain of the first deployment succeeds', async () => {
    await addTenant();
    const made = await deployment.send(handler, domain(OLD));
    expect(made).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: OLD });
    expect(await update(OLD)).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: OLD });
  });

  test('a deployment can change the domain as long as no tenant exists', async () => {
    expect(await update(NEW)).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: NEW });
    // Because the update returned a new ID, CloudFormation sends a deletion for the old ID.
    const cleanUp = { RequestType: 'Delete', PhysicalResourceId: OLD, ...domain(OLD) } as const;
    expect(await deployment.send(handler, cleanUp)).toMatchObject({
      Status: 'SUCCESS',
      PhysicalResourceId: OLD,
    });
    expect(await update(OLD, NEW)).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: OLD });
  });

  test('a deployment that changes the domain fails once a tenant exists', async () => {
    const { tenantId } = await addTenant();
    expect(await update(NEW)).toMatchObject({
      Status: 'FAILED',
      Reason: `Error: the domain is ${OLD}, not ${NEW}: tokens and passkeys name it, and there are tenants. Deploy with ${OLD}`,
      PhysicalResourceId: OLD,
    });
    expect(await update(OLD)).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: OLD });
    await tenants().remove(tenantId);
    expect(await update(NEW)).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: NEW });
  });
});

describe('custom resource that hashes the CloudFront secret', () => {
  const [resource] = new Cloud(synthesized('eu').templates).resources('Custom::EdgeSecretHash');
  const SECRET_ID = String(resource?.properties.SecretId);
  const SECRET = 'the-secret-of-the-edge';
  const hash = (SecretId: string) => ({
    ResourceType: 'Custom::EdgeSecretHash',
    ResourceProperties: { SecretId },
  });

  test('the custom resource returns the hash of the CloudFront secret but not the secret', async () => {
    const secrets = deployment.emulators().endpoint('secretsmanager');
    await callJson(secrets, 'secretsmanager.CreateSecret', { Name: SECRET_ID, SecretString: SECRET });
    const answer = await deployment.send(handler, hash(SECRET_ID));
    expect(answer).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'Record' });
    expect(isFromEdge(SECRET, [answer.Data.Hash ?? ''])).toBe(true);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
  });

  test('a deployment fails if the CloudFront secret does not exist', async () => {
    const answer = await deployment.send(unnoted, hash('arn:of-nothing'));
    expect(answer).toMatchObject({ Status: 'FAILED', Data: {} });
  });
});

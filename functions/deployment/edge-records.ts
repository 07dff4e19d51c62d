import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CALL_SETTINGS } from '../../shared/aws/call-settings.ts';
import { hashSecret } from '../../shared/domain/basis/random.ts';
import type { BackgroundPorts, CreateBackground } from '../background.ts';
import { answerCustomResource, type CustomResourceEvent } from './custom-resource.ts';

async function readSecretHash(secretId: string): Promise<string> {
  const secrets = new SecretsManagerClient(CALL_SETTINGS);
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: secretId }));
  if (!SecretString) throw new Error('the secret is empty');
  return hashSecret(SecretString);
}

/**
 * Rejects a change of the domain once a tenant exists. All tokens would become invalid because they name the issuer, and all
 * passkeys because they name the host. Without a tenant there are no users, clients or passkeys to lose. The list of tenants
 * may be a second old, which is short compared to a deployment. The domain is the physical ID of the resource, so a rollback to
 * the old domain passes this check.
 */
async function keepDomain(
  { tenantRecords }: BackgroundPorts<'edge-records'>,
  domain: string,
  recorded: string | undefined,
): Promise<void> {
  if (recorded === undefined || recorded === domain) return;
  const { items, nextCursor } = await tenantRecords.list('', { limit: 1 });
  if (items.length > 0 || nextCursor !== undefined)
    throw new Error(
      `the domain is ${recorded}, not ${domain}: tokens and passkeys name it, and there are tenants. Deploy with ${recorded}`,
    );
}

/**
 * Creates the handler of two custom resources. `Custom::EdgeSecretHash` has the property `SecretId` and the attribute `Hash`
 * (SHA-256, base64url). `Custom::Domain` has the property `Domain`; a deployment that changes it fails once there is a tenant.
 */
export const create: CreateBackground<'edge-records', CustomResourceEvent> = (ports) => (event) => {
  const { Domain, SecretId } = event.ResourceProperties;
  if (event.ResourceType === 'Custom::Domain')
    return answerCustomResource(event, String(Domain), () =>
      keepDomain(ports, String(Domain), event.PhysicalResourceId),
    );
  return answerCustomResource(event, event.LogicalResourceId, async () => ({
    Hash: await readSecretHash(String(SecretId)),
  }));
};

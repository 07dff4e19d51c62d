import type { Installation } from '../../../lib/operator/doctor/aws-facts.ts';
import type { Facts } from '../../../lib/operator/doctor/facts.ts';
import {
  baseUrlOf,
  keyAliasOf,
  prefixOf,
  tableNameOf,
} from '../../../lib/stacks/environments/environment.ts';
import { envelopeAlias, SIGNING_MODES } from '../../../shared/aws/signing-keys/modes.ts';
import { everyItem } from '../../../shared/domain/basis/change-record.ts';
import { hostOfUri } from '../../../shared/domain/basis/host-name.ts';
import { resourcesInUse } from '../../../shared/domain/management/resource-uris.ts';
import { type OperatorPorts, openTarget, type TargetOptions } from '../target/target.ts';
import { UsageError } from '../terminal/failure.ts';
import { outcomeOf } from './findings.ts';

/** `otl doctor`: examines an environment, and says what to do. */

function told(ports: OperatorPorts) {
  const { signingKeyRecords, tenantRecords, applicationRecords, clientRecords, uriOwnerRecords } = ports;
  const everyTenant = () => everyItem((page) => tenantRecords.list('', page));
  const applicationsOf = (tenantId: string) => everyItem((page) => applicationRecords.list(tenantId, page));
  return {
    signingKeys: () => signingKeyRecords.list(),
    async *applications() {
      for await (const { tenantId } of everyTenant()) yield* applicationsOf(tenantId);
    },
    async *clients() {
      for await (const { tenantId } of everyTenant()) {
        yield* everyItem((page) => clientRecords.list(tenantId, page));
        for await (const { applicationId } of applicationsOf(tenantId))
          yield* everyItem((page) => clientRecords.list(applicationId, page));
      }
    },
    async *resourceUris() {
      const hosts = new Map(
        (await uriOwnerRecords.listHosts()).map(({ host, tenantId }) => [host, tenantId]),
      );
      for await (const { uri, tenantId } of resourcesInUse(ports)) {
        const hostOf = hosts.get(hostOfUri(uri) ?? '');
        yield { uri, tenantId, owner: await uriOwnerRecords.find(uri), hostOf };
      }
    },
  };
}

async function localInstallation(endpoint: string): Promise<Installation> {
  const { ENVELOPE_KEY_ID, MAC_KEY_ID, WEBHOOK_KEY_ID } = await import('../../../lib/local/demo.ts');
  return {
    region: 'eu-central-1',
    mail: { identity: 'login.example', mailFromDomain: 'bounce.login.example' },
    configurationSet: 'local',
    production: false,
    unprotected: async () => [],
    smsLimitUsd: 0,
    signingModes: SIGNING_MODES,
    es256: true,
    testIdentities: true,
    keys: {
      codes: MAC_KEY_ID,
      webhooks: WEBHOOK_KEY_ID,
      'sealed keys': ENVELOPE_KEY_ID,
    },
    baseUrl: `${endpoint.replace(/\/+$/, '')}/cis`,
    clock: endpoint,
    tables: { directory: 'directory', people: 'people', flows: 'flows' },
  };
}

/** The clock of the server that checks the signatures: AWS, or the endpoint in the variables of the SDK. */
function addressOfAws(region: string): string {
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_DYNAMODB = AWS_ENDPOINT_URL } = process.env;
  return AWS_ENDPOINT_URL_DYNAMODB?.replace(/\/+$/, '') || `https://dynamodb.${region}.amazonaws.com`;
}

async function deployedInstallation(name: string): Promise<Installation> {
  const { environments } = await import('../../../lib/stacks/environments/environments.ts');
  const [environment] = environments(name);
  if (!environment) throw new UsageError(`There is no environment "${name}".`);
  const { unprotected } = await import('../../../lib/operator/doctor/protection.ts');
  const { region, mail, sms, signingModes } = environment;
  const uses = ['tables', 'codes', 'webhooks'] as const;
  return {
    region,
    mail,
    signingModes,
    smsLimitUsd: sms.monthlySpendLimitUsd,
    es256: environment.es256 === true,
    testIdentities: environment.testIdentities === true,
    configurationSet: prefixOf(environment),
    production: environment.production,
    unprotected: () => unprotected(environment),
    keys: {
      ...Object.fromEntries(uses.map((use) => [use, keyAliasOf(environment, use)])),
      ...(signingModes.includes('kms-envelope')
        ? { 'sealed keys': envelopeAlias(prefixOf(environment)) }
        : {}),
    },
    baseUrl: baseUrlOf(environment),
    clock: `${addressOfAws(region)}/ping`,
    tables: {
      directory: tableNameOf(environment, 'directory'),
      people: tableNameOf(environment, 'people'),
      flows: tableNameOf(environment, 'flows'),
    },
  };
}

async function factsOf(where: TargetOptions): Promise<Facts> {
  const { ports } = await openTarget(where);
  const { awsFacts, withoutOutside } = await import('../../../lib/operator/doctor/aws-facts.ts');
  if (where.env !== undefined) return awsFacts(await deployedInstallation(where.env), told(ports));
  const installation = await localInstallation(where.endpoint ?? process.env.OTL_ENDPOINT ?? '');
  return withoutOutside(awsFacts(installation, told(ports)));
}

export async function doctor(where: TargetOptions): Promise<ReturnType<typeof outcomeOf>> {
  const { examine } = await import('../../../lib/operator/doctor/examine.ts');
  return outcomeOf(await examine(await factsOf(where)));
}

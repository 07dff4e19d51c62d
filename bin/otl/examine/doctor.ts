// `otl doctor` examines an environment and says what the operator should do.

import type { Installation } from '../../../lib/operator/doctor/aws-facts.ts';
import {
  type Environment,
  listQueuePrefixes,
  toKeyAlias,
  toNamePrefix,
} from '../../../lib/stacks/environments/environment.ts';
import { envelopeAlias, SIGNING_MODES } from '../../../shared/aws/signing-keys/modes.ts';
import { iterateItems } from '../../../shared/domain/basis/change-record.ts';
import { readUriHost } from '../../../shared/domain/basis/host-name.ts';
import { iterateRequestableResources } from '../../../shared/domain/management/resource-uris.ts';
import type { TargetOptions } from '../target/service.ts';
import { type OperatorPorts, openTarget, type Target } from '../target/target.ts';
import { UsageError } from '../terminal/failure.ts';
import { toOutcome } from './findings.ts';

function readRecords(ports: OperatorPorts) {
  const { signingKeyRecords, tenantRecords, applicationRecords, clientRecords, uriOwnerRecords } = ports;
  const everyTenant = () => iterateItems((page) => tenantRecords.list('', page));
  const listApplications = (tenantId: string) =>
    iterateItems((page) => applicationRecords.list(tenantId, page));
  return {
    signingKeys: () => signingKeyRecords.list(),
    async *applications() {
      for await (const { tenantId } of everyTenant()) yield* listApplications(tenantId);
    },
    async *clients() {
      for await (const { tenantId } of everyTenant()) {
        yield* iterateItems((page) => clientRecords.list(tenantId, page));
        for await (const { applicationId } of listApplications(tenantId))
          yield* iterateItems((page) => clientRecords.list(applicationId, page));
      }
    },
    async *resourceUris() {
      const hosts = new Map(
        (await uriOwnerRecords.listHosts()).map(({ host, tenantId }) => [host, tenantId]),
      );
      for await (const { uri, tenantId } of iterateRequestableResources(ports)) {
        const hostTenantId = hosts.get(readUriHost(uri) ?? '');
        yield { uri, tenantId, owner: await uriOwnerRecords.find(uri), hostTenantId };
      }
    },
  };
}

const commonFacts = ({ es256, unprotected, leftOverStacks, toTableName }: Target) => ({
  es256,
  unprotected,
  leftOverStacks,
  tables: {
    directory: toTableName('directory'),
    people: toTableName('people'),
    flows: toTableName('flows'),
  },
});

async function localInstallation(root: string, target: Target): Promise<Installation> {
  const { ENVELOPE_KEY_ID, MAC_KEY_ID, WEBHOOK_KEY_ID } = await import('../../../lib/local/demo.ts');
  return {
    ...commonFacts(target),
    region: 'eu-central-1',
    mail: { identity: 'login.example', mailFromDomain: 'bounce.login.example' },
    configurationSet: 'local',
    production: false,
    alarms: false,
    alarmTopics: async () => [],
    newestCopies: async () => [],
    smsLimitUsd: 0,
    signingModes: SIGNING_MODES,
    testIdentities: true,
    deviceBinding: 'offered',
    ignoreAlarms: false,
    queueConcurrency: 0,
    queuePrefixes: [],
    keys: {
      codes: MAC_KEY_ID,
      webhooks: WEBHOOK_KEY_ID,
      'sealed keys': ENVELOPE_KEY_ID,
    },
    baseUrl: `${root}/cis`,
    clock: root,
  };
}

/**
 * Returns the URL of DynamoDB or, if the environment variables of the SDK set another endpoint, that endpoint. The doctor
 * compares the clock of DynamoDB with that of this machine, because DynamoDB rejects signatures with a wrong time.
 */
function awsAddress(region: string): string {
  const { AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_DYNAMODB = AWS_ENDPOINT_URL } = process.env;
  return AWS_ENDPOINT_URL_DYNAMODB?.replace(/\/+$/, '') || `https://dynamodb.${region}.amazonaws.com`;
}

function deployedInstallation(environment: Environment, target: Target): Installation {
  const { region, mail, sms, signingModes, production, queueConcurrency } = environment;
  const uses = ['tables', 'codes', 'webhooks'] as const;
  return {
    ...commonFacts(target),
    region,
    mail,
    signingModes,
    production,
    alarms: environment.alarms,
    async alarmTopics() {
      const { readAlarmTopics } = await import('../../../lib/operator/doctor/alarm-receivers.ts');
      return readAlarmTopics(environment);
    },
    async newestCopies() {
      const { readNewestCopies } = await import('../../../lib/operator/doctor/newest-copies.ts');
      return readNewestCopies(environment);
    },
    smsLimitUsd: sms.monthlySpendLimitUsd,
    testIdentities: environment.testIdentities === true,
    deviceBinding: environment.deviceBinding ?? 'offered',
    ignoreAlarms: environment.ignoreAlarms === true,
    configurationSet: toNamePrefix(environment),
    smsPool: sms.pool,
    smsConfigurationSet: sms.configurationSet,
    senderArns: { mail: mail.function, SMS: sms.function },
    queueConcurrency,
    queuePrefixes: listQueuePrefixes(environment),
    keys: {
      ...Object.fromEntries(uses.map((use) => [use, toKeyAlias(environment, use)])),
      ...(signingModes.includes('kms-envelope')
        ? { 'sealed keys': envelopeAlias(toNamePrefix(environment)) }
        : {}),
    },
    baseUrl: target.baseUrl,
    clock: `${awsAddress(region)}/ping`,
  };
}

interface DoctorOptions extends TargetOptions {
  /** True to send failed checks to the receivers of the alarms. */
  readonly notify?: boolean;
}

export async function doctor({ notify, ...where }: DoctorOptions): Promise<ReturnType<typeof toOutcome>> {
  const target = await openTarget(where);
  const { awsFacts } = await import('../../../lib/operator/doctor/aws-facts.ts');
  const { examine, examineLocal } = await import('../../../lib/operator/doctor/examine.ts');
  const { place, ports } = target;
  const records = readRecords(ports);
  if ('root' in place) {
    if (notify) throw new UsageError('A local server has no alarms. Name an environment with --env.');
    const facts = awsFacts(await localInstallation(place.root, target), records);
    return toOutcome(await examineLocal(facts), [
      'AWS, DNS and deployments are examined only with: otl --env <name> doctor',
    ]);
  }
  const findings = await examine(awsFacts(deployedInstallation(place.environment, target), records));
  if (notify) {
    const { notifyReceivers } = await import('../../../lib/operator/doctor/alarm-receivers.ts');
    await notifyReceivers(place.environment, findings);
  }
  return toOutcome(findings);
}

import { ArnFormat } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type Access, LIST_INDEX, portAccess } from '../shared/dynamo/keys.ts';
import type { PortName } from '../shared/ports/index.ts';
import type { DataStack } from './data-stack.ts';
import { type Environment, prefixOf, providerSecretsOf } from './environments.ts';
import { inContext, TABLE_READ, TABLE_WRITE } from './key-policies.ts';
import { type SigningMode, signingTags } from './signing-keys/modes.ts';

/** The statements (by Sid) whose resources hold a wildcard, because AWS has none narrower. No other may: a test compares. */
export const WIDE_RESOURCES = {
  Signer:
    'Rotations make signing keys after the deployment. Only keys with the tags of the environment match, and each key ' +
    'admits the roles of signing functions alone.',
  Traces:
    'A trace is no resource of X-Ray: the two calls that hand one in cannot name anything. Nothing can be read with them.',
  SmsSettings:
    'What SMS may cost is a setting of the account in its region, and no resource of SNS: the two calls cannot name anything.',
  Texter:
    'A phone number is no resource of SNS. Everything that is one is excluded: topics and applications.',
  ProviderSecrets:
    'One secret for each application and provider, made after the deployment, with six random characters after its name. ' +
    'Only those under the prefix of the environment match.',
  ProviderSecretRecords:
    'As ProviderSecrets: applications that are deleted take their secrets with them, and no function reads or makes any.',
} as const;

type TablePort = keyof typeof portAccess;
type OtherPort = Exclude<PortName, TablePort>;

const READS: readonly string[] = ['dynamodb:GetItem', 'dynamodb:Query'];

const sidOf = (port: string): string => `${port[0]?.toUpperCase()}${port.slice(1)}`;

const accessesOf = (port: PortName): readonly Access[] =>
  port in portAccess ? portAccess[port as TablePort] : [];

/** A prefix that ends in the separator of key parts goes on; any other is a whole key. */
const patternOf = (prefix: string): string => (prefix.endsWith('#') ? `${prefix}*` : prefix);

/** `ForAllValues` is true of a request that names no key, such as a scan: `Null` demands that it names one. */
const onlyKeys = (prefixes: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes.map(patternOf) },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

function tableGrants(port: PortName, data: DataStack): readonly PolicyStatement[] {
  return accessesOf(port).flatMap(({ table, prefixes, actions, indexPrefixes }, index) => {
    const sid = `${sidOf(port)}${index === 0 ? '' : index + 1}`;
    const { tableArn } = data.tables[table];
    const onTable = new PolicyStatement({
      sid,
      actions: [...actions],
      resources: [tableArn],
      conditions: onlyKeys(prefixes),
    });
    if (!indexPrefixes) return [onTable];
    const onIndex = new PolicyStatement({
      sid: `${sid}List`,
      actions: ['dynamodb:Query'],
      resources: [`${tableArn}/index/${LIST_INDEX}`],
      conditions: onlyKeys(indexPrefixes),
    });
    return [onTable, onIndex];
  });
}

/** DynamoDB uses the key of a table on behalf of whoever reads or writes the table. */
function tableKeyGrants(
  ports: readonly PortName[],
  environment: Environment,
  data: DataStack,
): readonly PolicyStatement[] {
  const actions = ports.flatMap(accessesOf).flatMap((access) => access.actions);
  if (actions.length === 0) return [];
  return [
    new PolicyStatement({
      sid: 'TableKey',
      actions: actions.every((action) => READS.includes(action)) ? TABLE_READ : TABLE_WRITE,
      resources: [data.tableKey.keyArn],
      conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${environment.region}.amazonaws.com` } },
    }),
  ];
}

type Grant = (environment: Environment, data: DataStack) => PolicyStatement;

const providerSecretArn = (environment: Environment, data: DataStack): string =>
  data.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${providerSecretsOf(environment)}/*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

const signingGrants: Readonly<Record<SigningMode, Grant>> = {
  kms: ({ name }, data) =>
    new PolicyStatement({
      sid: 'Signer',
      actions: ['kms:Sign'],
      resources: [data.formatArn({ service: 'kms', resource: 'key', resourceName: '*' })],
      conditions: {
        StringEquals: Object.fromEntries(
          Object.entries(signingTags(name)).map(([tag, value]) => [`aws:ResourceTag/${tag}`, value]),
        ),
      },
    }),
  'kms-envelope': ({ name }, { envelopeKey }) => {
    if (!envelopeKey) throw new Error(`The environment ${name} has no envelope key.`);
    return new PolicyStatement({
      sid: 'SignerEnvelope',
      actions: ['kms:Decrypt'],
      resources: [envelopeKey.keyArn],
      conditions: { StringEquals: inContext(signingTags(name)) },
    });
  },
};

/** One entry for each port that is no store: the compiler finds the port that has none. */
const otherGrants: Readonly<Record<Exclude<OtherPort, 'signer'>, Grant>> = {
  codeMac: (_, data) =>
    new PolicyStatement({
      sid: 'CodeMac',
      actions: ['kms:GenerateMac'],
      resources: [data.codeMacKey.keyArn],
    }),
  nonceMac: (_, data) =>
    new PolicyStatement({
      sid: 'NonceMac',
      actions: ['kms:GenerateMac'],
      resources: [data.nonceMacKey.keyArn],
    }),
  webhookMac: (_, data) =>
    new PolicyStatement({
      sid: 'WebhookMac',
      actions: ['kms:GenerateMac'],
      resources: [data.webhookMacKey.keyArn],
    }),
  mailer: (environment, data) =>
    new PolicyStatement({
      sid: 'Mailer',
      actions: ['ses:SendRawEmail'],
      resources: [
        data.formatArn({ service: 'ses', resource: 'identity', resourceName: environment.mail.identity }),
        data.formatArn({
          service: 'ses',
          resource: 'configuration-set',
          resourceName: prefixOf(environment),
        }),
      ],
      conditions: { StringEquals: { 'ses:FromAddress': environment.mail.from } },
    }),
  providerSecrets: (environment, data) =>
    new PolicyStatement({
      sid: 'ProviderSecrets',
      actions: ['secretsmanager:GetSecretValue'],
      resources: [providerSecretArn(environment, data)],
    }),
  providerSecretRecords: (environment, data) =>
    new PolicyStatement({
      sid: 'ProviderSecretRecords',
      // The operator's own credentials make secrets; functions only take them away.
      actions: ['secretsmanager:DeleteSecret'],
      resources: [providerSecretArn(environment, data)],
    }),
  texter: () =>
    new PolicyStatement({ sid: 'Texter', actions: ['sns:Publish'], notResources: ['arn:aws:sns:*:*:*'] }),
};

/** What the role of a function with these ports may do: each statement is called after its port. */
export function grantsOf(
  ports: readonly PortName[],
  environment: Environment,
  data: DataStack,
): readonly PolicyStatement[] {
  return [
    ...ports.flatMap((port) => {
      if (port === 'signer')
        return environment.signingModes.map((mode) => signingGrants[mode](environment, data));
      if (port in otherGrants) return [otherGrants[port as keyof typeof otherGrants](environment, data)];
      return tableGrants(port, data);
    }),
    ...tableKeyGrants(ports, environment, data),
  ];
}

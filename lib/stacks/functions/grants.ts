import { ArnFormat } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type SigningMode, signingTags } from '../../../shared/aws/signing-keys/modes.ts';
import { listPorts } from '../../../shared/http/effective-ports.ts';
import type { PortName } from '../../../shared/ports/index.ts';
import type { PortMethod } from '../../../shared/ports/uses.ts';
import type { DataStack } from '../data/data-stack.ts';
import { inContext } from '../data/key-policies.ts';
import { type Environment, toNamePrefix, toSecretsPrefix } from '../environments/environment.ts';
import { isTablePort, type TablePort } from './port-access.ts';
import { listTableGrants } from './table-grants.ts';

/**
 * Reasons why a policy statement has a wildcard resource, keyed by its Sid: AWS allows no narrower resource. A test rejects
 * wildcards without a reason.
 */
export const WIDE_RESOURCES = {
  Signer:
    'Rotations create signing keys after the deployment. Only keys with the tags of the environment match, and each key ' +
    'admits only the roles of signing functions.',
  Traces:
    'X-Ray has no resource for a trace, so the two calls that submit traces cannot name one. They can read nothing.',
  SendQuota:
    'The mail quota belongs to an account and region and is no resource of SES. The call only reads it.',
  SmsSettings:
    'The SMS spending limit is a setting of an account and region and no resource of SNS, so the two calls cannot name one.',
  Mailer:
    'In its sandbox, SES also checks IAM for the identity of each recipient, which may be any verified one. The sender is one ' +
    'address, and outside of the sandbox the identity is fixed.',
  SmsSender:
    'A phone number is no resource of SNS. Everything that is a resource is excluded: topics and applications.',
  ProviderSecrets:
    'Each application and provider has one secret, created after the deployment with six random characters after its name. ' +
    'Only those under the prefix of the environment match.',
  ProviderSecretRecords:
    'As for ProviderSecrets. These functions delete the secrets of deleted applications; they neither read nor create any.',
} as const;

type OtherPort = Exclude<PortName, TablePort>;

type Grant = (environment: Environment, data: DataStack) => PolicyStatement;

const providerSecretArn = (environment: Environment, data: DataStack): string =>
  data.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${toSecretsPrefix(environment)}/*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });

const smsVoiceArn = (data: DataStack, resource: string, resourceName: string): string =>
  data.formatArn({ service: 'sms-voice', resource, resourceName });

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

const mac =
  (sid: string, key: 'codeMacKey' | 'webhookMacKey'): Grant =>
  (_, data) =>
    new PolicyStatement({ sid, actions: ['kms:GenerateMac'], resources: [data[key].keyArn] });

/** Policy statements for the ports that are not table stores. The compiler reports a port that has no entry. */
const otherGrants: Readonly<Record<Exclude<OtherPort, 'signer' | 'apiDocument' | 'nonceMac'>, Grant>> = {
  codeMac: mac('CodeMac', 'codeMacKey'),
  webhookMac: mac('WebhookMac', 'webhookMacKey'),
  deliveryTokens: mac('WebhookMac', 'webhookMacKey'),
  mailer: (environment, data) =>
    new PolicyStatement({
      sid: 'Mailer',
      actions: ['ses:SendRawEmail'],
      resources: [
        data.formatArn({
          service: 'ses',
          resource: 'identity',
          resourceName: environment.mail.sandbox ? '*' : environment.mail.identity,
        }),
        data.formatArn({
          service: 'ses',
          resource: 'configuration-set',
          resourceName: toNamePrefix(environment),
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
      // Operators create secrets with their own credentials; functions only delete them.
      actions: ['secretsmanager:DeleteSecret'],
      resources: [providerSecretArn(environment, data)],
    }),
  smsSender: ({ sms }, data) =>
    sms.pool
      ? new PolicyStatement({
          sid: 'SmsPool',
          actions: ['sms-voice:SendTextMessage'],
          // A caller may choose a sender ID, which then sends in place of the pool.
          resources: [
            sms.pool,
            smsVoiceArn(data, 'sender-id', '*'),
            ...(sms.configurationSet ? [smsVoiceArn(data, 'configuration-set', sms.configurationSet)] : []),
          ],
        })
      : new PolicyStatement({
          sid: 'SmsSender',
          actions: ['sns:Publish'],
          notResources: ['arn:aws:sns:*:*:*'],
        }),
};

function listOtherGrants(
  port: OtherPort,
  environment: Environment,
  data: DataStack,
): readonly PolicyStatement[] {
  if (port === 'apiDocument' || port === 'nonceMac') return [];
  if (port === 'signer')
    return environment.signingModes.map((mode) => signingGrants[mode](environment, data));
  const arn =
    port === 'mailer'
      ? environment.mail.function
      : port === 'smsSender'
        ? environment.sms.function
        : undefined;
  if (arn === undefined) return [otherGrants[port](environment, data)];
  const invoke = new PolicyStatement({
    sid: port === 'mailer' ? 'MailFunction' : 'SmsFunction',
    actions: ['lambda:InvokeFunction'],
    resources: [arn],
  });
  return [invoke, otherGrants.deliveryTokens(environment, data)];
}

/** Returns the policy statements for a function that uses these port methods. The Sid of a statement is the port's name. */
export function listGrants(
  uses: readonly PortMethod[],
  environment: Environment,
  data: DataStack,
): readonly PolicyStatement[] {
  const others = listPorts(uses).filter((port): port is OtherPort => !isTablePort(port));
  const found = others.flatMap((port) => listOtherGrants(port, environment, data));
  // Two ports may need the same statement.
  const bySid = new Map(found.map((grant) => [grant.sid, grant]));
  return [...bySid.values(), ...listTableGrants(uses, environment, data)];
}

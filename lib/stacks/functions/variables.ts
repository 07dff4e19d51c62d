import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TableName } from '../../../shared/dynamo/keys.ts';
import type { PortName } from '../../../shared/ports/index.ts';
import {
  type Environment,
  hasConsole,
  toBaseUrl,
  toConsoleOrigin,
  toKeyAlias,
  toNamePrefix,
  toOrigin,
  toSecretsPrefix,
  toTableName,
} from '../environments/environment.ts';
import { isTablePort, listAccessByMethod } from './port-access.ts';

/** Version of the npm package, which `/health` reports. */
export const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
) as {
  readonly version: string;
};

const TABLE_VARIABLES: Readonly<Record<TableName, string>> = {
  directory: 'DIRECTORY_TABLE',
  people: 'PEOPLE_TABLE',
  flows: 'FLOWS_TABLE',
};

function smsVariables({ sms }: Environment): readonly (readonly [string, string])[] {
  const { countries } = sms;
  const optional = {
    SMS_ORIGINATION_NUMBER: sms.originationNumber,
    SMS_POOL: sms.pool,
    SMS_CONFIGURATION_SET: sms.configurationSet,
  };
  return [
    ['SMS_COUNTRIES', countries === 'any' ? countries : countries.join(',')],
    ...Object.entries(optional).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  ];
}

/**
 * Returns the variables for messages that a Lambda function sends: the ARN of the function, and the key for the tokens with
 * which it reports deliveries.
 */
function senderVariables(
  environment: Environment,
  kind: 'mail' | 'sms',
): readonly (readonly [string, string])[] {
  const { function: arn } = environment[kind];
  if (arn === undefined) return [];
  return [
    [`${kind.toUpperCase()}_FUNCTION`, arn],
    ['WEBHOOK_KEY_ID', toKeyAlias(environment, 'webhooks')],
  ];
}

/** Returns the environment variables that a port needs: the names of its table, key or provider. */
function portVariables(port: PortName, environment: Environment): readonly (readonly [string, string])[] {
  if (isTablePort(port))
    return Object.values(listAccessByMethod(port))
      .flat()
      .map(({ table }) => [TABLE_VARIABLES[table], toTableName(environment, table)] as const);
  if (port === 'smsSender') return [...smsVariables(environment), ...senderVariables(environment, 'sms')];
  if (port === 'codeMac')
    return [
      ['MAC_KEY_ID', toKeyAlias(environment, 'codes')],
      ['MAC_KEY_NUMBER', String(environment.codeKey)],
    ];
  if (port === 'webhookMac' || port === 'deliveryTokens')
    return [['WEBHOOK_KEY_ID', toKeyAlias(environment, 'webhooks')]];
  if (port === 'providerSecrets' || port === 'providerSecretRecords')
    return [['PROVIDER_SECRETS', toSecretsPrefix(environment)]];
  if (port !== 'mailer') return [];
  return [
    ['MAIL_FROM', environment.mail.from],
    ['SES_CONFIGURATION_SET', toNamePrefix(environment)],
    ...(environment.mail.sandbox ? [['MAIL_SANDBOX', 'on'] as const] : []),
    ...senderVariables(environment, 'mail'),
  ];
}

/**
 * Returns the environment variables of a function: the settings of the environment, the names that its ports need, and the
 * hashes of the secrets that CloudFront may send.
 */
export function buildVariables(
  ports: readonly PortName[],
  environment: Environment,
  edgeSecretHashes?: readonly string[],
): Readonly<Record<string, string>> {
  const { areas, defaultAudience, es256, identityVerificationResource, linkApplication, testIdentities } =
    environment;
  return {
    BASE_URL: toBaseUrl(environment),
    BROWSER_ORIGIN: toOrigin(environment),
    ...(areas && { AREAS: areas.join(',') }),
    CONSOLE_ORIGIN: hasConsole(environment) ? toConsoleOrigin(environment) : '',
    ...(edgeSecretHashes === undefined ? {} : { EDGE_SECRET_HASHES: edgeSecretHashes.join(',') }),
    ENVIRONMENT: environment.name,
    LOG_LEVEL: environment.logLevel,
    VENDOR: environment.vendor,
    ...(es256 ? { ES256: 'on' } : {}),
    ...(environment.deviceBinding && { DEVICE_BINDING: environment.deviceBinding }),
    ...(testIdentities && ports.includes('applications') ? { TEST_IDENTITIES: 'on' } : {}),
    ...(linkApplication && ports.includes('applications') ? { LINK_APPLICATION: linkApplication } : {}),
    ...(defaultAudience === undefined ? {} : { DEFAULT_AUDIENCE: defaultAudience }),
    ...(identityVerificationResource === undefined
      ? {}
      : { IDENTITY_VERIFICATION_RESOURCE: identityVerificationResource }),
    ...Object.fromEntries(ports.flatMap((port) => portVariables(port, environment))),
  };
}

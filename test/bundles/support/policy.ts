import { ENVELOPE_KEY_ID, MAC_KEY_ID, SIGNING_KEY_ID, WEBHOOK_KEY_ID } from '../../../lib/local/demo.ts';
import { PROVIDER_SECRETS } from '../../../lib/local/function-environment.ts';
import type { AwsCall } from '../../../lib/local/playground/aws-call.ts';
import { ACCOUNT, type DeployedFunction, type Statement, toTableArn } from '../../stacks/support/cloud.ts';

// Decides as IAM does whether a policy allows an AWS call. Supports a subset of IAM's rules and throws on all others.

interface Request {
  readonly action: string;
  readonly resource: string;
  /** Values of IAM condition keys. A condition key with several values has a list. */
  readonly context: Readonly<Record<string, string | readonly string[]>>;
}

const REGION = 'eu-central-1';
const KEYS: Readonly<Record<string, string>> = {
  [ENVELOPE_KEY_ID]: 'AWS::KMS::Key:EnvelopeKey',
  [MAC_KEY_ID]: 'AWS::KMS::Key:CodeMacKey',
  [SIGNING_KEY_ID]: 'AWS::KMS::Key:SigningKey',
  [WEBHOOK_KEY_ID]: 'AWS::KMS::Key:WebhookMacKey',
};

/** Names of the event bus and queue in the environment variables of functions on the local server. */
const LOCAL_BUS = 'local';
const LOCAL_QUEUE = 'webhooks';

/** Builds the IAM condition values for the tags of signing keys, or for the encryption context of sealed private keys. */
const ofSigning = (kind: 'aws:ResourceTag/' | 'kms:EncryptionContext:') => ({
  [`${kind}otl:environment`]: 'eu',
  [`${kind}otl:purpose`]: 'signing',
});

/** Converts an AWS call of the local server to the request that IAM would decide in the environment `eu`. */
export function toPolicyRequest(
  { action, resource, leadingKey, attributes, returnValues }: AwsCall,
  { variables }: DeployedFunction,
): Request {
  if (leadingKey !== undefined) {
    const [table, index] = resource.split('/');
    return {
      action,
      resource: `${toTableArn(`otl-eu-${table}`)}${index ? `/index/${index}` : ''}`,
      context: {
        'dynamodb:LeadingKeys': [leadingKey.endsWith('#') ? `${leadingKey}x` : leadingKey],
        ...(attributes && { 'dynamodb:Attributes': attributes }),
        ...(returnValues !== undefined && { 'dynamodb:ReturnValues': returnValues }),
      },
    };
  }
  if (action === 'kms:Sign')
    return {
      action,
      resource: `arn:aws:kms:${REGION}:${ACCOUNT}:key/${resource}`,
      context: ofSigning('aws:ResourceTag/'),
    };
  if (action.startsWith('kms:'))
    return { action, resource: KEYS[resource] ?? resource, context: ofSigning('kms:EncryptionContext:') };
  if (action === 'events:PutEvents' && resource === LOCAL_BUS)
    return { action, resource: `AWS::Events::EventBus:${variables.EVENT_BUS}`, context: {} };
  if (action.startsWith('sqs:') && resource === LOCAL_QUEUE)
    return { action, resource: `AWS::SQS::Queue:${variables.WEBHOOK_QUEUE_URL}`, context: {} };
  if (resource.startsWith(PROVIDER_SECRETS)) {
    const name = resource.replace(PROVIDER_SECRETS, variables.PROVIDER_SECRETS ?? '');
    return {
      action,
      resource: `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${name}-AbCdEf`,
      context: {},
    };
  }
  if (action.startsWith('ses:')) {
    const from = variables.MAIL_FROM ?? '';
    const identity = `arn:aws:ses:${REGION}:${ACCOUNT}:identity/${from.split('@')[1]}`;
    return { action, resource: identity, context: { 'ses:FromAddress': from } };
  }
  return { action, resource, context: {} };
}

/** Returns true if a text matches a pattern, in which `*` stands for any text. */
function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(text);
}

/** Returns true if a resource matches a pattern, ignoring the hash at the end of logical IDs. */
const isResource = (pattern: string, resource: string): boolean =>
  matches(pattern.replace(/^(AWS::KMS::Key:\w+)[0-9A-F]{8}$/, '$1'), resource);

type Values = string | readonly string[] | undefined;
type Operator = (wanted: readonly string[], given: Values) => boolean;

const OPERATORS: Readonly<Record<string, Operator>> = {
  StringEquals: (wanted, given) => typeof given === 'string' && wanted.includes(given),
  StringEqualsIfExists: (wanted, given) =>
    given === undefined || (typeof given === 'string' && wanted.includes(given)),
  'ForAllValues:StringEquals': (wanted, given) =>
    [given ?? []].flat().every((value) => wanted.includes(value)),
  'ForAllValues:StringLike': (wanted, given) =>
    [given ?? []].flat().every((value) => wanted.some((pattern) => matches(pattern, value))),
  Null: ([wanted], given) => (given === undefined) === (wanted === 'true'),
};

function holds(conditions: unknown, { context }: Request): boolean {
  return Object.entries((conditions ?? {}) as Record<string, Record<string, string | string[]>>).every(
    ([name, keys]) => {
      const operator = OPERATORS[name];
      if (!operator) throw new Error(`${name} is no condition that is known here`);
      return Object.entries(keys).every(([key, wanted]) => operator([wanted].flat(), context[key]));
    },
  );
}

export function allows(statement: Statement, request: Request): boolean {
  const { Effect, Action, Resource, NotResource, Condition } = statement;
  if (Effect !== 'Allow') throw new Error(`${Effect} is not known here`);
  const reaches = Resource
    ? Resource.some((pattern) => isResource(pattern, request.resource))
    : !NotResource?.some((pattern) => isResource(pattern, request.resource));
  return Action.includes(request.action) && reaches && holds(Condition, request);
}

/** IAM statements, by Sid, whose actions are called only by AWS on behalf of the function. Each value is the reason. */
export const ON_BEHALF: Readonly<Record<string, string>> = {
  OwnLog: 'Lambda writes what the function prints.',
  Traces: 'Lambda hands in the traces of the function.',
  TableKeyRead: 'DynamoDB uses the key of a table for its readers.',
  TableKey: 'DynamoDB uses the key of a table for its readers and writers.',
  Poller: 'Lambda takes messages out of the queue, and removes what was handled.',
  SmsDeliveryRole: 'IAM asks whether the function may hand the role to SNS.',
  DeadLetters: 'Lambda puts an event there that the function has refused each time.',
};

/** Returns the AWS calls that no IAM statement of the function allows. */
export function refusedBy(deployed: DeployedFunction, calls: readonly AwsCall[]): readonly AwsCall[] {
  return calls.filter((call) => {
    const request = toPolicyRequest(call, deployed);
    return !deployed.statements.some((statement) => allows(statement, request));
  });
}

/** Lists the IAM permissions of the function that none of the AWS calls needs, as `<Sid> <action>`. */
export function unusedIn(deployed: DeployedFunction, calls: readonly AwsCall[]): readonly string[] {
  const requests = calls.map((call) => toPolicyRequest(call, deployed));
  return deployed.statements
    .filter(({ Sid }) => !((Sid ?? '') in ON_BEHALF))
    .flatMap((statement) =>
      statement.Action.filter(
        (action) => !requests.some((request) => request.action === action && allows(statement, request)),
      ).map((action) => `${statement.Sid} ${action}`),
    );
}

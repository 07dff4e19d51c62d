import type { ClientRequest } from 'node:http';
import { type TableName, tableLayouts } from '../../../shared/dynamo/keys.ts';

/** Properties of an AWS call on which IAM policies can depend. */
export interface AwsCall {
  /** Action as IAM spells it, for example `dynamodb:GetItem`. */
  readonly action: string;
  /**
   * Resource of the call: a table (`flows`), an index (`flows/by-parent`), the ID of a key, the name of a secret, queue or
   * event bus, the ARN of a function, the sender of a mail, or a phone number.
   */
  readonly resource: string;
  /** Beginning of the partition key up to and including the first `#`, for calls to a table. */
  readonly leadingKey?: string;
  /** Names of all attributes in a write to a table, including the attributes in its condition. */
  readonly attributes?: readonly string[];
  /** `ReturnValues` of a write to a table. If undefined, the response contains no attributes of the item. */
  readonly returnValues?: string;
}

type Json = Readonly<Record<string, unknown>>;
interface Batch {
  readonly Keys: readonly Json[];
}
type Strings = Readonly<Record<string, string>>;

/** IAM actions for API operations whose IAM action has a different name. */
const ACTIONS: Readonly<Record<string, string>> = { 'sqs:SendMessageBatch': 'sqs:SendMessage' };

/** Function that parses a request and returns its AWS call, or undefined if the request is not for AWS. */
export type ReadCall = () => AwsCall | undefined;

/** Calls `tell` when the body of a request is known. The AWS SDK passes the body to the method `end` of the request. */
export function onRequestBody(request: ClientRequest, tell: (call: ReadCall) => void): void {
  const end = request.end;
  request.end = ((...args: Parameters<typeof end>) => {
    const [body = ''] = args as unknown as [string?];
    const [signature, target] = ['authorization', 'x-amz-target'].map((name) => request.getHeader(name));
    tell(
      () =>
        parseInvocation(String(signature), request.path) ??
        parseCall(String(signature), String(target ?? ''), Buffer.from(body).toString()),
    );
    return end.apply(request, args);
  }) as typeof end;
}

/** Returns true if the request has an AWS signature. */
export const isAwsRequest = (request: Pick<ClientRequest, 'getHeader'>): boolean =>
  signedService(String(request.getHeader('authorization'))) !== undefined;

/** Returns the AWS service that a request is signed for. Requests to other hosts, such as webhooks, have no AWS signature. */
function signedService(signature: string): string | undefined {
  return /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\/aws4_request/.exec(signature)?.[1];
}

/** Returns the call that invokes a Lambda function, whose ARN is in the path. */
function parseInvocation(signature: string, path: string): AwsCall | undefined {
  const [, arn] = /\/functions\/([^/]+)\/invocations$/.exec(path) ?? [];
  if (arn === undefined || signedService(signature) !== 'lambda') return undefined;
  return { action: 'lambda:InvokeFunction', resource: decodeURIComponent(arn) };
}

function parseCall(signature: string, targetHeader: string, body: string): AwsCall | undefined {
  const service = signedService(signature);
  if (service === undefined) return undefined;
  const [, target] = targetHeader.split('.');
  if (target === undefined) return parseFormCall(service, new URLSearchParams(body));
  const called = `${service}:${target}`;
  const action = ACTIONS[called] ?? called;
  const input = JSON.parse(body) as Json;
  if (service !== 'dynamodb') return { action, resource: resourceName(input) };
  const [[table, batch] = []] = Object.entries((input.RequestItems ?? {}) as Readonly<Record<string, Batch>>);
  // Our batches read only keys of one table that have the same prefix, so the first key represents all of them.
  return parseTableCall(action, table ?? String(input.TableName), batch ? { Key: batch.Keys[0] } : input);
}

function parseFormCall(service: string, form: URLSearchParams): AwsCall {
  const resource = form.get('Source') ?? form.get('PhoneNumber') ?? form.get('TopicArn') ?? '';
  return { action: `${service}:${form.get('Action')}`, resource };
}

const lastSegment = (path: unknown) => (path === undefined ? undefined : String(path).split('/').at(-1));

function resourceName({ KeyId, QueueUrl, SecretId, Name, Entries }: Json): string {
  // All entries of a call are for the same event bus.
  const [entry] = (Entries ?? []) as readonly Json[];
  return String(lastSegment(KeyId) ?? lastSegment(QueueUrl) ?? SecretId ?? Name ?? entry?.EventBusName ?? '');
}

/** Returns the part of a partition key on which IAM grants depend: `link#` for `link#x`, or the whole key if it has no `#`. */
const keyPrefix = (key: string): string => /^[^#]*#?/.exec(key)?.[0] ?? '';

function parseTableCall(action: string, tableName: string, body: Json): AwsCall {
  const table = tableName.split('-').at(-1) as TableName;
  const layout = tableLayouts[table];
  // Tests also create tables that are not part of the service.
  if (!layout) return { action, resource: tableName };
  const index = layout.indexes.find(({ name }) => name === body.IndexName);
  const partitionKey = (index ?? layout).partitionKey;
  const item = (body.Key ?? body.Item ?? keyConditionValues(body)) as Readonly<
    Record<string, { readonly S: string }>
  >;
  return {
    action,
    resource: index ? `${table}/${index.name}` : table,
    leadingKey: keyPrefix(item[partitionKey]?.S ?? ''),
    ...(WRITES.has(action) && { attributes: attributesNamed(body) }),
    ...(typeof body.ReturnValues === 'string' && { returnValues: body.ReturnValues }),
  };
}

const WRITES = new Set(['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']);

/** Returns the names of all attributes in a write: those of the item or key, and the first segment of each expression path. */
function attributesNamed(body: Json): readonly string[] {
  const names = (body.ExpressionAttributeNames ?? {}) as Strings;
  const expressions = `${body.UpdateExpression ?? ''} ${body.ConditionExpression ?? ''}`;
  const paths = [...expressions.matchAll(/(?<![.\w])#\w+/g)].map(([name]) => names[name] ?? name);
  return [
    ...new Set([...Object.keys({ ...(body.Item as object), ...(body.Key as object) }), ...paths]),
  ].sort();
}

/** Returns the values in the key condition of a query, keyed by attribute. */
function keyConditionValues(body: Json): Json {
  const names = (body.ExpressionAttributeNames ?? {}) as Strings;
  const values = (body.ExpressionAttributeValues ?? {}) as Json;
  const equals = String(body.KeyConditionExpression ?? '').matchAll(/(#?\w+)\s*=\s*(:\w+)/g);
  return Object.fromEntries(
    [...equals].map(([, name = '', value = '']) => [names[name] ?? name, values[value]]),
  );
}

import type { ClientRequest } from 'node:http';
import { type TableName, tableLayouts } from '../../../shared/dynamo/keys.ts';

/** A call to AWS that a function made, as far as policies look at it. */
export interface AwsCall {
  /** As IAM spells it, such as `dynamodb:GetItem`. */
  readonly action: string;
  /**
   * A table (`flows`), an index (`flows/by-parent`), the ID of a key, the name of a secret, a queue or an event bus, the
   * sender of a mail, a phone number.
   */
  readonly resource: string;
  /** Of a call to a table: what its partition key begins with, up to the first separator. */
  readonly leadingKey?: string;
  /** Of a write to a table: the attributes that it names, in its condition too. */
  readonly attributes?: readonly string[];
  /** Of a write to a table: what its answer shows of the item; absent: nothing. */
  readonly returnValues?: string;
}

type Json = Readonly<Record<string, unknown>>;
interface Batch {
  readonly Keys: readonly Json[];
}
type Strings = Readonly<Record<string, string>>;

/** Calls that IAM knows by the name of another. */
const ACTIONS: Readonly<Record<string, string>> = { 'sqs:SendMessageBatch': 'sqs:SendMessage' };

/** What tells the call; undefined for a request that is none to AWS. */
export type TellsCall = () => AwsCall | undefined;

/** Tells the call of a request as soon as its body is known: the SDK hands it over with the end of the request. */
export function onCall(request: ClientRequest, tell: (call: TellsCall) => void): void {
  const end = request.end;
  request.end = ((...args: Parameters<typeof end>) => {
    const [body = ''] = args as unknown as [string?];
    const [signature, target] = ['authorization', 'x-amz-target'].map((name) => request.getHeader(name));
    tell(() => callOf(String(signature), String(target ?? ''), Buffer.from(body).toString()));
    return end.apply(request, args);
  }) as typeof end;
}

/** Whether a request is one to AWS. */
export const isSigned = (request: Pick<ClientRequest, 'getHeader'>): boolean =>
  serviceOf(String(request.getHeader('authorization'))) !== undefined;

/** The service that a request is signed for; what a function posts to others, such as webhooks, bears no signature of AWS. */
function serviceOf(signature: string): string | undefined {
  return /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\/aws4_request/.exec(signature)?.[1];
}

function callOf(signature: string, targetHeader: string, body: string): AwsCall | undefined {
  const service = serviceOf(signature);
  if (service === undefined) return undefined;
  const [, target] = targetHeader.split('.');
  if (target === undefined) return formCall(service, new URLSearchParams(body));
  const called = `${service}:${target}`;
  const action = ACTIONS[called] ?? called;
  const input = JSON.parse(body) as Json;
  if (service !== 'dynamodb') return { action, resource: named(input) };
  const [[table, batch] = []] = Object.entries((input.RequestItems ?? {}) as Readonly<Record<string, Batch>>);
  // All keys of a batch are in one table, and of one kind.
  return tableCall(action, table ?? String(input.TableName), batch ? { Key: batch.Keys[0] } : input);
}

function formCall(service: string, form: URLSearchParams): AwsCall {
  const resource = form.get('Source') ?? form.get('PhoneNumber') ?? form.get('TopicArn') ?? '';
  return { action: `${service}:${form.get('Action')}`, resource };
}

const lastOf = (path: unknown) => (path === undefined ? undefined : String(path).split('/').at(-1));

function named({ KeyId, QueueUrl, SecretId, Name, Entries }: Json): string {
  // All entries are for the same event bus.
  const [entry] = (Entries ?? []) as readonly Json[];
  return String(lastOf(KeyId) ?? lastOf(QueueUrl) ?? SecretId ?? Name ?? entry?.EventBusName ?? '');
}

/** What the grants of keys go by: `link#` of `link#x`, and the whole of a key without parts. */
const beginning = (key: string): string => /^[^#]*#?/.exec(key)?.[0] ?? '';

function tableCall(action: string, tableName: string, body: Json): AwsCall {
  const table = tableName.split('-').at(-1) as TableName;
  const layout = tableLayouts[table];
  // A table of a test.
  if (!layout) return { action, resource: tableName };
  const index = layout.indexes.find(({ name }) => name === body.IndexName);
  const partitionKey = (index ?? layout).partitionKey;
  const item = (body.Key ?? body.Item ?? queried(body)) as Readonly<Record<string, { readonly S: string }>>;
  return {
    action,
    resource: index ? `${table}/${index.name}` : table,
    leadingKey: beginning(item[partitionKey]?.S ?? ''),
    ...(WRITES.has(action) && { attributes: attributesNamed(body) }),
    ...(typeof body.ReturnValues === 'string' && { returnValues: body.ReturnValues }),
  };
}

const WRITES = new Set(['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']);

/** The attributes that a write names: of an item its own, of a path in an expression the first part. */
function attributesNamed(body: Json): readonly string[] {
  const names = (body.ExpressionAttributeNames ?? {}) as Strings;
  const expressions = `${body.UpdateExpression ?? ''} ${body.ConditionExpression ?? ''}`;
  const paths = [...expressions.matchAll(/(?<![.\w])#\w+/g)].map(([name]) => names[name] ?? name);
  return [
    ...new Set([...Object.keys({ ...(body.Item as object), ...(body.Key as object) }), ...paths]),
  ].sort();
}

/** The values that a query compares with, by attribute. */
function queried(body: Json): Json {
  const names = (body.ExpressionAttributeNames ?? {}) as Strings;
  const values = (body.ExpressionAttributeValues ?? {}) as Json;
  const equals = String(body.KeyConditionExpression ?? '').matchAll(/(#?\w+)\s*=\s*(:\w+)/g);
  return Object.fromEntries(
    [...equals].map(([, name = '', value = '']) => [names[name] ?? name, values[value]]),
  );
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { join } from 'node:path';
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
}

export interface CallRecorder {
  /** Wraps the handler: its calls are noted for the entry. */
  noting<Args extends readonly unknown[], Answer>(
    entry: string,
    handler: (...args: Args) => Answer,
  ): (...args: Args) => Answer;
  /** By entry; each call once. */
  calls(): Readonly<Record<string, readonly AwsCall[]>>;
  close(): void;
}

type Json = Readonly<Record<string, unknown>>;
type Strings = Readonly<Record<string, string>>;

/** Listens to the requests of the SDK's clients in this process, and tells by which function they were made. */
function recordAwsCalls(): CallRecorder {
  const running = new AsyncLocalStorage<Set<string>>();
  const byEntry = new Map<string, Set<string>>();
  const created = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const calls = running.getStore();
    if (!calls) return;
    const end = request.end;
    // The SDK hands the whole body over with the end of its request.
    request.end = ((...args: Parameters<typeof end>) => {
      const [body = ''] = args as unknown as [string?];
      const call = callOf(request, Buffer.from(body).toString());
      if (call) calls.add(JSON.stringify(call));
      return end.apply(request, args);
    }) as typeof end;
  };
  subscribe('http.client.request.created', created);
  return {
    noting:
      (entry, handler) =>
      (...args) => {
        const calls = byEntry.get(entry) ?? new Set();
        byEntry.set(entry, calls);
        return running.run(calls, () => handler(...args));
      },
    calls: () =>
      Object.fromEntries(
        [...byEntry].map(([entry, calls]) => [entry, [...calls].map((call) => JSON.parse(call) as AwsCall)]),
      ),
    close: () => unsubscribe('http.client.request.created', created),
  };
}

/** Calls that IAM knows by the name of another. */
const ACTIONS: Readonly<Record<string, string>> = { 'sqs:SendMessageBatch': 'sqs:SendMessage' };

/** The service that a request is signed for; what a function posts to others, such as webhooks, bears no signature of AWS. */
function serviceOf(request: ClientRequest): string | undefined {
  const signature = String(request.getHeader('authorization'));
  return /^AWS4-HMAC-SHA256 Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\/aws4_request/.exec(signature)?.[1];
}

function callOf(request: ClientRequest, body: string): AwsCall | undefined {
  const service = serviceOf(request);
  if (service === undefined) return undefined;
  const [, target] = String(request.getHeader('x-amz-target') ?? '').split('.');
  if (target === undefined) return formCall(service, new URLSearchParams(body));
  const called = `${service}:${target}`;
  const action = ACTIONS[called] ?? called;
  const input = JSON.parse(body) as Json;
  return service === 'dynamodb' ? tableCall(action, input) : { action, resource: named(input) };
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

function tableCall(action: string, body: Json): AwsCall {
  const table = String(body.TableName).split('-').at(-1) as TableName;
  const index = tableLayouts[table].indexes.find(({ name }) => name === body.IndexName);
  const partitionKey = (index ?? tableLayouts[table]).partitionKey;
  const item = (body.Key ?? body.Item ?? queried(body)) as Readonly<Record<string, { readonly S: string }>>;
  return {
    action,
    resource: index ? `${table}/${index.name}` : table,
    leadingKey: beginning(item[partitionKey]?.S ?? ''),
  };
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

/** Notes calls for the comparison with the policies: in the folder of `npm run test:bundles`, and nowhere without it. */
export function noteForComparison(folder = process.env.CALLS_FOLDER): Pick<CallRecorder, 'noting' | 'close'> {
  if (folder === undefined) return { noting: (_, handler) => handler, close: () => undefined };
  const { noting, calls, close } = recordAwsCalls();
  return {
    noting,
    close() {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${crypto.randomUUID()}.json`), JSON.stringify(calls()));
      close();
    },
  };
}

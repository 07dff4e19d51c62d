import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { join } from 'node:path';
import type { Handler } from '../../lib/local/gateway.ts';
import { type TableName, tableLayouts } from '../../shared/dynamo/keys.ts';

/** A call to AWS that a function made, as far as policies look at it. */
export interface AwsCall {
  /** As IAM spells it, such as `dynamodb:GetItem`. */
  readonly action: string;
  /** A table (`flows`), an index (`flows/by-parent`), the ID of a key, the name of a secret, the sender of a mail, a phone number. */
  readonly resource: string;
  /** Of a call to a table: what its partition key begins with, up to the first separator. */
  readonly leadingKey?: string;
}

export interface CallRecorder {
  /** The handler, whose calls are noted for the entry. */
  noting(entry: string, handler: Handler): Handler;
  /** By entry; each call once. */
  calls(): Readonly<Record<string, readonly AwsCall[]>>;
  close(): void;
}

type Json = Readonly<Record<string, unknown>>;
type Strings = Readonly<Record<string, string>>;

/** Listens to the requests of the SDK's clients in this process, and tells by which function they were made. */
export function recordAwsCalls(): CallRecorder {
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
      calls.add(JSON.stringify(callOf(request, Buffer.from(body).toString())));
      return end.apply(request, args);
    }) as typeof end;
  };
  subscribe('http.client.request.created', created);
  return {
    noting: (entry, handler) => (event, context) => {
      const calls = byEntry.get(entry) ?? new Set();
      byEntry.set(entry, calls);
      return running.run(calls, () => handler(event, context));
    },
    calls: () =>
      Object.fromEntries(
        [...byEntry].map(([entry, calls]) => [entry, [...calls].map((call) => JSON.parse(call) as AwsCall)]),
      ),
    close: () => unsubscribe('http.client.request.created', created),
  };
}

function callOf(request: ClientRequest, body: string): AwsCall {
  const service = request.path.split(/[/?]/).filter(Boolean).at(-1) ?? '';
  const [, target] = String(request.getHeader('x-amz-target') ?? '').split('.');
  if (service === 'dynamodb' && target) return tableCall(target, JSON.parse(body));
  if (target) {
    const { KeyId, SecretId, Name } = JSON.parse(body) as Strings;
    return { action: `${service}:${target}`, resource: KeyId?.split('/').at(-1) ?? SecretId ?? Name ?? '' };
  }
  const form = new URLSearchParams(body);
  const resource = form.get('Source') ?? form.get('PhoneNumber') ?? form.get('TopicArn') ?? '';
  return { action: `${service}:${form.get('Action')}`, resource };
}

/** What the grants of keys go by: `link#` of `link#x`, and the whole of a key without parts. */
const beginning = (key: string): string => /^[^#]*#?/.exec(key)?.[0] ?? '';

function tableCall(action: string, body: Json): AwsCall {
  const table = String(body.TableName).split('-').at(-1) as TableName;
  const index = tableLayouts[table].indexes.find(({ name }) => name === body.IndexName);
  const partitionKey = (index ?? tableLayouts[table]).partitionKey;
  const item = (body.Key ?? body.Item ?? queried(body)) as Readonly<Record<string, { readonly S: string }>>;
  return {
    action: `dynamodb:${action}`,
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

/** Where `npm run test:bundles` collects what the journeys of all workers have called. */
export function saveCalls(folder: string, { calls }: CallRecorder): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${crypto.randomUUID()}.json`), JSON.stringify(calls()));
}

import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { invalidInput } from '../errors/service-error.ts';
import type { Page, PageRequest } from '../ports/directory.ts';
import type { Item } from './attributes.ts';
import { type Change, expressions, type Guard } from './expression.ts';
import type { Key } from './keys.ts';
import { readNewest, readPage, readPartition } from './listing.ts';
import { orOverdue, orUnavailable } from './unavailable.ts';

/**
 * The SDK repeats a write after a lost answer, and the first one may refuse the repetition. `ours` recognises the first one
 * by the item that refused; called only after a repetition.
 */
export interface Proof {
  readonly ours?: (item: Item) => boolean;
  /** Not repeated after a time-out, while the first may still be on its way: for counts. */
  readonly notOverdue?: boolean;
}

/** The outcome of a guarded write: the item after it, or the existing one that refused it, if any. */
export type Attempt =
  | { readonly done: true; readonly item: Item }
  | { readonly done: false; readonly existing: Item | undefined };

/** Few verbs on one table. A refused condition is a result; throttling and time-outs are `service_unavailable`. */
export interface Table {
  /** Strongly consistent. */
  get(key: Key): Promise<Item | undefined>;
  /** False when the condition was refused. */
  put(item: Item & Key, guard?: Guard & Proof): Promise<boolean>;
  /** `put` that also tells which item refused it, as it was at that moment. */
  tryPut(item: Item & Key, guard: Guard & Proof): Promise<Attempt>;
  /** The item after the change; undefined when the condition was refused. */
  update(key: Key, change: Change & Proof): Promise<Item | undefined>;
  /** `update` that also tells which item refused it, as it was at that moment. */
  tryUpdate(key: Key, change: Change & Proof): Promise<Attempt>;
  /** False when there was no such item, or the condition was refused. */
  remove(key: Key, guard?: Guard): Promise<boolean>;
  /** All items of one partition, strongly consistent. */
  query(pk: string): Promise<readonly Item[]>;
  /** One page of a partition, from its end, eventually consistent. */
  queryNewest(pk: string, page: PageRequest): Promise<Page<Item>>;
  /** One page of a list, eventually consistent. */
  queryIndex(listPk: string, page: PageRequest): Promise<Page<Item>>;
}

const CONNECT_MILLISECONDS = 1000;
const CALL_MILLISECONDS = 3000;
const ATTEMPTS = 3;

/** A prompt "try again" is better than a login that hangs; `patience` multiplies each time-out. */
export function documentClient(config: DynamoDBClientConfig = {}, patience = 1): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts: ATTEMPTS,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: patience * CONNECT_MILLISECONDS,
      requestTimeout: patience * CALL_MILLISECONDS,
      throwOnRequestTimeout: true,
      socketTimeout: patience * CALL_MILLISECONDS,
    },
    ...config,
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

const PK_MAX_BYTES = 2048;
const SK_MAX_BYTES = 1024;
const BYTES_PER_UNIT = 3;

/** Nothing can be stored under a key that is empty, too long or no Unicode, so a read of it finds nothing. */
function isPossible({ pk, sk }: Key): boolean {
  return isKeyPart(pk, PK_MAX_BYTES) && isKeyPart(sk, SK_MAX_BYTES);
}
function isKeyPart(part: string, maxBytes: number): boolean {
  if (part === '' || !part.isWellFormed()) return false;
  return part.length * BYTES_PER_UNIT <= maxBytes || Buffer.byteLength(part) <= maxBytes;
}

/** The answer of a write, or what a refused one has to say. */
type Outcome<T> =
  | { readonly done: true; readonly answer: T }
  | { readonly done: false; readonly repeated: boolean; readonly existing: Item | undefined };

async function settle<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { done: true, answer: await call };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw orUnavailable(error);
    return {
      done: false,
      repeated: (error.$metadata.attempts ?? 1) > 1,
      existing: error.Item && unmarshall(error.Item),
    };
  }
}

function attemptOf<T>(outcome: Outcome<T>, itemOf: (answer: T) => Item, { ours }: Proof): Attempt {
  if (outcome.done) return { done: true, item: itemOf(outcome.answer) };
  const { repeated, existing } = outcome;
  return repeated && existing !== undefined && ours?.(existing)
    ? { done: true, item: existing }
    : { done: false, existing };
}

async function read(client: DynamoDBDocumentClient, table: string, key: Key): Promise<Item | undefined> {
  if (!isPossible(key)) return undefined;
  try {
    return (await client.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item;
  } catch (error) {
    throw orUnavailable(error);
  }
}

type Writing = Pick<Table, 'put' | 'tryPut' | 'update' | 'tryUpdate' | 'remove'>;

function writing(client: DynamoDBDocumentClient, TableName: string): Writing {
  async function tryPut(item: Item & Key, guard: Guard & Proof): Promise<Attempt> {
    if (!isPossible(item)) throw invalidInput('A value is too long or no valid text');
    const command = new PutCommand({ TableName, Item: item, ...expressions(guard) });
    return attemptOf(await settle(client.send(command)), () => item, guard);
  }

  async function tryUpdate(key: Key, change: Change & Proof): Promise<Attempt> {
    if (!isPossible(key)) return { done: false, existing: undefined };
    const command = new UpdateCommand({
      TableName,
      Key: key,
      ReturnValues: 'ALL_NEW',
      ...expressions(change),
    });
    if (change.notOverdue)
      command.middlewareStack.add((next) => (args) => orOverdue(() => next(args)), {
        name: 'notOverdue',
        step: 'finalizeRequest',
        priority: 'low',
        override: true,
      });
    const outcome = await settle(client.send(command));
    return attemptOf(outcome, ({ Attributes = {} }) => Attributes, change);
  }

  return {
    tryPut,
    tryUpdate,
    put: async (item, guard = {}) => (await tryPut(item, guard)).done,

    async update(key, change) {
      const attempt = await tryUpdate(key, change);
      return attempt.done ? attempt.item : undefined;
    },

    async remove(key, guard = { condition: 'attribute_exists(#pk)' }) {
      if (!isPossible(key)) return false;
      const command = new DeleteCommand({ TableName, Key: key, ...expressions(guard) });
      const outcome = await settle(client.send(command));
      // A repeated deletion that finds nothing had removed it the first time.
      return outcome.done || (outcome.repeated && outcome.existing === undefined);
    },
  };
}

export function createTable(client: DynamoDBDocumentClient, name: string): Table {
  return {
    ...writing(client, name),
    get: (key) => read(client, name, key),

    async query(pk) {
      return isKeyPart(pk, PK_MAX_BYTES) ? readPartition(client, name, pk) : [];
    },

    async queryNewest(pk, page) {
      return isKeyPart(pk, PK_MAX_BYTES) ? readNewest(client, name, pk, page) : { items: [] };
    },

    async queryIndex(listPk, page) {
      return isKeyPart(listPk, PK_MAX_BYTES) ? readPage(client, name, listPk, page) : { items: [] };
    },
  };
}

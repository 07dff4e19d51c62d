import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { inBatches } from '../domain/basis/await-all.ts';
import { PARALLEL_WRITES } from '../domain/basis/limits.ts';
import { nowSeconds } from '../domain/basis/time.ts';
import { invalidInput } from '../errors/service-error.ts';
import type { Page, PageRequest } from '../ports/directory.ts';
import { type Item, isPurgeable, readText } from './attributes.ts';
import type { Database } from './database.ts';
import { expressions, type ItemUpdate, type WriteCondition } from './expression.ts';
import type { Key } from './keys.ts';
import { readByBeginning, readItems, readKeys, readNewest, readPage, readPartition } from './listing.ts';
import { fromStored, toStored } from './stored.ts';
import { toUnavailable } from './unavailable.ts';

/**
 * Options by which a write recognises that the SDK has repeated it after a lost response. Without them, the repetition could
 * fail because the first attempt succeeded and the condition no longer holds. `isOurs` is called only after a repetition. It
 * returns true if the existing item shows that the first attempt succeeded.
 */
export interface RetryRecognition {
  readonly isOurs?: (item: Item) => boolean;
  /** Attribute for a unique write token. Finding our token after an SDK retry proves that our first attempt succeeded. */
  readonly tokenAttribute?: string | undefined;
  /** Write token chosen by the caller, so that `undo` can revert the write. If the write arrives after `undo`, it fails. */
  readonly token?: string | undefined;
  /**
   * True if the item stores several recent write tokens, so that a repetition fails even if other callers have written in
   * between.
   */
  readonly once?: true;
  /**
   * True for a write that increases a counter. Works like `once`. In addition, the SDK does not retry after a time-out, because
   * the first attempt may still be in progress.
   */
  readonly counts?: true;
}

/** Outcome of a conditional write: the item after the write or, if the condition failed, the existing item, if there is one. */
export type WriteOutcome =
  | { readonly done: true; readonly item: Item; readonly existing?: undefined }
  | { readonly done: false; readonly existing: Item | undefined };

/** Operations on one table. A failed condition is returned, but throttling and time-outs throw `service_unavailable`. */
export interface Table {
  /** Reads an item. The read is strongly consistent. */
  get(key: Key): Promise<Item | undefined>;
  /** Writes an item. Returns false if the condition failed. */
  put(item: Item & Key, guard?: WriteCondition & RetryRecognition): Promise<boolean>;
  /** Writes an item like `put`. Also returns the existing item that failed the condition, as it was at that moment. */
  tryPut(item: Item & Key, guard: WriteCondition & RetryRecognition): Promise<WriteOutcome>;
  /**
   * Updates an item and returns the new item. With `returnsOld`, returns the item before the change; with `returnsNothing`, an
   * empty item. Returns undefined if the condition failed.
   */
  update(key: Key, change: ItemUpdate & RetryRecognition): Promise<Item | undefined>;
  /** Updates an item. Returns false if the condition failed. */
  change(key: Key, change: ItemUpdate & RetryRecognition): Promise<boolean>;
  /** Updates an item like `update`. Also returns the existing item that failed the condition, as it was at that moment. */
  tryUpdate(key: Key, change: ItemUpdate & RetryRecognition): Promise<WriteOutcome>;
  /**
   * Reverts the write that stored the token `by`, such as the consumption of a credential, if the item still has this token.
   * Also records the token as reverted, so that the write fails if it or its repetition arrives later. Returns false if the
   * condition failed.
   */
  undo(
    key: Key,
    by: string,
    change: ItemUpdate & Pick<RetryRecognition, 'once'>,
    mark?: string,
  ): Promise<boolean>;
  /** Removes an item. Returns false if the item does not exist or the condition failed. */
  remove(key: Key, guard?: WriteCondition): Promise<boolean>;
  /** Reads all items of a partition. The read is strongly consistent. */
  query(pk: string): Promise<readonly Item[]>;
  /**
   * Reads a page of a partition in descending order, down to the sort key `from` if it is given. The read is eventually
   * consistent.
   */
  queryNewest(pk: string, page: PageRequest, from?: string): Promise<Page<Item>>;
  /** Reads the keys of one page of a list. The read is eventually consistent. */
  queryKeys(listPk: string, page: PageRequest): Promise<Page<Item>>;
  /** Reads a page of a list. The items are strongly consistent, but the choice of items is eventually consistent. */
  queryIndex(listPk: string, page: PageRequest): Promise<Page<Item>>;
  /** Reads the keys of one page of the index `by-beginning`. The read is eventually consistent. */
  queryByBeginning(partition: string, beginning: string, page: PageRequest): Promise<Page<Item>>;
  /**
   * Reads at most 100 items by their keys, strongly consistent. The result has the order of the keys and omits missing items.
   */
  getAll(keys: readonly Key[]): Promise<readonly Item[]>;
}

const PK_MAX_BYTES = 2048;
const SK_MAX_BYTES = 1024;

/** Returns true if DynamoDB can store an item under the key, which must be non-empty, short enough and valid Unicode. */
function isPossible({ pk, sk }: Key): boolean {
  return isKeyPart(pk, PK_MAX_BYTES) && isKeyPart(sk, SK_MAX_BYTES);
}
function isKeyPart(part: string, maxBytes: number): boolean {
  return part !== '' && part.isWellFormed() && Buffer.byteLength(part) <= maxBytes;
}

/** Result of a successful write, or the details of a failed one. */
type Outcome<T> =
  | { readonly done: true; readonly answer: T }
  | { readonly done: false; readonly repeated: boolean; readonly existing: Item | undefined };

async function settle<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { done: true, answer: await call };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw toUnavailable(error);
    return {
      done: false,
      repeated: (error.$metadata.attempts ?? 1) > 1,
      existing: error.Item && fromStored(error.Item),
    };
  }
}

function toAttempt<T>(
  outcome: Outcome<T>,
  readItem: (answer: T) => Item,
  { isOurs }: RetryRecognition,
): WriteOutcome {
  if (outcome.done) return { done: true, item: readItem(outcome.answer) };
  const { repeated, existing } = outcome;
  return repeated && existing !== undefined && isOurs?.(existing)
    ? { done: true, item: existing }
    : { done: false, existing };
}

/**
 * Number of write tokens that an item keeps for writes with `once`. A retry finds the token of its first attempt unless at
 * least this many other writes came in between, which is unlikely.
 */
const KEPT_MARKS = 8;

/** Returns the attributes that contain the item's write tokens, newest first. */
const tokenAttributes = (
  mark: string,
  { once, counts }: RetryRecognition,
): readonly [string, ...string[]] => [
  mark,
  ...Array.from({ length: once || counts ? KEPT_MARKS - 1 : 0 }, (_, n) => `${mark}_${n + 1}`),
];

/**
 * Creates a write token of 48 random bits. Tokens are short, because an item stores several of them and only its own tokens
 * must differ.
 */
export const newWriteToken = (): string => crypto.randomUUID().slice(-12);

const unmarked = (marks: readonly string[]) =>
  marks.map((mark) => `(attribute_not_exists(#${mark}) OR #${mark} <> :by)`).join(' AND ');

const IS_NOT_REVERTED = 'NOT contains(#taken_back, :by)';

/** Adds the write token to a write. Moves the tokens of earlier writes to the next attributes. */
function marked(write: ItemUpdate & RetryRecognition): ItemUpdate & RetryRecognition {
  const { tokenAttribute, condition, compute = [] } = write;
  if (tokenAttribute === undefined) return write;
  const marks = tokenAttributes(tokenAttribute, write);
  const [, ...older] = marks;
  const { token = newWriteToken() } = write;
  const isNew = [older.length > 0 && unmarked(marks), write.token !== undefined && IS_NOT_REVERTED];
  return {
    isOurs: (item) => marks.some((name) => item[name] === token),
    ...write,
    condition: [condition, ...isNew].filter(Boolean).join(' AND '),
    compute: [...compute, ...older.map((name, n) => `#${name} = if_not_exists(#${marks[n]}, :no_mark)`)],
    set: { ...write.set, [tokenAttribute]: token },
    values: { ...write.values, by: token, no_mark: '' },
  };
}

async function read(database: Database, table: string, key: Key): Promise<Item | undefined> {
  if (!isPossible(key)) return undefined;
  try {
    const command = new GetItemCommand({ TableName: table, Key: toStored(key), ConsistentRead: true });
    const { Item: stored } = await database.send(command);
    const found = stored && fromStored(stored);
    return found && isPurgeable(found, nowSeconds()) ? undefined : found;
  } catch (error) {
    throw toUnavailable(error);
  }
}

type Writing = Pick<Table, 'put' | 'tryPut' | 'update' | 'change' | 'tryUpdate' | 'undo' | 'remove'>;

function returnedValues({ returnsNothing, returnsOld }: ItemUpdate): 'NONE' | 'ALL_OLD' | 'ALL_NEW' {
  if (returnsNothing) return 'NONE';
  return returnsOld ? 'ALL_OLD' : 'ALL_NEW';
}

function writing(database: Database, TableName: string): Writing {
  async function tryPut(given: Item & Key, proof: WriteCondition & RetryRecognition): Promise<WriteOutcome> {
    const { set, ...guard } = marked(proof);
    const item = { ...given, ...set };
    if (!isPossible(item)) throw invalidInput('A value is too long or is not valid Unicode text');
    const command = new PutItemCommand({ TableName, Item: toStored(item), ...expressions(guard) });
    return toAttempt(await settle(database.send(command)), () => item, guard);
  }

  async function tryUpdate(key: Key, given: ItemUpdate & RetryRecognition): Promise<WriteOutcome> {
    const change = marked(given);
    if (!isPossible(key)) return { done: false, existing: undefined };
    const command = new UpdateItemCommand({
      TableName,
      Key: toStored(key),
      ReturnValues: returnedValues(change),
      ...expressions(change),
    });
    const { send, sendWithoutTimeoutRetry } = database;
    const outcome = await settle((change.counts ? sendWithoutTimeoutRetry : send)(command));
    return toAttempt(outcome, ({ Attributes = {} }) => fromStored(Attributes), change);
  }

  return {
    tryPut,
    tryUpdate,
    put: async (item, guard = {}) => (await tryPut(item, guard)).done,

    async update(key, change) {
      const attempt = await tryUpdate(key, change);
      return attempt.done ? attempt.item : undefined;
    },

    change: async (key, change) => (await tryUpdate(key, change)).done,

    async undo(key, by, { condition, values, remove = [], once, ...change }, mark = 'consumed_by') {
      const marks = tokenAttributes(mark, { ...(once && { once }) });
      const noted = { values: { ...values, by }, add: { ...change.add, taken_back: new Set([by]) } };
      const isMarked = `(${marks.map((name) => `#${name} = :by`).join(' OR ')})`;
      const undoing = {
        ...change,
        ...noted,
        condition: [isMarked, IS_NOT_REVERTED, condition].filter(Boolean).join(' AND '),
        remove: once ? remove : [...remove, `#${mark}`],
      };
      if ((await tryUpdate(key, undoing)).done) return true;
      const absent = { ...noted, condition: `attribute_exists(#pk) AND ${unmarked(marks)}` };
      // This write fails if the write that must be reverted has arrived in the meantime. It is then reverted.
      return (await tryUpdate(key, absent)).done || (await tryUpdate(key, undoing)).done;
    },

    async remove(key, guard = { condition: 'attribute_exists(#pk)' }) {
      if (!isPossible(key)) return false;
      const command = new DeleteItemCommand({ TableName, Key: toStored(key), ...expressions(guard) });
      const outcome = await settle(database.send(command));
      // If a repeated deletion finds nothing, the first attempt removed the item.
      return outcome.done || (outcome.repeated && outcome.existing === undefined);
    },
  };
}

/** Removes the given items of a partition, several in parallel. */
export const removeAll = (table: Table, pk: string, items: readonly Item[]): Promise<void> =>
  inBatches(items, PARALLEL_WRITES, (item) => table.remove({ pk, sk: readText(item, 'sk') }));

export function createTable(database: Database, name: string): Table {
  return {
    ...writing(database, name),
    get: (key) => read(database, name, key),

    async query(pk) {
      return isKeyPart(pk, PK_MAX_BYTES) ? readPartition(database, name, pk) : [];
    },

    async queryNewest(pk, page, from) {
      return isKeyPart(pk, PK_MAX_BYTES) ? readNewest(database, name, { pk, from }, page) : { items: [] };
    },

    async queryKeys(listPk, page) {
      return isKeyPart(listPk, PK_MAX_BYTES) ? readKeys(database, name, listPk, page) : { items: [] };
    },

    async queryIndex(listPk, page) {
      return isKeyPart(listPk, PK_MAX_BYTES) ? readPage(database, name, listPk, page) : { items: [] };
    },

    queryByBeginning: (partition, beginning, page) =>
      readByBeginning(database, name, { partition, beginning }, page),

    async getAll(keys) {
      const possible = keys.filter(isPossible).map(({ pk, sk }) => ({ pk, sk }));
      const items = await readItems(database, name, possible);
      return items.filter((item) => !isPurgeable(item, nowSeconds()));
    },
  };
}

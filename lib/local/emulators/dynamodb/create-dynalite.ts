import type { Server } from 'node:http';
import dynalite from 'dynalite';
import database from 'dynalite/db/index.js';
import deleteItem from 'dynalite/validations/deleteItem.js';
import putItem from 'dynalite/validations/putItem.js';
import updateItem from 'dynalite/validations/updateItem.js';
import { rememberExpressions } from './parsed-expressions.ts';

/**
 * Creates the DynamoDB emulator from dynalite, and adds what dynalite lacks: `ReturnValuesOnConditionCheckFailure`, closing of
 * iterators, and a cache of parsed expressions. A write whose condition fails can return the existing item. The item is read
 * under dynalite's lock, so the condition was evaluated on the same item.
 */
export function createDynalite(path?: string): Server {
  returnItemOnFailure();
  closeIterators();
  rememberExpressions();
  return dynalite({
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
    ...(path !== undefined && { path }),
  });
}

/**
 * Opens and closes the database files once, so that a failure is reported with its reason. dynalite opens the files later and
 * would hide the reason.
 */
export async function tryToOpen(path: string): Promise<void> {
  const { db } = database.create({ path });
  await db.open();
  await db.close();
}

let isPatched = false;

/**
 * Adds the method `return`, which dynalite calls to end an iterator, to the iterators of the database library `level`. Without
 * `return`, every query would leak its snapshot of the database.
 */
function closeIterators(): void {
  if (isPatched) return;
  isPatched = true;
  const { create } = database;
  database.create = (options) => {
    const store = create(options);
    for (const name of ['values', 'keys'] as const) {
      const begin = store.db[name].bind(store.db);
      store.db[name] = (range) => {
        const iterator = begin(range);
        return Object.assign(iterator, { return: () => iterator.close() });
      };
    }
    return store;
  };
}

const PARAMETER = 'ReturnValuesOnConditionCheckFailure';

function returnItemOnFailure(): void {
  if (PARAMETER in putItem.types) return;
  for (const { types } of [putItem, updateItem, deleteItem])
    types[PARAMETER] = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
  const check = database.checkConditional;
  database.checkConditional = (write, item) => {
    const refusal = check(write, item);
    if (refusal && item && write[PARAMETER] === 'ALL_OLD') refusal.body.Item = item;
    return refusal;
  };
}

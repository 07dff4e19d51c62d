import type { Server } from 'node:http';
import dynalite from 'dynalite';
import database from 'dynalite/db/index.js';
import deleteItem from 'dynalite/validations/deleteItem.js';
import putItem from 'dynalite/validations/putItem.js';
import updateItem from 'dynalite/validations/updateItem.js';
import { rememberExpressions } from './parsed-expressions.ts';

/**
 * dynalite, with the one thing it lacks: a refused write returns the item that refused it. The item is read under dynalite's
 * lock, so no other write comes between decision and answer.
 */
export function createDynalite(path?: string): Server {
  teachWrites();
  closeIterators();
  rememberExpressions();
  return dynalite({
    createTableMs: 0,
    deleteTableMs: 0,
    updateTableMs: 0,
    ...(path !== undefined && { path }),
  });
}

/** Throws why the files cannot be opened: dynalite opens them late, and does not say why. */
export async function tryToOpen(path: string): Promise<void> {
  const { db } = database.create({ path });
  await db.open();
  await db.close();
}

let closes = false;

/** dynalite ends an iterator by `return`, which those of level do not have: each query would keep its snapshot for ever. */
function closeIterators(): void {
  if (closes) return;
  closes = true;
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

function teachWrites(): void {
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

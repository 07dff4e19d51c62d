import type { Operation, OperationRow } from '../shared/operation.ts';
import { findFieldRoles, findMaskedFields } from '../shared/schemas/fields/marks.ts';
import * as account from './account/rows.ts';
import * as approvals from './approvals/rows.ts';
import { findArea } from './areas.ts';
import * as codeBased from './code-based/rows.ts';
import * as console from './console/rows.ts';
import * as hostedLogin from './hosted-login/rows.ts';
import * as management from './management/rows.ts';
import * as meta from './meta/rows.ts';
import * as oauth from './oauth/rows.ts';
import * as oneTime from './one-time/rows.ts';
import * as operators from './operators/rows.ts';
import * as organizations from './organizations/rows.ts';
import * as passkeys from './passkeys/rows.ts';
import * as resources from './resources/rows.ts';
import * as sessions from './sessions/rows.ts';
import * as social from './social/rows.ts';
import * as users from './users/rows.ts';
import * as webhooks from './webhooks/rows.ts';

/**
 * Definitions of operations by stack and name. The name of a stack is also the prefix of the event names of its operations.
 * Every export of a `rows.ts` file is an operation definition (`OperationRow`).
 */
type Stacks = Readonly<Record<string, Readonly<Record<string, OperationRow>>>>;

/** Definitions of the API's operations by stack, in the order of the specification. */
const stacks: Stacks = {
  'one-time': oneTime,
  browser: hostedLogin,
  social,
  'code-based': codeBased,
  tokens: oauth,
  sessions,
  resources,
  account,
  passkeys,
  approvals,
  users,
  management,
  webhooks,
  organizations,
  operators,
  meta,
};

const hyphenated = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const named = (stack: string, name: string, row: OperationRow): Operation => {
  const area = findArea(`functions/${row.file}.ts`);
  if (area === undefined) throw new Error(`functions/${row.file}.ts belongs to no area`);
  const [fieldRoles, masked] = [findFieldRoles(row), findMaskedFields(row)];
  return {
    ...row,
    area,
    event: row.event ?? `${stack}/${hyphenated(name)}`,
    operationId: row.operationId ?? name,
    ...(fieldRoles && { fieldRoles }),
    ...(masked && { masked }),
  };
};

type Entry = readonly [name: string, row: Operation];

/** Orders two operations by path, so that readers of the API document find them easily. */
function byPath([, { path: one }]: Entry, [, { path: other }]: Entry): number {
  return Number(String(one) > String(other)) - Number(String(one) < String(other));
}

const toOperationTable = (all: Stacks): Readonly<Record<string, Operation>> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([stack, rows]) =>
      Object.entries(rows)
        .map(([name, row]): Entry => [name, named(stack, name, row)])
        .toSorted(byPath),
    ),
  );

/**
 * Table with the definition of every operation of the API. It is plain data that CDK, IAM, the local server, the API document
 * and the contract tests read.
 */
export const operations = toOperationTable(stacks);

/**
 * Definitions of the operator console's operations. Console operations have the same form as API operations, but the API has no
 * routes to them, because the console has its own host.
 */
export const consoleOperations = toOperationTable({ console });

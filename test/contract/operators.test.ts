import { expect, test } from '@jest/globals';
import { type GenericSchema, getMetadata, string } from 'valibot';
import { acceptsOperators, listAuth } from '../../shared/http/effective-ports.ts';
import type { Operation, OperatorNeed } from '../../shared/operation.ts';
import type { OperatorRole } from '../../shared/ports/operators.ts';
import { UNGUARDED } from '../../shared/records/guard.ts';
import { createOperator, type Operator } from '../support/fixtures/operators.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import { createCall, EXTENDED, expectError, rows, send, withHeaders } from '../support/tools/calls.ts';

// Calls every operation with every operator role. The expected result comes only from the operation table.

const server = useTestServer(EXTENDED);

const ROLES: readonly OperatorRole[] = ['viewer', 'support', 'developer', 'admin'];
/** Operator roles that satisfy each requirement of the operation table. The list is independent of the tested code. */
const SUFFICE: Readonly<Record<OperatorNeed, readonly OperatorRole[]>> = {
  viewer: ['viewer', 'support', 'developer', 'admin'],
  support: ['support', 'admin'],
  developer: ['developer', 'admin'],
  admin: ['admin'],
  guarded: ['admin'],
};

const kept = new Map<string, Promise<Operator>>();
const MINUTES = 60;

function known(role: OperatorRole, ago = 0): Promise<Operator> {
  const name = `${role} ${ago}`;
  const authTime = Math.floor(Date.now() / 1000) - ago;
  const operator = kept.get(name) ?? createOperator(server, role, { authTime });
  kept.set(name, operator);
  return operator;
}

const sendAs = (row: Operation, operator: Operator) =>
  send(server, withHeaders(createCall(row), operator.headers()));

const theirs = rows.filter(([, row]) => acceptsOperators(row));

test('every operation that accepts admin tokens declares which operators may call the operation', () => {
  const silent = rows.filter(
    ([name, row]) => listAuth(row).includes('admin') && !acceptsOperators(row) && name !== 'putAdded',
  );
  expect(silent.map(([name]) => name)).toEqual([]);
  expect(rows.filter(([, row]) => acceptsOperators(row) !== (row.operators !== undefined))).toEqual([]);
});

/** Returns the request fields that neither require a recent login nor document why no recent login is required. */
const unclassified = ({ input: { json }, fieldRoles = {} }: Operation): readonly string[] =>
  Object.entries(listEntries(json))
    .filter(([name, schema]) => fieldRoles[name] !== 'guarded' && !isReason(getMetadata(schema).unguarded))
    .map(([name]) => name);
const isReason = (reason: unknown) => reason !== 'fields' && Object.hasOwn(UNGUARDED, String(reason));
const listEntries = (schema: object = {}) =>
  (schema as { readonly entries?: Readonly<Record<string, GenericSchema>> }).entries ?? {};

test.each(theirs)(
  'the operation %s requires a recent operator login or documents why it does not',
  (_name, row) => {
    if (row.operators === 'guarded') return expect(row.unguarded).toBeUndefined();
    if (row.unguarded === 'fields') return expect(unclassified(row)).toEqual([]);
    expect(isReason(row.unguarded)).toBe(true);
  },
);

test('the tests fail if a new request field does not declare whether a change requires a recent login', () => {
  const byFields = theirs.filter(([, row]) => row.unguarded === 'fields');
  expect(byFields.map(([name]) => name).toSorted()).toEqual(
    ['createApplication', 'createUser', 'updateApplication', 'updateUser'].toSorted(),
  );
  for (const [, row] of byFields) {
    const json = { ...row.input.json, entries: { ...listEntries(row.input.json), added: string() } };
    expect(unclassified({ ...row, input: { json: json as never } })).toEqual(['added']);
  }
});

test.each(theirs)('the operation %s accepts only operators with a sufficient role', async (_name, row) => {
  const suffice = SUFFICE[row.operators as OperatorNeed];
  for (const role of ROLES) {
    const answer = await sendAs(row, await known(role));
    if (suffice.includes(role)) expect([role, 401, 403]).not.toContain(answer.status);
    else
      expectError(answer, row.dialect, 'insufficient_permission', 'Insufficient permission: needs the role');
  }
});

test.each(theirs.filter(([, row]) => row.operators === 'guarded'))(
  'the operation %s requires that the operator has logged in during the last ten minutes',
  async (_name, row) => {
    const answer = await sendAs(row, await known('admin', 11 * MINUTES));
    expectError(answer, row.dialect, 'insufficient_user_authentication');
    expect(answer.headers.get('www-authenticate')).toContain('max_age=600');
    const fresh = await sendAs(row, await known('admin', 9 * MINUTES));
    expect([401, 403]).not.toContain(fresh.status);
  },
);

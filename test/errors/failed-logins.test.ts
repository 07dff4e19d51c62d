import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { describeEvent, describeNextStep, RETRY } from '../../shared/domain/support/event-words.ts';
import { type CatalogueEntry, catalogue, type ErrorKey } from '../../shared/errors/catalogue.ts';
import { collectAuditEvents } from '../../shared/http/audit-events.ts';
import type { Operation } from '../../shared/operation.ts';

// Tests the errors that reject a login. The error catalogue defines their event, the description and the next step for support.

const rows = Object.values(operations).filter(
  (row: Operation) => row.checksCredential,
) as readonly Operation[];
const keys = [...new Set(rows.flatMap(({ errors }) => errors))].toSorted();
const findEntry = (key: ErrorKey): CatalogueEntry => catalogue[key];
const [row] = rows;
const createEvent = (result: ErrorKey) => ({ type: 'login.failed', method: 'eotp', result }) as never;

test('the tests cover more than eight operations that accept credentials', () => {
  expect(rows.length).toBeGreaterThan(8);
});

test.each(keys)('the error catalogue states whether the error %s means a failed login', (key) => {
  expect(findEntry(key)).toHaveProperty('failedLogin');
});

const refusals = (Object.keys(catalogue) as ErrorKey[]).filter((key) => findEntry(key).failedLogin);

describe.each(refusals)('login rejected with the error %s', (key) => {
  test('a rejected login is recorded as the event login.failed', () => {
    if (!row) throw new Error('no row');
    expect(collectAuditEvents(row, {}, key)).toEqual(['login.failed']);
    expect(collectAuditEvents({ ...row, checksCredential: undefined } as never, {}, key)).toEqual([]);
  });

  test('the support team sees a description and a next step for a rejected login', () => {
    const { failedLogin } = findEntry(key);
    if (!failedLogin) throw new Error('no refusal');
    expect(failedLogin.words).toMatch(/^[a-z].{8,}[^.]$/);
    expect(describeEvent(createEvent(key))).toBe(`login.failed  eotp  ${failedLogin.words}`);
    expect(describeNextStep(createEvent(key))).toBe(RETRY[failedLogin.retry]);
  });
});

test('the support team sees an unknown login result unchanged', () => {
  expect(describeEvent(createEvent('toString' as ErrorKey))).toBe('login.failed  eotp  toString');
  expect(describeNextStep(createEvent('toString' as ErrorKey))).toBeUndefined();
});

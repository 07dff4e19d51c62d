import { describe, expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { nextStepOf, RETRY, wordsOf } from '../../shared/domain/support/event-words.ts';
import { type CatalogueEntry, catalogue, type ErrorKey } from '../../shared/errors/catalogue.ts';
import { auditEventsOf } from '../../shared/http/audit-events.ts';
import type { Operation } from '../../shared/operation.ts';

// Errors that refuse a login: the catalogue defines their event, the sentence for support and the advice.

const rows = Object.values(operations).filter(
  (row: Operation) => row.takesCredential,
) as readonly Operation[];
const keys = [...new Set(rows.flatMap(({ errors }) => errors))].toSorted();
const entryOf = (key: ErrorKey): CatalogueEntry => catalogue[key];
const [row] = rows;
const eventOf = (result: ErrorKey) => ({ type: 'login.failed', method: 'eotp', result }) as never;

test('more than eight operations take credentials', () => {
  expect(rows.length).toBeGreaterThan(8);
});

test.each(keys)('the error %s states whether it refuses a login', (key) => {
  expect(entryOf(key)).toHaveProperty('failedLogin');
});

const refusals = (Object.keys(catalogue) as ErrorKey[]).filter((key) => entryOf(key).failedLogin);

describe.each(refusals)('login refused with %s', (key) => {
  test('a refused login is the event login.failed only in operations that take credentials', () => {
    if (!row) throw new Error('no row');
    expect(auditEventsOf(row, {}, key)).toEqual(['login.failed']);
    expect(auditEventsOf({ ...row, takesCredential: undefined } as never, {}, key)).toEqual([]);
  });

  test('a refused login has a sentence for support and a next step', () => {
    const { failedLogin } = entryOf(key);
    if (!failedLogin) throw new Error('no refusal');
    expect(failedLogin.words).toMatch(/^[a-z].{8,}[^.]$/);
    expect(wordsOf(eventOf(key))).toBe(`login.failed  eotp  ${failedLogin.words}`);
    expect(nextStepOf(eventOf(key))).toBe(RETRY[failedLogin.retry]);
  });
});

test('an unknown result of a login is shown unchanged', () => {
  expect(wordsOf(eventOf('toString' as ErrorKey))).toBe('login.failed  eotp  toString');
  expect(nextStepOf(eventOf('toString' as ErrorKey))).toBeUndefined();
});

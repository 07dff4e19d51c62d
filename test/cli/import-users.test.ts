import { describe, expect, test } from '@jest/globals';
import { type ImportOptions, importUsers, RefusedRow } from '../../bin/otl/user-transfer/import-users.ts';
import { createPace } from '../../bin/otl/user-transfer/pace.ts';
import { buildBodyFromCells } from '../../bin/otl/user-transfer/rows.ts';

describe('concurrent rows and errors in a user import', () => {
  const options = (change: Partial<ImportOptions>): ImportOptions => ({
    rows: (async function* () {})(),
    importRow: async () => 'created',
    pace: createPace(10),
    skip: 0,
    onFailure: () => {},
    onProgress: () => {},
    ...change,
  });

  test('a user import reads at most one row ahead of the rows in progress', async () => {
    let [read, done, most] = [0, 0, 0];
    async function* rows() {
      for (read = 1; read <= 2_000; read += 1) {
        most = Math.max(most, read - done);
        yield { number: read, body: { row: read } };
      }
    }
    const importRow = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done += 1;
      return 'created' as const;
    };
    const counts = await importUsers(options({ rows: rows(), importRow }));
    expect(counts).toEqual({ created: 2_000, existing: 0, failed: 0 });
    expect(most).toBeLessThanOrEqual(11);
  });

  test('a user import that stops at an unexpected error counts only finished rows as done', async () => {
    const rows = async function* () {
      for (let number = 1; number <= 100; number += 1) yield { number, body: number };
    };
    let noted = 0;
    const importRow = async (body: unknown) => {
      if (body === 7) throw new RefusedRow('is bad');
      if (body === 42) throw new Error('no answer');
      return 'created' as const;
    };
    const onProgress = (done: number) => {
      noted = done;
    };
    await expect(importUsers(options({ rows: rows(), importRow, onProgress }))).rejects.toThrow('no answer');
    expect(noted).toBeLessThan(42);
    expect(noted).toBeGreaterThanOrEqual(30);
  });

  test('a slow row of a user import does not delay other rows', async () => {
    const slow = Promise.withResolvers<void>();
    const noted: number[] = [];
    async function* rows() {
      for (let number = 1; number <= 1000; number += 1) yield { number, body: number };
      slow.resolve();
    }
    const importRow = async (body: unknown) => {
      if (body === 3) await slow.promise;
      return 'created' as const;
    };
    const onProgress = (done: number) => noted.push(done);
    const counts = await importUsers(options({ rows: rows(), importRow, onProgress }));
    expect(counts).toMatchObject({ created: 1000 });
    expect(noted.slice(0, -1).every((done) => done === 2 || done >= 990 || done < 2)).toBe(true);
    expect(noted.at(-1)).toBe(1000);
  });

  test('a user import finishes the rows that are in progress before it stops', async () => {
    async function* rows() {
      for (let number = 1; number <= 1000; number += 1) yield { number, body: number };
    }
    let [made, noted] = [0, 0];
    const importRow = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      made += 1;
      return 'created' as const;
    };
    const onProgress = (done: number) => {
      noted = done;
    };
    const counts = await importUsers(
      options({ rows: rows(), importRow, onProgress, isStopped: () => made >= 50 }),
    );
    expect(counts.created).toBe(made);
    expect(noted).toBe(made);
    expect(made).toBeLessThan(70);
  });

  test('a user import stops with an error if a rejected row cannot be reported', async () => {
    const rows = async function* () {
      yield { number: 1, problem: 'is bad' };
    };
    const onFailure = () => {
      throw new Error('no space left');
    };
    await expect(importUsers(options({ rows: rows(), onFailure }))).rejects.toThrow('no space left');
  });

  test('a user import ignores empty cells of a CSV file', () => {
    expect(buildBodyFromCells({ email: 'a@example.com', username: '', groups: '', first_name: '' })).toEqual({
      email: 'a@example.com',
    });
  });
});

describe('speed of a user import while DynamoDB throttles', () => {
  test('if DynamoDB throttles writes, a user import halves its concurrency at most once per second', () => {
    let now = 0;
    const pace = createPace(16, () => now);
    pace.recordBusy();
    pace.recordBusy();
    expect(pace.limit()).toBe(8);
    now = 1000;
    pace.recordBusy();
    expect(pace.limit()).toBe(4);
    for (let round = 0; round < 9; round += 1) pace.recordSuccess();
    expect(pace.limit()).toBe(6);
    for (let round = 0; round < 1000; round += 1) pace.recordSuccess();
    expect(pace.limit()).toBe(16);
    for (let second = 2; second < 20; second += 1) {
      now = second * 1000;
      pace.recordBusy();
    }
    expect(pace.limit()).toBe(1);
  });
});

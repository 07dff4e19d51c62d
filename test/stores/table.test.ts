import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../shared/dynamo/database.ts';
import { createTable } from '../../shared/dynamo/table.ts';
import { atOnce } from '../support/server/at-once.ts';
import { unique } from '../support/server/records.ts';
import { describeStore, localConfig } from '../support/server/store.ts';

describeStore('DynamoDB tables', (store) => {
  const table = () => store().table('directory');
  const someKey = () => ({ pk: unique('pk'), sk: 'sk' });

  test('a DynamoDB write omits attributes that are undefined', async () => {
    const key = someKey();
    await table().put({
      ...key,
      none: undefined,
      map: { none: undefined, text: '' },
      list: [{ none: undefined }],
    });
    expect(await table().get(key)).toEqual({ ...key, map: { text: '' }, list: [{}] });
  });

  test("the service's table client reads and writes the same items as the AWS SDK's document client", async () => {
    const client = DynamoDBDocumentClient.from(new DynamoDBClient(localConfig(store().endpoint)), {
      marshallOptions: { removeUndefinedValues: true },
    });
    const [ours, theirs] = [someKey(), someKey()];
    const value = {
      text: '',
      none: undefined,
      number: -1.5,
      yes: true,
      list: [null, { tags: new Set(['a', 'b']) }],
    };
    const TableName = 'directory';
    await table().put({ ...ours, value });
    await client.send(new PutCommand({ TableName, Item: { ...theirs, value } }));
    const read = await client.send(new GetCommand({ TableName, Key: ours }));
    expect(read.Item).toEqual({ ...ours, value: (await table().get(theirs))?.value });
    client.destroy();
  });

  test('a key is accepted only if DynamoDB can store it', async () => {
    const longest = { pk: 'é'.repeat(1024), sk: 's'.repeat(1024) };
    await table().put(longest);
    expect(await table().get(longest)).toEqual(longest);
    const impossible = [
      { ...longest, pk: `${longest.pk}k` },
      { ...longest, sk: `${longest.sk}s` },
      { ...longest, pk: '' },
      { ...longest, sk: '' },
      { ...longest, pk: '\ud800' },
    ];
    for (const key of impossible) {
      expect(await table().get(key)).toBeUndefined();
      expect(await table().tryUpdate(key, { set: { a: 1 } })).toEqual({ done: false, existing: undefined });
      expect(await table().remove(key)).toBe(false);
      await expect(table().put(key)).rejects.toMatchObject({ key: 'system_invalid_input' });
    }
    expect(await table().getAll(impossible)).toEqual([]);
  });

  test('items and partitions are read with strong consistency', async () => {
    const inputs: object[] = [];
    const send = (command: { readonly input: object }) => {
      inputs.push(command.input);
      return store().client.send(command as never);
    };
    const { get, query, getAll } = createTable(
      { ...store().client, send: send as Database['send'] },
      'directory',
    );
    const key = someKey();
    await Promise.all([get(key), query(key.pk), getAll([key])]);
    expect(inputs).toMatchObject([
      { ConsistentRead: true },
      { ConsistentRead: true },
      { RequestItems: { directory: { ConsistentRead: true } } },
    ]);
  });

  test('reading items is rejected with service_unavailable if DynamoDB returns none of them', async () => {
    const key = someKey();
    const answers = [{ UnprocessedKeys: { directory: { Keys: [key] } } }, {}];
    const send = (async () => answers.shift()) as Database['send'];
    const throttled = createTable({ ...store().client, send }, 'directory');
    await expect(throttled.getAll([key])).rejects.toMatchObject({ key: 'service_unavailable' });
  });

  test('an item stores the tokens of its last eight counted writes, or of its last write', async () => {
    const [counted, written] = [someKey(), someKey()];
    const marked = { add: { count: 1 }, tokenAttribute: 'by' } as const;
    for (let n = 0; n < 9; n += 1) {
      await table().update(counted, { ...marked, counts: true });
      await table().update(written, marked);
    }
    const marksOf = async (key: typeof counted) =>
      Object.entries((await table().get(key)) ?? {}).filter(([name]) => name.startsWith('by'));
    const marks = await marksOf(counted);
    expect(marks.map(([name]) => name).toSorted()).toEqual([
      'by',
      ...[1, 2, 3, 4, 5, 6, 7].map((n) => `by_${n}`),
    ]);
    expect(new Set(marks.map(([, token]) => token)).size).toBe(8);
    expect(await marksOf(written)).toEqual([['by', expect.any(String)]]);
  });

  test('a failed conditional write does not change the item', async () => {
    const key = someKey();
    const guard = { condition: '#count = :count', values: { count: 2 } };
    await table().put({ ...key, count: 1 });
    expect(await table().put({ ...key, count: 5 }, guard)).toBe(false);
    expect(await table().update(key, { set: { count: 5 }, ...guard })).toBeUndefined();
    expect(await table().remove(key, guard)).toBe(false);
    expect(await table().get(key)).toEqual({ ...key, count: 1 });
  });

  test('a failed conditional write returns the existing item', async () => {
    const key = someKey();
    const item = { ...key, count: 1, tags: new Set(['a']), map: { none: null, list: ['x', 2, true] } };
    await table().put(item);
    const guard = { condition: '#count = :count', values: { count: 2 } };
    const refusal = { done: false, existing: item };
    expect(await table().tryPut({ ...key, count: 5 }, guard)).toEqual(refusal);
    expect(await table().tryUpdate(key, { set: { count: 5 }, ...guard })).toEqual(refusal);
    expect(await table().tryUpdate(key, { set: { count: 2 } })).toEqual({
      done: true,
      item: { ...item, count: 2 },
    });
    expect(await table().tryPut({ ...key, count: 3 }, guard)).toEqual({
      done: true,
      item: { ...key, count: 3 },
    });
    expect(await table().tryUpdate(someKey(), { set: { count: 5 }, ...guard })).toEqual({
      done: false,
      existing: undefined,
    });
  });

  test('each of 40 concurrent conditional writes that fail returns the existing item', async () => {
    const key = someKey();
    const attempts = await atOnce(40, (n) =>
      table().tryUpdate(key, {
        condition: 'attribute_not_exists(#count) OR #count < :max',
        add: { count: 1 },
        set: { [`by${n}`]: true },
        values: { max: 5 },
      }),
    );
    const counts = attempts.map((attempt) => (attempt.done ? attempt.item : attempt.existing)?.count);
    expect(counts.toSorted()).toEqual([1, 2, 3, 4, ...Array.from({ length: 36 }, () => 5)]);
    const final = await table().get(key);
    for (const attempt of attempts) if (!attempt.done) expect(attempt.existing).toEqual(final);
  });

  test('a single DynamoDB update can set, remove, compute and add attributes', async () => {
    const key = someKey();
    await table().put({ ...key, status: 'old', name: 'gone', count: 1, tags: new Set(['a']) });
    const item = await table().update(key, {
      set: { status: 'new', name: undefined },
      compute: ['#count = #count + :step'],
      add: { tags: new Set(['a', 'b']), version: 1 },
      remove: ['#language'],
      values: { step: 2 },
    });
    const expected = { ...key, status: 'new', count: 3, tags: new Set(['a', 'b']), version: 1 };
    expect(item).toEqual(expected);
    const set = { status: 'last' };
    expect(await table().update(key, { set, returnsOld: true })).toEqual(expected);
    expect(await table().update(key, { set, returnsNothing: true })).toEqual({});
  });

  test('a query reads all pages of a partition', async () => {
    const pk = unique('pk');
    const text = 'x'.repeat(150_000);
    await Promise.all(Array.from({ length: 20 }, (_, n) => table().put({ pk, sk: `sk-${n}`, text })));
    expect(await table().query(pk)).toHaveLength(20);
    expect(await table().query('x'.repeat(5000))).toEqual([]);
  });

  test('a list omits items that were removed after their keys were read from the index', async () => {
    const [list_pk, other] = [unique('list'), unique('list')];
    const keys = [someKey(), someKey(), someKey()] as const;
    for (const [n, key] of keys.entries()) await table().put({ ...key, list_pk, list_sk: `${n}` });
    const late: Database = {
      ...store().client,
      send: (async (command: object) => {
        const answer = await store().client.send(command as never);
        if (command instanceof QueryCommand) {
          await table().remove(keys[0]);
          await table().put({ ...keys[1], list_pk: other, list_sk: '1' });
        }
        return answer;
      }) as Database['send'],
    };
    const { items } = await createTable(late, 'directory').queryIndex(list_pk, { limit: 10 });
    expect(items).toEqual([{ ...keys[2], list_pk, list_sk: '2' }]);
  });

  test('a list is complete even if its items do not fit into one DynamoDB response', async () => {
    const list_pk = unique('list');
    const text = 'x'.repeat(390_000);
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => table().put({ ...someKey(), list_pk, list_sk: `${n}`, text })),
    );
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await table().queryIndex(list_pk, { limit: 100, ...(cursor && { cursor }) });
      seen.push(...page.items.map((item) => item.list_sk));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen.length).toBe(50);
  });

  test('an invalid DynamoDB request is not reported as service_unavailable', async () => {
    const broken = table().update(someKey(), { set: { pk: 'other' } });
    await expect(broken).rejects.toMatchObject({ name: 'ValidationException' });
    const missing = createTable(store().client, 'missing').get(someKey());
    await expect(missing).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

interface Answer {
  readonly status: number;
  readonly type: string;
}

/** Runs `use` with the endpoint of an emulated DynamoDB that always returns the given response, or never responds. */
async function withAnswer(
  answer: Answer | undefined,
  use: (endpoint: string) => Promise<void>,
): Promise<void> {
  const server: Server = createServer((request, response) => {
    request.resume();
    if (!answer) return;
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(
      JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${answer.type}`, message: 'no' }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('table operations during DynamoDB outages', () => {
  const busy = { key: 'service_unavailable', detail: { retryAfterSeconds: 1 } };
  const key = { pk: 'pk', sk: 'sk' };

  async function expectBusy(endpoint: string): Promise<void> {
    const client = connectDatabase({
      ...localConfig(endpoint),
      maxAttempts: 1,
      requestHandler: { requestTimeout: 100, throwOnRequestTimeout: true },
    });
    const table = createTable(client, 'directory');
    const page = { limit: 1 };
    const calls = [
      table.get(key),
      table.put(key),
      table.update(key, { set: { a: 1 } }),
      table.update(key, { set: { a: 1 }, counts: true }),
      table.remove(key),
      table.query('pk'),
      table.queryIndex('list', page),
    ];
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: busy });
    client.destroy();
  }

  test.each([
    [
      'throttles (ProvisionedThroughputExceededException)',
      { status: 400, type: 'ProvisionedThroughputExceededException' },
    ],
    ['throttles (ThrottlingException)', { status: 400, type: 'ThrottlingException' }],
    ['fails internally', { status: 500, type: 'InternalServerError' }],
    ['is unavailable', { status: 503, type: 'ServiceUnavailable' }],
    ['does not respond', undefined],
  ])('every table operation returns service_unavailable if DynamoDB %s', async (_, answer) => {
    await withAnswer(answer, expectBusy);
  });

  test('every table operation returns service_unavailable if DynamoDB refuses connections', async () => {
    let closed = '';
    await withAnswer(undefined, async (endpoint) => {
      closed = endpoint;
    });
    await expectBusy(closed);
  });
});

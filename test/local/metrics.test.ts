import { DescribeTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Emulators } from '../../lib/local/emulators/start.ts';
import { createMetrics, type Metrics } from '../../lib/local/metrics.ts';
import { openEmulators } from '../support/server/emulators.ts';

let emulators: Emulators;
let metrics: Metrics;
let database: DynamoDBClient;
let texts: SNSClient;

beforeAll(async () => {
  emulators = await openEmulators();
  metrics = createMetrics();
  const settings = {
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 2,
  };
  database = new DynamoDBClient({ ...settings, endpoint: emulators.endpoint('dynamodb') });
  texts = new SNSClient({ ...settings, endpoint: emulators.endpoint('sns') });
  // Makes the first call of each client before the tests, because the first call makes additional requests.
  await Promise.all([list(), text()]);
});
beforeEach(async () => {
  metrics.reset();
  await emulators.clearFaults();
});
afterAll(async () => {
  metrics.close();
  database.destroy();
  texts.destroy();
  await emulators.stop();
});

const list = () => database.send(new ListTablesCommand({}));
const describeTable = () =>
  database.send(new DescribeTableCommand({ TableName: 'nothing' })).catch(() => undefined);
const text = () => texts.send(new PublishCommand({ PhoneNumber: '+4930111111', Message: 'hi' }));

/** Returns the length of the longest chain of sequential calls in an invocation. */
async function measureDepth(invocation: () => Promise<unknown>): Promise<number | undefined> {
  await metrics.run('it', invocation);
  return metrics.report().it?.last.sequential_depth;
}

describe('sequential depth of the AWS calls of one function invocation', () => {
  const together = (...calls: readonly (() => Promise<unknown>)[]) =>
    Promise.all(calls.map((call) => call()));

  test.each<[string, number, () => Promise<unknown>]>([
    ['no calls', 0, async () => undefined],
    ['three calls one after the other', 3, () => list().then(text).then(list)],
    ['four parallel calls', 1, () => together(list, list, text, text)],
    [
      'two parallel calls, then three, then one',
      3,
      () =>
        together(list, text)
          .then(() => together(list, list, text))
          .then(list),
    ],
  ])(
    'the AWS calls of a function invocation with %s have a sequential depth of %i',
    async (_what, depth, invocation) => {
      expect(await measureDepth(invocation)).toBe(depth);
    },
  );

  test('a slow AWS call in parallel with a chain of calls does not increase the sequential depth', async () => {
    await emulators.inject({ service: 'sns', effect: 'latency', latency_ms: 150, times: 1 });
    const chain = async () => {
      await list();
      await list();
    };
    expect(await measureDepth(() => Promise.all([text(), chain()]))).toBe(2);
  });

  test('an AWS call that is retried once adds two to the sequential depth of the invocation', async () => {
    await emulators.inject({ service: 'dynamodb', effect: 'lost-request', times: 1 });
    expect(await measureDepth(list)).toBe(2);
  });
});

test('the local server counts AWS calls per API operation, AWS service and AWS action', async () => {
  await metrics.run('one', () => Promise.all([list(), describeTable()]));
  await metrics.run('one', list);
  await metrics.run('two', text);
  expect(metrics.report()).toEqual({
    one: {
      requests: 2,
      aws_calls: { 'dynamodb.DescribeTable': 1, 'dynamodb.ListTables': 2 },
      last: { sequential_depth: 1, calls: ['dynamodb.ListTables'] },
    },
    two: {
      requests: 1,
      aws_calls: { 'sns.Publish': 1 },
      last: { sequential_depth: 1, calls: ['sns.Publish'] },
    },
  });
});

test('the local server counts the AWS calls of concurrent requests separately', async () => {
  const depths = await Promise.all(
    ['a', 'b', 'c'].map((name, index) =>
      metrics.run(name, async () => {
        for (let call = 0; call <= index; call += 1) await list();
        return index + 1;
      }),
    ),
  );
  const report = metrics.report();
  expect(depths.map((_, index) => report['abc'[index] ?? '']?.last.sequential_depth)).toEqual([1, 2, 3]);
});

test('AWS calls of a function invocation that throws are also counted', async () => {
  const failing = async () => {
    await list();
    throw new Error('no');
  };
  await expect(metrics.run('it', failing)).rejects.toThrow('no');
  expect(metrics.report().it).toMatchObject({ requests: 1, aws_calls: { 'dynamodb.ListTables': 1 } });
});

test('AWS calls outside of a function invocation are not counted', async () => {
  await list();
  expect(metrics.report()).toEqual({});
});

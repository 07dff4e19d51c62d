import { createHook } from 'node:async_hooks';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  GetItemCommand,
  ResourceNotFoundException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GenerateMacCommand, KMSClient } from '@aws-sdk/client-kms';
import { MessageRejected, SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { withinBudget } from '../../shared/sdk/budget.ts';
import { createLeanSend } from '../../shared/sdk/lean-client.ts';
import {
  type Answer,
  type AnyClient,
  claimed,
  compare,
  computeSignature,
  fault,
  json,
  KEYS,
  played,
  raw,
  settings,
  settleCall,
  useScriptedService,
} from './support/both-clients.ts';

useScriptedService();
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const silent: Answer = () => {};
const reset: Answer = (_, request) => request.socket.destroy();
const cut: Answer = (response, request) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"Item":', () => request.socket.destroy());
};
const found = json(200, { Item: { pk: { S: 'a' }, n: { N: '12' }, list: { L: [{ BOOL: true }] } } });

// Returns the same scripted responses to a client of the AWS SDK and to the minimal AWS client (shared/aws/sdk). The requests,
// results and errors of both clients must be equal.

const dynamo = () => new DynamoDBClient(settings());

/** Converts a date in the format of AWS, such as `20261122T235959Z`, to minutes since the epoch. */
const toMinute = (date: string) =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')) / 60_000;
const impatient = () => new DynamoDBClient(settings(150));
const get = () => new GetItemCommand({ TableName: 'people', Key: { pk: { S: 'a' }, sk: { S: 'ü' } } });
const noDelay = () => jest.spyOn(Math, 'random').mockReturnValue(0);

const xml = (body: string) => raw(200, body);
const SES = 'xmlns="http://ses.amazonaws.com/doc/2010-12-01/"';
const mail = () =>
  new SendRawEmailCommand({ Destinations: ['a@b.c'], RawMessage: { Data: Buffer.from('é') } });

describe('response parsing in the minimal AWS client', () => {
  test.each<[string, () => AnyClient, () => object, Answer]>([
    ['with an item from DynamoDB', dynamo, get, found],
    ['without an item from DynamoDB', dynamo, get, json(200, {})],
    [
      'from KMS',
      () => new KMSClient(settings()),
      () => new GenerateMacCommand({ KeyId: 'k', MacAlgorithm: 'HMAC_SHA_256', Message: Buffer.from('x') }),
      json(200, { Mac: 'AAEC' }),
    ],
    [
      'from SES',
      () => new SESClient(settings()),
      mail,
      xml(
        `<SendRawEmailResponse ${SES}><SendRawEmailResult><MessageId>m</MessageId></SendRawEmailResult></SendRawEmailResponse>`,
      ),
    ],
    [
      'from SNS',
      () => new SNSClient(settings()),
      () =>
        new PublishCommand({
          PhoneNumber: '+41791234567',
          Message: 'a & b',
          MessageAttributes: { a: { DataType: 'String', StringValue: 'b' } },
        }),
      xml(
        '<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>m</MessageId></PublishResult></PublishResponse>',
      ),
    ],
  ])('the minimal AWS client parses a response %s like the AWS SDK', async (_, make, command, answer) => {
    const { sent: requests } = await compare([answer], make, async (send) => [
      await settleCall(send(command())),
      await settleCall(send(command())),
    ]);
    expect(requests).toHaveLength(2);
    for (const request of requests) expect(claimed(request)).toBe(computeSignature(request));
  });
});

describe('errors and retries of the minimal AWS client', () => {
  const refused = fault(400, 'ConditionalCheckFailedException', { Item: { pk: { S: 'other' } } });

  test.each<[string, readonly Answer[], number, object]>([
    [
      'a failed conditional write with the existing item in the error',
      [refused],
      1,
      ConditionalCheckFailedException,
    ],
    [
      'a failed conditional write after a lost response',
      [reset, refused],
      2,
      ConditionalCheckFailedException,
    ],
    ['a missing table', [fault(400, 'ResourceNotFoundException')], 1, ResourceNotFoundException],
    ['an error code that the SDK does not know', [fault(400, 'Surprise')], 1, Error],
    ['throttling of every attempt', [fault(400, 'ProvisionedThroughputExceededException')], 3, Error],
    ['throttling of the first attempt', [fault(400, 'ThrottlingException'), found], 2, Object],
    ['a server error at every attempt', [fault(500, 'InternalServerError')], 3, Error],
    [
      'a server error at the first two attempts',
      [fault(500, 'InternalServerError'), fault(503, 'X'), found],
      3,
      Object,
    ],
    ['an HTML page instead of a JSON response', [raw(503, '<html>')], 3, Error],
    ['a response that is not valid JSON', [raw(200, '<html>')], 1, Error],
    ['a truncated response', [cut], 3, Error],
    ['a broken connection', [reset], 3, Error],
    ['no response', [silent], 3, Error],
    ['a response with a retry delay', [json(500, {}, { 'x-amz-retry-after': '20' }), found], 2, Object],
  ])('the minimal AWS client handles an error like the AWS SDK: %s', async (_, answers, attempts, type) => {
    noDelay();
    let seen: unknown;
    const { sent: requests } = await compare(answers, answers.includes(silent) ? impatient : dynamo, (send) =>
      settleCall(
        send(get()).catch((error: unknown) => {
          seen = error;
          throw error;
        }),
      ),
    );
    expect(requests).toHaveLength(attempts);
    expect(seen ?? {}).toBeInstanceOf(type);
    for (const request of requests) expect(claimed(request)).toBe(computeSignature(request));
  });

  test('the minimal AWS client reports SES errors like the AWS SDK', async () => {
    const answer = raw(
      400,
      `<ErrorResponse ${SES}><Error><Type>Sender</Type><Code>MessageRejected</Code><Message>no</Message></Error><RequestId>r</RequestId></ErrorResponse>`,
    );
    await compare(
      [answer],
      () => new SESClient({ ...settings(), maxAttempts: 1 }),
      async (send) => {
        const error = await send(mail()).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(MessageRejected);
        return settleCall(Promise.reject(error));
      },
    );
  });

  test.each(['standard', 'adaptive'])(
    'in the retry mode %s, the minimal AWS client retries like the AWS SDK',
    async (retryMode) => {
      noDelay();
      const make = () => new DynamoDBClient({ ...settings(), retryMode });
      const { sent: requests } = await compare([fault(500, 'InternalServerError')], make, async (send) => {
        const outcomes: object[] = [];
        for (let call = 0; call < 60; call += 1) outcomes.push(await settleCall(send(get())));
        return outcomes;
      });
      expect(requests.length).toBeLessThan(60 * 3);
    },
  );

  test('the minimal AWS client runs its middleware once per attempt', async () => {
    noDelay();
    const attempts: unknown[] = [];
    await played([reset, reset, found], dynamo, true, async (_, client) => {
      const around = async <T>(attempt: () => Promise<T>) => {
        try {
          return await attempt();
        } catch (error) {
          attempts.push((error as NodeJS.ErrnoException).code);
          throw error;
        }
      };
      const send = createLeanSend(client, { around }) as unknown as DynamoDBClient['send'];
      await send(get());
    });
    expect(attempts).toEqual(['ECONNRESET', 'ECONNRESET']);
  });
});

describe('request signing and endpoints of the minimal AWS client', () => {
  test('the minimal AWS client corrects its clock with the Date header of a rejected request', async () => {
    noDelay();
    const ahead = new Date(Date.now() + 3_600_000).toUTCString();
    const skewed = json(
      400,
      { __type: 'com.amazon.coral.service#InvalidSignatureException', message: 'Signature expired' },
      { date: ahead },
    );
    const right = json(200, {}, { date: ahead });
    const { sent: requests } = await compare([skewed, right], dynamo, async (send, client) => {
      const outcomes = [await settleCall(send(get())), await settleCall(send(get()))];
      const offset = (client.config as { readonly systemClockOffset: number }).systemClockOffset;
      return [outcomes, Math.round(offset / 60_000)];
    });
    const minutes = requests.map(({ headers: { 'x-amz-date': date = '' } }) => toMinute(date));
    expect(requests).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = minutes;
    expect(second - first).toBeGreaterThan(55);
    expect(third - second).toBeLessThan(5);
    for (const request of requests) expect(claimed(request)).toBe(computeSignature(request));
  });

  test('the minimal AWS client signs requests with new credentials when the previous credentials expire', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'queueMicrotask'],
    });
    const start = Date.parse('2026-01-01T23:00:00Z');
    const make = () => {
      let made = 0;
      const credentials = async () => {
        made += 1;
        const expiration = new Date(start + made * 3_600_000);
        const token = made === 1 ? { sessionToken: 'first' } : {};
        return { accessKeyId: `KEY${made}`, secretAccessKey: `secret${made}`, expiration, ...token };
      };
      return new DynamoDBClient({ ...settings(), credentials });
    };
    const { sent: requests } = await compare([found], make, async (send) => {
      for (const minutes of [0, 10, 70]) {
        jest.setSystemTime(start + minutes * 60_000);
        await send(get());
      }
    });
    const scopes = requests.map(
      ({ headers }) => /Credential=([^/]+\/\d+)/.exec(headers.authorization ?? '')?.[1],
    );
    expect(scopes).toEqual(['KEY1/20260101', 'KEY1/20260101', 'KEY2/20260102']);
    expect(requests.map(({ headers }) => headers['x-amz-security-token'])).toEqual([
      'first',
      'first',
      undefined,
    ]);
    for (const [index, request] of requests.entries())
      expect(claimed(request)).toBe(computeSignature(request, index < 2 ? 'secret1' : 'secret2'));
  });

  test('the minimal AWS client sends requests to the same endpoint as the AWS SDK', async () => {
    const hosts: string[] = [];
    const traces: unknown[] = [];
    const handle = async (request: {
      hostname: string;
      protocol: string;
      headers: Record<string, string>;
    }) => {
      const [scope] = /(?<=AKID\/\d+)\/[^,]+/.exec(request.headers.authorization ?? '') ?? [];
      hosts.push(`${request.protocol}//${request.hostname}${scope}`);
      traces.push(request.headers['X-Amzn-Trace-Id']);
      throw new Error('not sent');
    };
    const before = { ...process.env };
    Object.assign(process.env, { AWS_LAMBDA_FUNCTION_NAME: 'f' });
    try {
      for (const more of [{}, { useFipsEndpoint: true }, { region: 'cn-north-1' }]) {
        const { endpoint: _, ...rest } = settings();
        const client = new DynamoDBClient({ ...rest, ...more, requestHandler: { handle } as never });
        const send = createLeanSend(client);
        for (const trace of ['Root=1', 'Root=2']) {
          process.env._X_AMZN_TRACE_ID = trace;
          await expect(client.send(get())).rejects.toThrow('not sent');
          await expect(send(get())).rejects.toThrow('not sent');
        }
      }
    } finally {
      process.env = before;
    }
    for (let index = 0; index < hosts.length; index += 2) expect(hosts[index + 1]).toBe(hosts[index]);
    expect(new Set(hosts)).toEqual(
      new Set([
        'https://dynamodb.eu-central-1.amazonaws.com/eu-central-1/dynamodb/aws4_request',
        'https://dynamodb-fips.eu-central-1.amazonaws.com/eu-central-1/dynamodb/aws4_request',
        'https://dynamodb.cn-north-1.amazonaws.com.cn/cn-north-1/dynamodb/aws4_request',
      ]),
    );
    expect(traces.slice(0, 4)).toEqual(['Root=1', 'Root=1', 'Root=2', 'Root=2']);
  });

  test('the minimal AWS client rejects a call if it has no credentials', async () => {
    let has = false;
    const credentials = async () => {
      if (!has) throw new Error('no credentials');
      return { ...KEYS, expiration: new Date(0) };
    };
    await compare(
      [found],
      () => new DynamoDBClient({ ...settings(), credentials }),
      async (send) => {
        const outcomes: object[] = [];
        for (has of [false, true, false]) outcomes.push(await settleCall(send(get())));
        return outcomes;
      },
    );
  });

  test('the minimal AWS client stops its timeout timer when the response arrives', async () => {
    const budget = 42_000;
    const timers = new Set<number>();
    const hook = createHook({
      init(id, type, _, resource) {
        const { _idleTimeout: after = 0 } = resource as { readonly _idleTimeout?: number };
        if (type === 'Timeout' && after > budget - 1000 && after <= budget) timers.add(id);
      },
      destroy: (id) => timers.delete(id),
    });
    let most = 0;
    await played([found], dynamo, true, async (send) => {
      hook.enable();
      await withinBudget(budget / 6000, async () => {
        const sending = send(get());
        await new Promise(setImmediate);
        most = timers.size;
        await sending;
      });
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      hook.disable();
    });
    expect([most, timers.size]).toEqual([1, 0]);
  });

  test('each of several concurrent calls of the minimal AWS client gets its own response', async () => {
    noDelay();
    const keyed: Answer = (response, request, body) => {
      const key = /"n":\{"N":"(\d+)"\}/.exec(body)?.[1] ?? '';
      json(200, { Attributes: { n: { N: key } } })(response, request, body);
    };
    const update = (n: number) =>
      new UpdateItemCommand({ TableName: 'people', Key: { n: { N: String(n) } } });
    const { outcome } = await played([keyed], dynamo, true, (send) =>
      Promise.all(Array.from({ length: 20 }, (_, n) => send(update(n)))),
    );
    expect(outcome).toMatchObject(
      Array.from({ length: 20 }, (_, n) => ({ Attributes: { n: { N: String(n) } } })),
    );
  });

  // The list contains all middleware that the minimal AWS client replaces or keeps. If a new SDK version adds middleware, this
  // test fails, because the minimal client would silently drop the new middleware.
  test.each<[string, () => AnyClient]>([
    ['DynamoDB', dynamo],
    ['KMS', () => new KMSClient(settings())],
    ['SES', () => new SESClient(settings())],
    ['SNS', () => new SNSClient(settings())],
  ])('the AWS SDK client for %s has only middleware that the minimal AWS client supports', (_, make) => {
    const client = make();
    const stack = client.middlewareStack as { identify(): string[] };
    expect(stack.identify().map((name) => name.split(' ')[0])).toEqual([
      ...['loggerMiddleware', 'serializerMiddleware', 'contentLengthMiddleware', 'getUserAgentMiddleware'],
      ...['hostHeaderMiddleware', 'recursionDetectionMiddleware', 'retryMiddleware', 'httpSigningMiddleware'],
      'deserializerMiddleware',
    ]);
    client.destroy();
  });
});

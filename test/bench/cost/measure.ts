import type { Usage } from '../../../lib/operator/cost/prices.ts';
import { environments } from '../../../lib/stacks/environments/environments.ts';
import { isMessageEvent } from '../../../shared/domain/support/message-events.ts';
import { startTestServer, type TestServer } from '../../support/server/test-server.ts';
import { type Capacity, countCapacity } from './capacity.ts';
import { type CostFlow, costFlows } from './flows.ts';

/**
 * How long a call to AWS takes a function, in milliseconds; nothing here was measured on AWS. Lambda is paid for while it
 * waits, so these and the memory decide what it costs.
 */
const ASSUMED_MILLISECONDS = { dynamodb: 5, kms: 12, ses: 80, sns: 120, own: 8 } as const;

const [{ functionMemory = 1024 } = {}] = environments('eu');
const MEGABYTES_PER_GB = 1024;

type Metrics = ReturnType<TestServer['metrics']>;
const services = (calls: readonly string[]) => calls.map((call) => call.split('.')[0] ?? '');

/** The chain of calls that wait for each other, with the slow one of each operation in it. */
function millisecondsOf({ last }: Metrics[string]): number {
  const used = new Set(services(last.calls));
  const slow = (['sns', 'ses', 'kms'] as const).find((service) => used.has(service));
  const rest = Math.max(0, last.sequential_depth - (slow ? 1 : 0)) * ASSUMED_MILLISECONDS.dynamodb;
  return ASSUMED_MILLISECONDS.own + rest + (slow ? ASSUMED_MILLISECONDS[slow] : 0);
}

/**
 * SNS tells later what became of a text, which is not measured: a record in its log, a look at the ID of the text, the event,
 * and a look at the user.
 */
const TOLD_OF_TEXT = { logBytes: 480, readUnits: 2, writeUnits: 1 } as const;

/** By log line; one without is no call of the forwarder. */
const eventsIn = (log: string): readonly (readonly string[])[] =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { audit?: readonly string[] }).audit ?? [])
    .filter((events) => events.length > 0);

function usageOf(metrics: Metrics, capacity: Capacity, log: string): Usage {
  const operations = Object.values(metrics);
  const calls = operations.flatMap(({ last }) => services(last.calls));
  const requests = operations.reduce((sum, { requests: count }) => sum + count, 0);
  const [mails = 0, texts = 0] = ['ses', 'sns'].map((name) => calls.filter((each) => each === name).length);
  const lines = eventsIn(log);
  const behind = lines.length + mails + texts;
  const afterwards = behind * (ASSUMED_MILLISECONDS.own + ASSUMED_MILLISECONDS.dynamodb);
  const milliseconds = operations.reduce((sum, operation) => sum + millisecondsOf(operation), afterwards);
  return {
    readUnits: capacity.readUnits + texts * TOLD_OF_TEXT.readUnits,
    writeUnits: capacity.writeUnits + texts * TOLD_OF_TEXT.writeUnits,
    requests,
    lambdaGbSeconds: (milliseconds / 1000) * (functionMemory / MEGABYTES_PER_GB),
    kmsCalls: calls.filter((service) => service === 'kms').length,
    mails,
    logBytes: Buffer.byteLength(log) + texts * TOLD_OF_TEXT.logBytes,
    behind,
    events: lines.flat().filter((type) => !isMessageEvent(type)).length,
  };
}

/** What one of each login uses: from the calls that it really makes, on containers that are warm, with all windows on. */
export async function measureUsage(): Promise<readonly { readonly flow: CostFlow; readonly usage: Usage }[]> {
  let server: TestServer | undefined;
  const capacity = await countCapacity();
  const write = process.stdout.write.bind(process.stdout);
  let log = '';
  process.stdout.write = (chunk: string | Uint8Array) => {
    log += chunk.toString();
    return true;
  };
  try {
    const counted = { AWS_ENDPOINT_URL_DYNAMODB: capacity.url };
    server = await startTestServer({
      events: true,
      environment: { LOG_LEVEL: 'info', ENVIRONMENT: 'eu', ...counted },
    });
    const token = await server.clientToken();
    const measured = [];
    for (const flow of costFlows) {
      // The first one warms the containers: code, keys, configuration.
      await (await flow.prepare(server, token))();
      const login = await flow.prepare(server, token);
      await server.settleEvents();
      server.resetMetrics();
      capacity.reset();
      log = '';
      await login();
      const [metrics, lines] = [server.metrics(), log];
      // What stands behind it reads and writes too.
      await server.settleEvents();
      measured.push({ flow, usage: usageOf(metrics, capacity.read(), lines) });
    }
    return measured;
  } finally {
    process.stdout.write = write;
    await server?.stop();
    capacity.stop();
  }
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createTables } from '../../../lib/local/emulators/dynamodb/tables.ts';
import { tableLayouts } from '../../../shared/dynamo/keys.ts';
import { emptyOracle } from '../../support/server/oracle.ts';

export interface Capacity {
  readonly writeUnits: number;
  readonly readUnits: number;
}

const READS = /\.(?:GetItem|Query|Scan|BatchGetItem)$/;
const TARGET = 'x-amz-target';

interface Units {
  readonly CapacityUnits: number;
}
interface Consumed extends Units {
  readonly GlobalSecondaryIndexes?: Readonly<Record<string, Units>>;
}

/** What a call consumed; `inIndexes` is a part of `units`. */
export interface Consumption {
  readonly units: number;
  readonly inIndexes: number;
  readonly kind: 'reads' | 'writes';
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

function consumption(target: string, ok: boolean, body: string): Consumption {
  const { ConsumedCapacity = [] } = JSON.parse(body) as { ConsumedCapacity?: Consumed | readonly Consumed[] };
  const consumed = [ConsumedCapacity].flat();
  const indexes = consumed.flatMap(({ GlobalSecondaryIndexes = {} }) =>
    Object.values(GlobalSecondaryIndexes),
  );
  return {
    // A refused conditional write costs as much, but reports no capacity.
    units: consumed.length > 0 || ok ? sum(consumed.map(({ CapacityUnits }) => CapacityUnits)) : 1,
    inIndexes: sum(indexes.map(({ CapacityUnits }) => CapacityUnits)),
    kind: READS.test(target) ? 'reads' : 'writes',
  };
}

/**
 * An empty DynamoDB Local behind an address that asks it what each call consumes: request units by the sizes of the items that
 * were really read and written. Only DynamoDB Local counts the writes to indexes.
 */
export async function countCapacity(tell: (input: object, consumed: Consumption) => void = () => {}) {
  const database = await emptyOracle();
  await createTables(database, tableLayouts);
  const units = { writes: 0, reads: 0 };
  const server = createServer(async (request, response) => {
    const target = String(request.headers[TARGET]);
    const input = JSON.parse(await text(request)) as object;
    const answer = await fetch(database, {
      method: 'POST',
      headers: {
        'content-type': String(request.headers['content-type']),
        authorization: String(request.headers.authorization),
        'x-amz-date': String(request.headers['x-amz-date']),
        [TARGET]: target,
      },
      body: JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' }),
    });
    const body = await answer.text();
    const consumed = consumption(target, answer.ok, body);
    units[consumed.kind] += consumed.units;
    tell(input, consumed);
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/dynamodb`,
    read: (): Capacity => ({ writeUnits: units.writes, readUnits: units.reads }),
    reset() {
      Object.assign(units, { writes: 0, reads: 0 });
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Capacity {
  readonly writeUnits: number;
  readonly readUnits: number;
}

const READS = /\.(?:GetItem|Query|Scan|BatchGetItem)$/;
const TARGET = 'x-amz-target';

/**
 * Stands between the functions and their database, and asks it what each call consumes: request units by the sizes of the
 * items that were really read and written, indexes included.
 */
export async function countCapacity(
  database: () => string,
  tell: (input: object, units: number, kind: 'reads' | 'writes') => void = () => {},
) {
  let [writeUnits, readUnits] = [0, 0];
  const server = createServer(async (request, response) => {
    const target = String(request.headers[TARGET]);
    const input = JSON.parse(await text(request)) as object;
    const answer = await fetch(database(), {
      method: 'POST',
      headers: {
        'content-type': String(request.headers['content-type']),
        authorization: String(request.headers.authorization),
        'x-amz-date': String(request.headers['x-amz-date']),
        [TARGET]: target,
      },
      body: JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }),
    });
    const body = await answer.text();
    const { ConsumedCapacity } = JSON.parse(body) as { ConsumedCapacity?: { CapacityUnits: number } };
    // A refused conditional write costs as much, but reports no capacity.
    const units = ConsumedCapacity?.CapacityUnits ?? (answer.ok ? 0 : 1);
    if (READS.test(target)) readUnits += units;
    else writeUnits += units;
    tell(input, units, READS.test(target) ? 'reads' : 'writes');
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/dynamodb`,
    read: (): Capacity => ({ writeUnits, readUnits }),
    reset() {
      [writeUnits, readUnits] = [0, 0];
    },
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

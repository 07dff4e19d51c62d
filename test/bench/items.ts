import { startTestServer, type TestServer } from '../support/server/test-server.ts';
import { countCapacity } from './cost/capacity.ts';
import { costFlows } from './cost/flows.ts';
import { rounded } from './support/statistics.ts';

export interface ItemRow {
  /** The kind of login. */
  readonly flow: string;
  /** What the partition keys of the kind begin with, of a table or its index. */
  readonly kind: string;
  readonly items: number;
  /** Units of the item of the kind that took most, per login. */
  readonly writes: number;
  readonly reads: number;
}

/** Of a window: what it counts. */
const KIND = /^(?:window#[^#%]*|[^#]*#?)/;
const AT_ONCE = 16;
const CALLS_PER_MINUTE = 1_000_000;

type Key = Readonly<Record<string, { readonly S?: string }>>;
type Input = Readonly<Record<'Key' | 'Item' | 'ExpressionAttributeValues', Key | undefined>> & {
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly Key[] }>>;
};

/** Partition keys that a call names. Queries name theirs as a value. */
function keysOf({ Key, Item, ExpressionAttributeValues, RequestItems }: Input): readonly string[] {
  const keys = RequestItems
    ? Object.values(RequestItems).flatMap(({ Keys }) => Keys.map(({ pk }) => pk?.S))
    : [(Key ?? Item)?.pk?.S ?? Object.values(ExpressionAttributeValues ?? {})[0]?.S];
  return keys.filter((key) => key !== undefined);
}

/** Which key of an index an item is under is known since it was put: no update moves it. */
function listsOfItems(): (input: Input) => string {
  const lists = new Map<string, string>();
  return ({ Key, Item }) => {
    const { pk, sk } = Key ?? Item ?? {};
    const name = `${pk?.S} ${sk?.S}`;
    const listed = [Item?.list_pk?.S, Item?.find_pk?.S].filter((each) => each !== undefined);
    if (listed.length > 0) lists.set(name, listed.join(' '));
    return lists.get(name) ?? 'unknown#';
  };
}

/**
 * Logins of each kind, with what follows from their events, of as many users at one application of one tenant with one
 * resource, through one client, each function in a warm container with all windows on: which items do many of them share?
 */
export async function measureItems(logins: number): Promise<readonly ItemRow[]> {
  let server: TestServer | undefined;
  const units = new Map<string, { reads: number; writes: number }>();
  const listOf = listsOfItems();
  const add = (key: string, kind: 'reads' | 'writes', consumed: number) => {
    const sum = units.get(key) ?? { reads: 0, writes: 0 };
    sum[kind] += consumed;
    units.set(key, sum);
  };
  const capacity = await countCapacity((input, { units: all, inIndexes, kind }) => {
    const keys = keysOf(input as Input);
    const list = listOf(input as Input);
    const ofIndex = kind === 'writes' ? inIndexes : 0;
    if (ofIndex > 0) add(list, kind, ofIndex);
    for (const key of keys) add(key, kind, (all - ofIndex) / keys.length);
  });
  try {
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: capacity.url };
    const started = await startTestServer({ rateLimits: 'on', events: true, environment });
    server = started;
    const limits = { rate_limits: { calls_per_minute: CALLS_PER_MINUTE } };
    const admin = { token: await started.adminToken() };
    await started.put(`/v1/applications/${started.environment.app_id}`, limits, admin);
    const token = await started.clientToken();
    const measured: ItemRow[] = [];
    for (const flow of costFlows) {
      const ready: (() => Promise<void>)[] = [];
      for (let n = 0; n <= logins; n += 1) ready.push(await flow.prepare(started, token));
      // Warms the containers.
      await ready.pop()?.();
      await started.settleEvents();
      units.clear();
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let login = ready.pop(); login; login = ready.pop()) await login();
        }),
      );
      await started.settleEvents();
      measured.push(...rowsOf(flow.name, units, logins));
    }
    return measured;
  } finally {
    await server?.stop();
    capacity.stop();
  }
}

function rowsOf(
  flow: string,
  units: ReadonlyMap<string, { readonly reads: number; readonly writes: number }>,
  logins: number,
): ItemRow[] {
  const kinds = Map.groupBy(units, ([key]) => KIND.exec(key)?.[0] ?? '');
  return [...kinds].map(([kind, items]) => ({
    flow,
    kind,
    items: items.length,
    writes: rounded(Math.max(...items.map(([, { writes }]) => writes)) / logins, 3),
    reads: rounded(Math.max(...items.map(([, { reads }]) => reads)) / logins, 3),
  }));
}

import { createUser, newEmail } from '../support/fixtures/people.ts';
import { startTestServer, type TestServer } from '../support/server/test-server.ts';
import { countCapacity } from './cost/capacity.ts';
import { rounded } from './support/statistics.ts';

export interface ItemRow {
  /** What the partition keys of the kind begin with. */
  readonly kind: string;
  readonly items: number;
  /** Units of the item of the kind that took most, per login. */
  readonly writes: number;
  readonly reads: number;
}

const AT_ONCE = 16;
const CALLS_PER_MINUTE = 1_000_000;

type Key = Readonly<Record<string, { readonly S?: string }>>;
type Input = Readonly<Record<'Key' | 'Item' | 'ExpressionAttributeValues', Key | undefined>> & {
  readonly TransactItems?: readonly Readonly<Record<string, Input>>[];
};

/** Partition keys that a call names. Queries name theirs as a value. */
function keysOf(input: Input): readonly string[] {
  if (input.TransactItems) return input.TransactItems.flatMap((each) => Object.values(each).flatMap(keysOf));
  const key = (input.Key ?? input.Item)?.pk?.S ?? Object.values(input.ExpressionAttributeValues ?? {})[0]?.S;
  return key === undefined ? [] : [key];
}

/**
 * Logins by passcode of as many users at one application of one tenant with one resource, through one client, each function
 * in a warm container with all windows on: which items do many of them share?
 */
export async function measureItems(logins: number): Promise<ItemRow[]> {
  let server: TestServer | undefined;
  const units = new Map<string, { reads: number; writes: number }>();
  const capacity = await countCapacity(
    () => `${server?.url}/_local/aws/dynamodb`,
    (input, consumed, kind) => {
      const keys = keysOf(input as Input);
      for (const key of keys) {
        const sum = units.get(key) ?? { reads: 0, writes: 0 };
        sum[kind] += consumed / keys.length;
        units.set(key, sum);
      }
    },
  );
  try {
    const started = await startTestServer({ rateLimits: 'on' });
    server = started;
    // Functions make their clients when they are first loaded, which is after this.
    process.env.AWS_ENDPOINT_URL_DYNAMODB = capacity.url;
    const limits = { rate_limits: { calls_per_minute: CALLS_PER_MINUTE } };
    const { environment } = started;
    const admin = { token: await started.adminToken() };
    await started.put(`/v1/applications/${environment.app_id}`, limits, admin);
    const token = await started.clientToken();
    const logIn = async (email: string) => {
      const who = { identifier_type: 'email', identifier: email };
      const sent = await started.post<{ code: string }>(
        '/v1/auth/otp/send',
        { channel: 'direct', ...who },
        { token },
      );
      const guess = { ...who, passcode: sent.body.code };
      const { status } = await started.post('/v1/auth/otp/authenticate', guess, { token });
      if (status !== 200) throw new Error(`refused with ${status}`);
    };
    const people = Array.from({ length: logins + 1 }, () => newEmail('items'));
    for (const email of people) await createUser(started, { email });
    // Warms the containers.
    await logIn(people.pop() ?? '');
    units.clear();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let email = people.pop(); email !== undefined; email = people.pop()) await logIn(email);
      }),
    );
    return rowsOf(units, logins);
  } finally {
    await server?.stop();
    capacity.stop();
  }
}

function rowsOf(
  units: ReadonlyMap<string, { readonly reads: number; readonly writes: number }>,
  logins: number,
): ItemRow[] {
  const kinds = Map.groupBy(units, ([key]) => /^[^#]*#?/.exec(key)?.[0] ?? '');
  return [...kinds].map(([kind, items]) => ({
    kind,
    items: items.length,
    writes: rounded(Math.max(...items.map(([, { writes }]) => writes)) / logins, 3),
    reads: rounded(Math.max(...items.map(([, { reads }]) => reads)) / logins, 3),
  }));
}

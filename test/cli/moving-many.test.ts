import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type RowOptions, rowImporter } from '../../bin/otl/user-transfer/import-row.ts';
import { type ImportCounts, importUsers } from '../../bin/otl/user-transfer/import-users.ts';
import { createPace } from '../../bin/otl/user-transfer/pace.ts';
import { readRows } from '../../bin/otl/user-transfer/rows.ts';
import { decodeClaims } from '../support/fixtures/hosted-login.ts';
import { createForeignPasskey, login, passkeyRow, toOrigin } from '../support/fixtures/passkeys.ts';
import { logInBy } from '../support/fixtures/tokens.ts';
import { useSocialLogin } from '../support/providers/social.ts';
import { dumpTable } from '../support/server/dump.ts';
import { createRandom } from '../support/server/two-ends.ts';
import { isFull } from '../support/tools/full-run.ts';
import { FLAGS, type SoftwarePasskey } from '../support/tools/software-authenticator.ts';
import { PORTS } from './support/moving.ts';

// Imports many users. `MOVING_USERS=100000 npm test -- -w 1 test/cli/moving-many.test.ts` imports 100,000 users, which takes an
// hour.

const USERS = Number(process.env.MOVING_USERS ?? (isFull ? 200 : 80));
/** Number of imported users who log in with each factor type. */
const SAMPLE = Math.min(100, USERS / 20);
const SEED = Number(process.env.MOVING_SEED ?? 1);
/** Number of import runs that the test interrupts while rows are in progress. */
const BREAKS = isFull ? 8 : 4;
/** Maximum number of users for which the test copies the whole table and compares the copy. */
const COMPARED_MAX = 10_000;

jest.setTimeout(120_000 + USERS * 100);

const { server, upstream, social, browser, findUserId } = useSocialLogin();

const random = createRandom(SEED);
const below = (max: number) => Math.floor(random() * max);
/** Passkeys of the users who log in, by row number. All other users' passkeys have the same public key, to save time. */
const passkeys = new Map<number, SoftwarePasskey>();
const toEmail = (index: number) => `moved-${index}@example.com`;
let folder = '';
let file = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'otl-moving-'));
  file = join(folder, 'users.jsonl');
  while (passkeys.size < SAMPLE) passkeys.set(below(USERS), createForeignPasskey(toOrigin(server), 3));
  const [some] = passkeys.values();
  if (!some) throw new Error('no passkeys');
  const createRow = (index: number) => {
    const id = createHash('sha256').update(`${SEED} ${index}`).digest();
    const passkey = passkeys.get(index) ?? { ...some, id, userHandle: id.toString('base64url') };
    return {
      user_id: `old-${index}`,
      email: toEmail(index),
      email_verified: true,
      created_at: '2020-02-03T04:05:06.000Z',
      identities: [{ provider: 'google', issuer: upstream.issuer, subject: `moved-${index}` }],
      passkeys: [passkeyRow(passkey)],
    };
  };
  for (let index = 0; index < USERS; index += 1)
    writeFileSync(file, `${JSON.stringify(createRow(index))}\n`, { flag: 'a' });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Wraps ports so that call number `calls` and all later calls fail, as if the process had been killed. */
function untilCall<Ports extends object>(ports: Ports, calls: number): Ports {
  let left = calls;
  const guarded = (port: object) =>
    new Proxy(port, {
      get: (store, verb) => {
        const call = Reflect.get(store, verb) as (...given: readonly unknown[]) => unknown;
        return (...given: readonly unknown[]) => {
          left -= 1;
          return left < 0 ? Promise.reject(new Error('the machine is gone')) : call(...given);
        };
      },
    });
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [name, guarded(port as object)]),
  ) as Ports;
}

interface Run {
  readonly counts: ImportCounts;
  /** Number of the row after which the next run starts. */
  readonly done: number;
}

/** Imports users as `otl` does and interrupts the import at call number `breaksAt`. Returns the row of the last checkpoint. */
async function run(skip = 0, breaksAt = Number.POSITIVE_INFINITY): Promise<Run> {
  const ports = untilCall(await server.ports(PORTS), breaksAt);
  const { tenantRecords, applicationRecords } = await server.ports(['tenantRecords', 'applicationRecords']);
  const tenant = await tenantRecords.find(server.environment.tenant_id);
  const application = await applicationRecords.find(server.environment.app_id);
  if (!tenant || !application) throw new Error('no tenant');
  const named = [application.applicationId];
  const findRpId = () => new URL(toOrigin(server)).hostname;
  const options: RowOptions = {
    terms: { applications: [application], named, trusts: true, findRpId },
    dryRun: false,
    pace: createPace(20),
    // Waiting advances the server clock, because the reservations of an interrupted run expire after a minute.
    wait: (milliseconds) => server.advanceClock(Math.ceil(milliseconds / 1000)),
  };
  let last: Run = { counts: { created: 0, existing: 0, failed: 0 }, done: skip };
  const importing = importUsers({
    rows: readRows(file, { format: 'jsonl', mapping: new Map() }),
    importRow: rowImporter(ports, tenant, options),
    pace: options.pace,
    skip,
    onFailure: (row, message) => {
      throw new Error(`row ${row}: ${message}`);
    },
    onProgress: (done, counts) => {
      last = { done, counts: { ...counts } };
    },
  });
  if (breaksAt === Number.POSITIVE_INFINITY) await importing;
  else await expect(importing).rejects.toThrow('the machine is gone');
  return last;
}

test(`an import of ${USERS} users completes despite interruptions (seed ${SEED})`, async () => {
  let done = 0;
  for (let breaks = 0; breaks < BREAKS; breaks += 1) done = (await run(done, 20 + below(USERS))).done;
  expect(done).toBeLessThan(USERS);
  const started = performance.now();
  const rest = await run(done);
  const seconds = (performance.now() - started) / 1000;
  if (USERS > COMPARED_MAX)
    process.stderr.write(
      `${Math.round((USERS - done) / seconds)} rows a second, with the server in one process\n`,
    );
  expect(rest).toMatchObject({ done: USERS, counts: { failed: 0 } });
  const compared = () => (USERS > COMPARED_MAX ? '' : dumpTable('people'));
  const before = await compared();
  expect(await run()).toEqual({ done: USERS, counts: { created: 0, existing: USERS, failed: 0 } });
  expect(await compared()).toBe(before);
});

test(`${SAMPLE} imported users can log in by email, identity provider account and passkey in any order`, async () => {
  const { identifiers } = await server.ports(['identifiers']);
  const flags = FLAGS.USER_PRESENT | FLAGS.USER_VERIFIED;
  for (const [index, passkey] of passkeys) {
    const external = { type: `external:${server.environment.app_id}`, value: `old-${index}` };
    const userId = await identifiers.find(server.environment.tenant_id, external);
    const readSub = async (kind: number): Promise<unknown> => {
      if (kind === 0) {
        const { body } = await logInBy(server, 'email', toEmail(index));
        return decodeClaims(body.id_token).sub;
      }
      if (kind === 1) return findUserId(await social.logIn(browser(), { sub: `moved-${index}` }));
      const { body } = await login(server, passkey, { flags });
      return decodeClaims(body.id_token).sub;
    };
    const first = below(3);
    for (const kind of [0, 1, 2])
      expect([index, kind, await readSub((first + kind) % 3)]).toEqual([index, kind, userId]);
  }
});

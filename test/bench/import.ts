import { createHash, generateKeyPairSync } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { openTarget } from '../../bin/otl/target/target.ts';
import { rowImporter } from '../../bin/otl/user-transfer/import-row.ts';
import { importUsers } from '../../bin/otl/user-transfer/import-users.ts';
import { createPace } from '../../bin/otl/user-transfer/pace.ts';
import { readRows } from '../../bin/otl/user-transfer/rows.ts';
import { demo } from '../../lib/local/demo.ts';
import { startServerProcess } from './support/server-process.ts';
import { rounded } from './support/statistics.ts';

export interface ImportRow {
  readonly mode: 'dry run' | 'import' | 'import again';
  /** `moved`: with what another system has proven, a passkey and an account at a provider too. */
  readonly users: Users;
  readonly rows: number;
  readonly at_once: number;
  readonly rows_per_second: number;
  /** Of the command alone: reading, checking, signing calls, hearing answers. */
  readonly cpu_ms_per_row: number;
  readonly aws_calls_per_row: number;
  /** Resident memory of the command after each quarter of the rows. */
  readonly memory_mb: readonly number[];
}

type Users = 'new' | 'moved';

const QUARTERS = 4;
const MEGABYTE = 2 ** 20;

/** Everybody has an email address and a username: two claims and a user, three writes. */
const newRow = (index: number) => ({
  email: `person-${index}@example.com`,
  username: `person-${index}`,
  external_user_id: `e-${index}`,
  name: { first_name: 'Ann', last_name: `Person ${index}` },
  groups: ['staff'],
});

/** One key for all: the import looks at its form, and no row twice. */
const publicKey = (() => {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const bytes = (text = '') => Uint8Array.from(Buffer.from(text, 'base64url'));
  const members = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ] as const;
  return Buffer.from(isoCBOR.encode(new Map<number, number | Uint8Array>(members))).toString('base64');
})();

const movedRow = (index: number) => ({
  ...newRow(index),
  email_verified: true,
  created_at: '2020-02-03T04:05:06.000Z',
  identities: [{ provider: 'google', subject: `g-${index}` }],
  passkeys: [
    {
      credential_id: createHash('sha256').update(`${index}`).digest('base64url'),
      public_key: publicKey,
      user_handle: Buffer.from(`${index}`).toString('base64url'),
      rp_id: 'localhost',
    },
  ],
});

const ROWS = { new: newRow, moved: movedRow };

function writeRows(file: string, users: Users, count: number): void {
  const step = 10_000;
  for (let from = 0; from < count; from += step) {
    const length = Math.min(step, count - from);
    const lines = Array.from({ length }, (_, index) => `${JSON.stringify(ROWS[users](from + index))}\n`);
    writeFileSync(file, lines.join(''), { flag: 'a' });
  }
}

/** Requests that leave this process: calls to AWS, and their repetitions. */
async function countRequests<T>(
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly calls: number }> {
  let calls = 0;
  const count = () => {
    calls += 1;
  };
  subscribe('http.client.request.start', count);
  try {
    return { result: await run(), calls };
  } finally {
    unsubscribe('http.client.request.start', count);
  }
}

async function runImport(
  endpoint: string,
  file: string,
  options: Pick<ImportRow, 'mode' | 'users' | 'rows'> & { readonly atOnce: number },
): Promise<ImportRow> {
  const { mode, users, rows, atOnce } = options;
  const { ports, defaultTenantId } = await openTarget({ endpoint });
  const tenant = await ports.tenantRecords.find(defaultTenantId ?? '');
  if (!tenant) throw new Error('the local server has no tenant');
  const application = await ports.applicationRecords.find(demo.applicationId);
  if (!application) throw new Error('the local server has no application');
  const pace = createPace(atOnce);
  const terms = { applications: [application], trusts: users === 'moved', rpIdOf: () => 'localhost' };
  const memory: number[] = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  const { result, calls } = await countRequests(() =>
    importUsers({
      rows: readRows(file, { format: 'jsonl', mapping: new Map() }),
      importRow: rowImporter(ports, tenant, { dryRun: mode === 'dry run', pace, wait, terms }),
      pace,
      skip: 0,
      onFailure(row, message) {
        throw new Error(`row ${row}: ${message}`);
      },
      onProgress(done) {
        if (done < ((memory.length + 1) * rows) / QUARTERS) return;
        memory.push(Math.round(process.memoryUsage.rss() / MEGABYTE));
      },
    }),
  );
  const { created, existing } = result;
  const good = mode === 'import again' ? existing : created;
  if (good !== rows) throw new Error(`${mode}: ${created} users were made, ${existing} there already`);
  const elapsed = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return {
    mode,
    users,
    rows,
    at_once: atOnce,
    rows_per_second: Math.round((rows * 1000) / elapsed),
    cpu_ms_per_row: rounded((user + system) / 1000 / rows, 2),
    aws_calls_per_row: rounded(calls / rows, 2),
    memory_mb: memory,
  };
}

/** Imports users as `otl user import` does, in this process, into a local server of its own. */
export async function measureImport(rows: number, concurrency: readonly number[]): Promise<ImportRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'otl-bench-'));
  try {
    const results: ImportRow[] = [];
    for (const users of ['new', 'moved'] as const) {
      const file = join(folder, `${users}.jsonl`);
      writeRows(file, users, rows);
      for (const atOnce of concurrency) {
        const server = await startServerProcess({});
        try {
          for (const mode of ['dry run', 'import', 'import again'] as const)
            results.push(await runImport(server.url, file, { mode, users, rows, atOnce }));
        } finally {
          await server.stop();
        }
      }
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

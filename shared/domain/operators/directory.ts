import { isDeepStrictEqual } from 'node:util';
import type { RecordStore } from '../../ports/directory.ts';
import type { Using } from '../../ports/uses.ts';
import { operatorDirectory } from './operators.ts';

type Ports = Using<
  | 'tenantRecords.put'
  | 'applicationRecords.put'
  | 'applicationRecords.find'
  | 'applicationRecords.replace'
  | 'clientRecords.put'
  | 'clientRecords.find'
  | 'clientRecords.replace'
>;

/** Puts a record, or gives a stored one the settings of this version. */
async function ensure<T extends { readonly createdAt: number }>(
  store: Pick<RecordStore<T>, 'put' | 'find' | 'replace'>,
  id: string,
  record: T,
  settings: Partial<T> = record,
): Promise<void> {
  if (await store.put(record)) return;
  const stored = await store.find(id);
  if (!stored) return;
  const { createdAt } = stored;
  const next = { ...stored, ...settings, createdAt };
  const isSame = isDeepStrictEqual({ ...next, updatedAt: 0 }, { ...stored, updatedAt: 0 });
  // Of two at once, both would write the same.
  if (!isSame) await store.replace(stored, next);
}

/** Makes the records that operators log in by, or brings them up to date. */
export async function ensureOperatorDirectory(
  ports: Ports,
  at: number,
  consoleOrigin: string | undefined,
): Promise<void> {
  const { tenant, application, clients } = operatorDirectory(at, consoleOrigin);
  // All hashes depend on its salt: a tenant that is there stays.
  await ports.tenantRecords.put(tenant);
  const { redirectUris: _, postLogoutRedirectUris: __, ...others } = application;
  // Who does not know where the console is leaves it where it is.
  const settings = consoleOrigin === undefined ? others : application;
  await ensure(ports.applicationRecords, application.applicationId, application, settings);
  for (const client of clients) await ensure(ports.clientRecords, client.clientId, client);
}

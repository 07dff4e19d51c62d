import { isDeepStrictEqual } from 'node:util';
import type { RecordStore } from '../../ports/directory.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { operatorDirectory } from './operators.ts';

type Ports = PortsWith<
  | 'tenantRecords.put'
  | 'applicationRecords.put'
  | 'applicationRecords.find'
  | 'applicationRecords.replace'
  | 'clientRecords.put'
  | 'clientRecords.find'
  | 'clientRecords.replace'
>;

/** Stores a record, or updates the existing record to the settings of this version of the service. */
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
  // Concurrent callers write the same values.
  if (!isSame) await store.replace(stored, next);
}

/** Creates the records that operators need to log in, or updates them to the settings of this version of the service. */
export async function ensureOperatorDirectory(
  ports: Ports,
  at: number,
  consoleOrigin: string | undefined,
): Promise<void> {
  const { tenant, application, clients } = operatorDirectory(at, consoleOrigin);
  // An existing tenant is kept as it is, because all hashes depend on its salt.
  await ports.tenantRecords.put(tenant);
  const { redirectUris: _, postLogoutRedirectUris: __, ...others } = application;
  // Without a console origin, keep the stored redirect URIs.
  const settings = consoleOrigin === undefined ? others : application;
  await ensure(ports.applicationRecords, application.applicationId, application, settings);
  for (const client of clients) await ensure(ports.clientRecords, client.clientId, client);
}

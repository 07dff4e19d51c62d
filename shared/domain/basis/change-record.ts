import type { ErrorKey } from '../../errors/catalogue.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Page, PageRequest, RecordStore } from '../../ports/directory.ts';
import { CHANGE_ATTEMPTS, LIST_LIMIT_MAX } from './limits.ts';

/** Field of a change request: absent (undefined) leaves the value unchanged, null removes it. */
export type FieldChange<T> = T | null | undefined;

/** Returns the value of a field after a change request. */
export function applyChange<T>(current: T, given: FieldChange<T>): T | undefined {
  return given === undefined ? current : (given ?? undefined);
}

/** Reads a record of a tenant. Throws the error `missing` if the record does not exist or belongs to another tenant. */
export async function requireRecordOfTenant<T extends { readonly tenantId: string }>(
  store: Pick<RecordStore<T>, 'find'>,
  tenantId: string,
  id: string,
  missing: ErrorKey,
): Promise<T> {
  const record = await store.find(id);
  if (record?.tenantId !== tenantId) throw new ServiceError(missing);
  return record;
}

/**
 * Reads a record and writes the result of `change`. Starts again after a concurrent write.
 * Errors: those of `read` and `change`, `concurrent_change`.
 */
export async function changeRecord<T>(
  store: Pick<RecordStore<T>, 'replace'>,
  read: () => Promise<T>,
  change: (record: T) => T | Promise<T>,
): Promise<T> {
  for (let count = 0; count < CHANGE_ATTEMPTS; count++) {
    const record = await read();
    const next = await change(record);
    if (await store.replace(record, next)) return next;
  }
  throw new ServiceError('concurrent_change');
}

/** Iterates over all items of a paginated list. */
export async function* iterateItems<T>(list: (page: PageRequest) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const page = await list({ limit: LIST_LIMIT_MAX, ...(cursor === undefined ? {} : { cursor }) });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** Returns true if a paginated list has at least one item. */
export async function hasItems<T>(list: (page: PageRequest) => Promise<Page<T>>): Promise<boolean> {
  return (await list({ limit: 1 })).items.length > 0;
}

import { hashSecret } from '../../domain/basis/random.ts';
import type { ReservationOwners } from '../../ports/people.ts';
import { readText } from '../attributes.ts';
import { credentialKey, identifierKey } from '../keys.ts';
import type { Table } from '../table.ts';

/** Maximum number of keys per BatchGetItem call (API reference of DynamoDB). */
const KEYS_MAX = 100;

export const holders = (table: Table): ReservationOwners => ({
  async find(tenantId, identifiers, credentialIds) {
    const keys = [
      ...identifiers.map(({ type, value }) => identifierKey(tenantId, type, value)),
      ...credentialIds.map((id) => credentialKey(hashSecret(id))),
    ];
    // DynamoDB rejects a call that contains a key twice.
    const each = [...new Map(keys.map((key) => [key.pk, key])).values()];
    const found = new Map<string, string>();
    for (let from = 0; from < each.length; from += KEYS_MAX)
      for (const item of await table.getAll(each.slice(from, from + KEYS_MAX)))
        found.set(readText(item, 'pk'), readText(item, 'user_id'));
    return keys.map(({ pk }) => found.get(pk));
  },
});

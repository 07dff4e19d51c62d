import { identifierHash } from '../../../shared/domain/identifiers/identifier-hash.ts';
import { readMap } from '../../../shared/dynamo/attributes.ts';
import { connectDatabase } from '../../../shared/dynamo/database.ts';
import { codeItem } from '../../../shared/dynamo/flows/one-time-code-item.ts';
import { oneTimeCodes } from '../../../shared/dynamo/flows/one-time-codes.ts';
import { oneTimeCodeKey } from '../../../shared/dynamo/keys.ts';
import { createTable, type Table } from '../../../shared/dynamo/table.ts';
import type { OneTimeCodeKey, OneTimeCodes, StoredCode } from '../../../shared/ports/flows.ts';
import type { Identifier } from '../../../shared/ports/people.ts';
import type { TestServer } from './test-server.ts';

interface CodeState {
  /** Of all who can name the slot, as far as no network is known. */
  readonly tries: number;
  /** End of their last lock, perhaps past. */
  readonly lockedUntil?: number;
  /** The last code, perhaps expired or consumed; absent when it was revoked, and for those whom it has locked. */
  readonly code?: StoredCode;
}

/** What a slot holds, as the store has no verb to say. */
export async function codeState(table: Table, key: OneTimeCodeKey): Promise<CodeState | undefined> {
  const item = await table.get(oneTimeCodeKey(key.applicationId, key.identifierHash, key.slot));
  if (!item) return undefined;
  const entries = readMap(item, 'guessers');
  const [tries, most, until] = ['tries', 'most', 'until'].map((entry) =>
    Number(entries[`${entry}:all`] ?? 0),
  );
  const isLocked = tries !== undefined && tries > 0 && tries === most;
  const isDead = item.mac === undefined || (isLocked && entries['code:all'] === item.mac);
  return {
    tries: tries ?? 0,
    ...(isLocked && until !== undefined ? { lockedUntil: until } : {}),
    ...(isDead ? {} : { code: codeItem.read(item) }),
  };
}

/** The store of codes over a table, and what its answers to a try come to. */
export function codesIn(table: () => Table) {
  const codes = () => oneTimeCodes(table());
  type By = Parameters<OneTimeCodes['countTry']>[1];
  return {
    codes,
    async count(key: OneTimeCodeKey, by: By) {
      const outcome = await codes().countTry(key, by);
      return outcome.counted ? { triesLeft: outcome.triesLeft, code: outcome.code } : undefined;
    },
    async whyNot(key: OneTimeCodeKey, by: By) {
      const outcome = await codes().countTry(key, by);
      return outcome.counted ? 'counted' : outcome.why;
    },
    rawItem: ({ applicationId, identifierHash: hash, slot }: OneTimeCodeKey) =>
      table().get(oneTimeCodeKey(applicationId, hash, slot)),
  };
}

/** The code of a backend that asked for no request ID. */
export async function codeStateOf(
  server: TestServer,
  identifier: Identifier,
): Promise<CodeState | undefined> {
  const { tenants } = await server.ports(['tenants']);
  const { tenant_id, app_id: applicationId, client_id } = server.environment;
  const tenant = await tenants.find(tenant_id);
  if (!tenant) throw new Error('the demo tenant is missing');
  const key = {
    applicationId,
    identifierHash: identifierHash(tenant, identifier),
    slot: `client:${client_id}`,
  };
  const client = connectDatabase();
  try {
    return await codeState(createTable(client, 'flows'), key);
  } finally {
    client.destroy();
  }
}

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
  /** Number of failed attempts by callers whose network is unknown, who share one counter. */
  readonly tries: number;
  /** End of the last lockout in epoch seconds. It may have passed. */
  readonly lockedUntil?: number;
  /** Last code, which may be expired or consumed. Absent if the code was revoked, or if its attempts are used up. */
  readonly code?: StoredCode;
}

/** Reads the state of a one-time code directly from the table, because the store has no method for this. */
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

/** Returns the store for one-time codes, and functions that count an attempt and return a simplified result. */
export function codesIn(table: () => Table) {
  const codes = () => oneTimeCodes(table());
  type By = Parameters<OneTimeCodes['countAttempt']>[1];
  return {
    codes,
    async count(key: OneTimeCodeKey, by: By) {
      const outcome = await codes().countAttempt(key, by);
      return outcome.counted ? { attemptsLeft: outcome.attemptsLeft, code: outcome.code } : undefined;
    },
    async whyNot(key: OneTimeCodeKey, by: By) {
      const outcome = await codes().countAttempt(key, by);
      return outcome.counted ? 'counted' : outcome.why;
    },
    rawItem: ({ applicationId, identifierHash: hash, slot }: OneTimeCodeKey) =>
      table().get(oneTimeCodeKey(applicationId, hash, slot)),
  };
}

/** Returns the state of the code that the demo client has sent to an identifier without a request ID. */
export async function readCodeState(
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

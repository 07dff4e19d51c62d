import type { Client, ClientRecords, Clients, PublicJwk } from '../../ports/directory.ts';
import { clientFields } from '../../records/client.ts';
import { type Item, readMaps, readText } from '../attributes.ts';
import { json } from '../codec.ts';
import { createCodec } from '../codec-of.ts';
import { clientKey, listPartitions } from '../keys.ts';
import { cachedReader, type RecordStorage, recordStore } from '../record-store.ts';
import type { Table } from '../table.ts';

const readJwk = (jwk: Item): PublicJwk => ({ ...jwk, kty: readText(jwk, 'kty') });

const kind: RecordStorage<Client> = {
  key: clientKey,
  id: (client) => client.clientId,
  list: (client) => listPartitions.clients(client.applicationId ?? client.tenantId),
  toListPartition: listPartitions.clients,
  codec: createCodec(clientFields, {
    jwks: json<NonNullable<Client['jwks']>>('jwks', (set) => ({ keys: readMaps(set, 'keys').map(readJwk) })),
  }),
};

export const clients = (table: Table): Clients => cachedReader(table, kind);
export const clientRecords = (table: Table): ClientRecords => recordStore(table, kind);

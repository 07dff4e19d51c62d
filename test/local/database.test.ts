import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { callJson } from '../../lib/local/emulators/basis/call-json.ts';
import { repairIndexes } from '../../lib/local/emulators/dynamodb/repair-indexes.ts';
import { type Item, scan } from '../../lib/local/emulators/dynamodb/scan.ts';
import { createTables } from '../../lib/local/emulators/dynamodb/tables.ts';
import { deleteExpired } from '../../lib/local/emulators/dynamodb/ttl-cleanup.ts';
import { type Emulators, startEmulators } from '../../lib/local/emulators/start.ts';
import { tableLayouts } from '../../shared/dynamo/keys.ts';

let emulators: Emulators;
let endpoint = '';

async function start(dataDir?: string): Promise<void> {
  emulators = await startEmulators({ ...(dataDir !== undefined && { dataDir }) });
  endpoint = emulators.endpoint('dynamodb');
}

const put = (table: string, item: object) =>
  callJson(endpoint, 'DynamoDB_20120810.PutItem', { TableName: table, Item: item });
const listed = (name: string, time: string, version = '1') => ({
  pk: { S: `user#${name}` },
  sk: { S: 'user' },
  list_pk: { S: 'users-of#t' },
  list_sk: { S: `${time}#${name}` },
  version: { N: version },
});

async function all(table: string, index?: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of scan(endpoint, {
    TableName: table,
    ...(index !== undefined && { IndexName: index }),
  }))
    items.push(item);
  return items;
}

describe('in-memory database of the local server', () => {
  beforeEach(() => start());
  afterEach(() => emulators.stop());

  test('the local server creates each database table only once', async () => {
    expect([...(await createTables(endpoint, tableLayouts))].sort()).toEqual([
      'directory',
      'flows',
      'people',
    ]);
    expect(await createTables(endpoint, tableLayouts)).toEqual([]);
  });

  test('the TTL cleanup of the local server deletes only expired items', async () => {
    await createTables(endpoint, tableLayouts);
    const item = (name: string, purge?: object) => ({
      pk: { S: name },
      sk: { S: 'x' },
      ...(purge && { purge_at: purge }),
    });
    const before = Array.from({ length: 250 }, (_, index) => item(`due${index}`, { N: String(index) }));
    await Promise.all(before.map((each) => put('flows', each)));
    await put('flows', item('later', { N: '251' }));
    await put('flows', item('never'));
    // DynamoDB's TTL ignores attributes that are not numbers.
    await put('flows', item('text', { S: '1' }));
    expect(await deleteExpired({ endpoint, table: 'flows', attribute: 'purge_at' }, 250)).toBe(250);
    expect((await all('flows')).map(({ pk }) => pk)).toEqual(
      expect.arrayContaining([{ S: 'later' }, { S: 'never' }, { S: 'text' }]),
    );
    expect(await all('flows')).toHaveLength(3);
  });
});

describe('on-disk database of the local server', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'otl-database-'));
    await start(folder);
    await createTables(endpoint, tableLayouts);
  });
  afterEach(async () => {
    await emulators.stop();
    await rm(folder, { recursive: true });
  });

  test('the local server does not start with a data folder that another server uses', async () => {
    await expect(startEmulators({ dataDir: folder })).rejects.toMatchObject({
      cause: { code: 'LEVEL_LOCKED' },
    });
  });

  test('a local server that starts after a crash repairs inconsistent indexes', async () => {
    for (const name of ['whole', 'ghost', 'unlisted']) await put('people', listed(name, '1'));
    await put('people', { pk: { S: 'identifier#x' }, sk: { S: 'identifier' } });
    await put('people', listed('moved', '2', '2'));
    await emulators.stop();
    // Simulates a process that was killed after it wrote an item but before it wrote the index entry, and the reverse.
    await edit(join(folder, 'dynamodb'), (key) => {
      if (key.startsWith('item-people~')) return key.includes(hex('user#ghost')) ? 'delete' : undefined;
      return key.startsWith('index-') && key.includes(hex('1#unlisted')) ? 'delete' : undefined;
    });
    await start(folder);
    expect(await all('people', 'by-parent')).toHaveLength(3);
    expect(await repairIndexes(endpoint, tableLayouts)).toBe(2);
    const names = (await all('people', 'by-parent')).map(({ pk }) => (pk as { S: string }).S).sort();
    expect(names).toEqual(['user#moved', 'user#unlisted', 'user#whole']);
    expect(await all('people')).toHaveLength(4);
    expect(await repairIndexes(endpoint, tableLayouts)).toBe(0);
  });
});

const hex = (text: string) => Buffer.from(text).toString('hex');

interface Database {
  keys(): AsyncIterable<string>;
  del(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the database files with the library that dynalite uses. Deletes the keys for which `decide` returns `delete`. */
async function edit(path: string, decide: (key: string) => 'delete' | undefined): Promise<void> {
  const require = createRequire(createRequire(import.meta.url).resolve('dynalite'));
  const { Level } = require('level') as { Level: new (path: string, options: object) => Database };
  const database = new Level(path, { valueEncoding: 'json' });
  for await (const key of database.keys()) if (decide(key) === 'delete') await database.del(key);
  await database.close();
}

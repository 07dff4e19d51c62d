import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { attributesNamed } from '../../../lib/local/playground/aws-call.ts';
import { attributesOf } from '../../../lib/stacks/functions/attributes.ts';
import { type Access, accessesOf, type TablePort } from '../../../shared/dynamo/access.ts';
import { connectDatabase, type Database } from '../../../shared/dynamo/database.ts';
import { createTable, type Table } from '../../../shared/dynamo/table.ts';
import { describeStore, localConfig } from '../../support/server/store.ts';
import { directoryExercises } from './directory.ts';
import { calls, type Exercises } from './exercise.ts';
import { flowExercises } from './flows.ts';
import { peopleExercises } from './people.ts';

const exercises: Exercises = { ...directoryExercises, ...peopleExercises, ...flowExercises };

interface CallInput {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly Key?: { readonly pk?: AttributeValue };
  readonly Item?: { readonly pk?: AttributeValue };
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>>;
  readonly ReturnValues?: string;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys: readonly CallInput['Key'][] }>>;
}

/** Writes since the last `clear`, with the attributes that they name. */
const writes: { readonly call: string; readonly attributes: readonly string[]; readonly answers: string }[] =
  [];

const kindOf = (pk: string): string => (pk.includes('#') ? pk.slice(0, pk.indexOf('#') + 1) : pk);

function note(command: { readonly input: CallInput }): void {
  const { input } = command;
  const values = input.ExpressionAttributeValues ?? {};
  const action = `dynamodb:${command.constructor.name.replace(/Command$/, '')}`;
  const [[batched, batch] = []] = Object.entries(input.RequestItems ?? {});
  const place = input.IndexName ?? 'table';
  for (const key of batch?.Keys ?? [input.Key ?? input.Item]) {
    const pk = key?.pk ?? values[':pk'] ?? values[':list_pk'] ?? values[':find_pk'];
    const call = [batched ?? input.TableName, place, action, kindOf(pk?.S ?? '')].join(' ');
    calls.add(call);
    if (input.Item ?? input.Key)
      writes.push({ call, attributes: attributesNamed({ ...input }), answers: input.ReturnValues ?? 'NONE' });
  }
}

function recorded(database: Database): Database {
  const noting = (send: Database['send']): Database['send'] =>
    ((command: Parameters<Database['send']>[0]) => {
      note(command as { readonly input: CallInput });
      return send(command);
    }) as Database['send'];
  return {
    ...database,
    send: noting(database.send),
    sendUnlessOverdue: noting(database.sendUnlessOverdue),
  };
}

const declared = (accesses: readonly Access[]): readonly string[] =>
  accesses.flatMap(({ table, index, prefix, actions }) =>
    actions.map((action) => `${table} ${index ?? 'table'} ${action} ${prefix}`),
  );

/** The writes that name an attribute which no grant of their action names, or show the item in their answer. */
const beyond = (accesses: readonly Access[]) =>
  accesses.flatMap((access) => {
    const own = declared([access]);
    const attributes = attributesOf(access);
    if (!attributes) return [];
    return writes.filter(
      ({ call, answers, ...write }) =>
        own.includes(call) &&
        !/GetItem|Query/.test(call) &&
        (answers !== 'NONE' || !write.attributes.every((name) => attributes.includes(name))),
    );
  });

type AnyStore = Readonly<Record<string, (store: unknown, table: Table) => Promise<unknown>>>;
const cases = (Object.keys(exercises) as TablePort[]).flatMap((port) =>
  Object.keys(exercises[port].verbs).map((verb) => [port, verb] as const),
);

describeStore('access', (store) => {
  let client: Database;

  beforeAll(() => {
    client = recorded(connectDatabase(localConfig(store().endpoint)));
  });
  afterAll(() => client.destroy());

  test.each(cases)('of %s.%s is what is granted', async (port, verb) => {
    const accesses = accessesOf(port)[verb] ?? [];
    const { make, verbs } = exercises[port] as { make: (table: Table) => unknown; verbs: AnyStore };
    const table = createTable(client, accesses[0]?.table ?? 'flows');
    calls.clear();
    writes.length = 0;
    await verbs[verb]?.(make(table), table);
    expect([...calls].sort()).toEqual(declared(accesses).toSorted());
    expect(beyond(accesses)).toEqual([]);
  });
});

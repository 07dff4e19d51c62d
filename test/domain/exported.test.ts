import { expect, test } from '@jest/globals';
import { kinds, tenantKind } from '../../lib/operator/config/kinds.ts';
import { readExported, toExported } from '../../shared/records/exported.ts';
import type { Field, Fields } from '../../shared/records/field.ts';

const SAMPLES: Readonly<Record<Exclude<Field['kind'], 'choice' | 'record' | 'records'>, unknown>> = {
  ...{ flag: true, number: 7, date: 1_795_000_000, text: 'text', texts: ['a', 'b'], numbers: [1, 2] },
  json: { keys: [{ kty: 'EC' }] },
};

function makeSample(field: Field): unknown {
  if (field.kind === 'choice') return field.of[0];
  if (field.kind === 'record') return makeRecord(field.of);
  if (field.kind === 'records') return [makeRecord(field.of), makeRecord(field.of)];
  return SAMPLES[field.kind];
}

/** Returns a record with a sample value for each field of the record type. */
const makeRecord = (fields: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, makeSample(field)]));

/** Fields that `otl config export` omits, by record type. All other record types omit only `updatedAt`. */
const OMITTED: Readonly<Record<string, readonly string[]>> = {
  tenant: ['salt', 'updatedAt'],
  client: ['clientSecret', 'revoked', 'tokensAfter', 'updatedAt'],
  webhook: ['secretVersions', 'liveSecrets', 'secret', 'updatedAt'],
};

test.each([tenantKind, ...Object.values(kinds)].map((kind) => [kind.name, kind.fields] as const))(
  'exporting and importing a record of the type %s keeps all fields except secrets, revocations and updatedAt',
  (name, fields) => {
    const record = makeRecord(fields);
    const problems: string[] = [];
    const file: unknown = JSON.parse(JSON.stringify(toExported(fields, record)));
    const read = readExported(
      fields,
      file,
      name,
      (path, problem) => void problems.push(`${path}: ${problem}`),
    );
    expect(problems).toEqual([]);
    const omitted = OMITTED[name] ?? ['updatedAt'];
    const kept = Object.entries(record).filter(([key]) => !omitted.includes(key));
    const { secrets = [] } = read as { readonly secrets?: readonly object[] };
    expect(secrets).toEqual(
      name === 'client' ? Array(2).fill({ secretId: 'text', hash: 'text', createdAt: 1_795_000_000 }) : [],
    );
    expect({ ...read, secrets: record.secrets }).toEqual({ secrets: undefined, ...Object.fromEntries(kept) });
  },
);

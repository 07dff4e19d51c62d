import { writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { limitsNotShown, limitsTable } from './support/limits-table.ts';
import { limitsUsedByFunctions } from './support/limits-used.ts';
import { errorsTable, operationsTable } from './support/operations-table.ts';
import { generatedPart, README_FILE, readReadme, withGeneratedPart } from './support/readme.ts';

const parts = { operations: operationsTable, errors: errorsTable, limits: limitsTable } as const;

if (process.env.UPDATE_README === '1') {
  const updated = Object.entries(parts).reduce(
    (readme, [name, make]) => withGeneratedPart(readme, name, make()),
    readReadme(),
  );
  writeFileSync(README_FILE, updated);
}

test.each(Object.entries(parts))('the table of %s is up to date', (name, make) => {
  if (generatedPart(readReadme(), name) !== make())
    throw new Error(
      'README.md is out of date; to refresh it: UPDATE_README=1 npm test -- test/readme/generated',
    );
});

test('every limit that an operation knows is in the table', () => {
  expect(limitsUsedByFunctions().length).toBeGreaterThan(40);
  expect(limitsNotShown()).toEqual([]);
});

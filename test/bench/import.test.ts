import { expect, jest, test } from '@jest/globals';
import { measureImport } from './import.ts';

jest.setTimeout(120_000);

test('an import calls AWS once to look at a row, and writes no item of it twice but the hold of its passkey', async () => {
  const measured = await measureImport(20, [4]);
  // The first passkey of a run fixes the RP ID of its application.
  const calls = measured.map((each) => [`${each.users}, ${each.mode}`, Math.floor(each.aws_calls_per_row)]);
  expect(Object.fromEntries(calls)).toEqual({
    'new, dry run': 1,
    'new, import': 5,
    'new, import again': 3,
    'moved, dry run': 1,
    // Four names, a hold, the user and the last name, the credential ID and the passkey.
    'moved, import': 9,
    'moved, import again': 4,
  });
});

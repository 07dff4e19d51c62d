import { BUNDLED } from '../support/server/aws-calls.ts';
import { allEntries, forbiddenCalls, savedCalls, unusedActions } from './support/compare.ts';

// Compares the AWS calls that tests recorded in a folder with the IAM policies. Reports each function that no test called from
// its bundle, each call that is not allowed, and each permission that is unused.

const folder = process.argv[2] ?? '';
const calls = savedCalls(folder);
const bundled = savedCalls(folder, BUNDLED);
const complaints = [
  ...forbiddenCalls(allEntries, calls),
  ...unusedActions(allEntries, calls),
  ...allEntries
    .filter((entry) => !bundled[entry])
    .map((entry) => `${entry}: no test calls it out of its bundle`),
];
console.log(`${allEntries.length} functions: ${complaints.length} differences between calls and policies`);
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exitCode = 1;
}

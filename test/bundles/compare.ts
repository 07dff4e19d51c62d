import { allEntries, forbiddenCalls, savedCalls, unusedActions } from './support/compare.ts';

/**
 * Compares the calls that tests have noted in a folder with the policies: every function was called, each of its calls is
 * allowed, and nothing is allowed that none of them needs.
 */
const calls = savedCalls(process.argv[2] ?? '');
const complaints = [...forbiddenCalls(allEntries, calls), ...unusedActions(allEntries, calls)];
console.log(`${allEntries.length} functions: ${complaints.length} differences between calls and policies`);
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exitCode = 1;
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  allEntries,
  deployedFunctions,
  forbiddenCalls,
  newlyUnused,
  outlived,
  savedCalls,
  type Unused,
  unusedActions,
} from './support/compare.ts';

/** Compares the calls that tests have noted in a folder with the policies; `--record` takes what is unused as known. */
const { values, positionals } = parseArgs({
  options: { record: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const RECORD = join(import.meta.dirname, 'unused-actions.json');

const calls = savedCalls(positionals[0] ?? '');
const functions = deployedFunctions(allEntries);
const unused = unusedActions(functions, calls);
if (values.record) writeFileSync(RECORD, `${JSON.stringify(unused, undefined, 2)}\n`);
const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Unused;
const complaints = [
  ...forbiddenCalls(allEntries, calls),
  ...newlyUnused(unused, recorded),
  ...outlived(functions, recorded),
];
const left = Object.values(unused).flat().length;
console.log(`${allEntries.length} functions, ${left} of their actions allowed and unused, all of them known`);
if (complaints.length > 0) {
  console.error(complaints.join('\n'));
  process.exitCode = 1;
}

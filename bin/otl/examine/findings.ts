import type { Finding } from '../../../lib/operator/doctor/verdict.ts';
import { RefusedError } from '../terminal/failure.ts';
import type { Column, Outcome } from '../terminal/outcome.ts';

const columns: readonly Column<Finding>[] = [
  { heading: 'STATUS', text: ({ status }) => status },
  { heading: 'CHECK', text: ({ check }) => check },
  { heading: 'FOUND', text: ({ detail }) => detail, flexible: true, wraps: true },
  { heading: 'WHAT TO DO', text: ({ advice }) => advice ?? '', flexible: true, wraps: true },
];

/** Maximum line length of a report in characters, because people also read reports in logs and files. */
const LINE_WIDTH = 120;

/** Returns the suggested commands, to print them below the table. Inside a table column, the commands would be wrapped. */
function listCommands(result: readonly Finding[]): string | undefined {
  const commands = result.flatMap(({ check, command }) => (command ? [`# ${check}\n${command}`] : []));
  return commands.length === 0 ? undefined : `Commands to run:\n\n${commands.join('\n')}`;
}

/** Converts findings to a table. If a check failed, also returns the error that makes the command exit with code 1. */
export function toOutcome(
  result: readonly Finding[],
  notes: readonly string[] = [],
): {
  readonly outcome: Outcome;
  readonly broken: RefusedError | undefined;
} {
  const failed = result.filter(({ status }) => status === 'fail').length;
  const note = listCommands(result);
  return {
    outcome: {
      list: { result },
      columns,
      notes,
      width: LINE_WIDTH,
      ...(note === undefined ? {} : { note }),
    },
    broken:
      failed === 0
        ? undefined
        : new RefusedError(failed === 1 ? '1 check failed.' : `${failed} checks failed.`),
  };
}

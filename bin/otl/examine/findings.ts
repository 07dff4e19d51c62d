import type { Finding } from '../../../lib/operator/doctor/verdict.ts';
import { RefusedError } from '../terminal/failure.ts';
import type { Column, Outcome } from '../terminal/outcome.ts';

const columns: readonly Column<Finding>[] = [
  { heading: 'STATUS', text: ({ status }) => status },
  { heading: 'CHECK', text: ({ check }) => check },
  { heading: 'FOUND', text: ({ detail }) => detail, flexible: true, wraps: true },
  { heading: 'WHAT TO DO', text: ({ advice }) => advice ?? '', flexible: true, wraps: true },
];

/** Commands stand below the table, whole: in a column they would wrap. */
function commandsOf(result: readonly Finding[]): string | undefined {
  const commands = result.flatMap(({ check, command }) => (command ? [`# ${check}\n${command}`] : []));
  return commands.length === 0 ? undefined : `To type:\n\n${commands.join('\n')}`;
}

/** The findings, and the refusal that ends the command with 1 when something is broken. */
export function outcomeOf(result: readonly Finding[]): {
  readonly outcome: Outcome;
  readonly broken: RefusedError | undefined;
} {
  const failed = result.filter(({ status }) => status === 'fail').length;
  const note = commandsOf(result);
  return {
    outcome: {
      list: { result },
      columns,
      ...(note === undefined ? {} : { note }),
    },
    broken:
      failed === 0
        ? undefined
        : new RefusedError(failed === 1 ? '1 check failed.' : `${failed} checks failed.`),
  };
}

import { createInterface } from 'node:readline';
import { RefusedError, UsageError } from './failure.ts';

/**
 * Asks for confirmation on the terminal. A script has no terminal and must pass `--yes`.
 * @throws `UsageError` without a terminal; `RefusedError` if the answer is not yes.
 */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UsageError(`${question}: there is no terminal to ask for confirmation, so add --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise<string>((resolve) => {
    terminal.once('close', () => resolve('\n'));
    terminal.question(`${question}? [y/N] `, resolve);
  });
  terminal.close();
  if (answer === '\n') process.stderr.write(answer);
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new RefusedError('Cancelled. Nothing was changed.');
}

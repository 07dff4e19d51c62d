import { join } from 'node:path';

const SHIFTED_CLOCK = join(import.meta.dirname, '../runtime/shifted-clock.ts');

/** Returns the environment variables that give a child process the shifted clock and the time zone of this test run. */
function clock(): Record<string, string> {
  const { CLOCK_OFFSET_MS, TZ } = process.env;
  return {
    ...(TZ && { TZ }),
    ...(CLOCK_OFFSET_MS && { CLOCK_OFFSET_MS, NODE_OPTIONS: `--import=${SHIFTED_CLOCK}` }),
  };
}

/** Returns the environment of a child process, without the AWS accounts and settings of the developer. */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const all = Object.entries({ PATH: process.env.PATH, ...clock(), ...own });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

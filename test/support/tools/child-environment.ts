/** Variables that libfaketime reads: a clock that a run has moved is the same in its child processes. */
const CLOCK = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC'];

/** Environment for a child process without the caller's accounts and settings. */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) => ['PATH', ...CLOCK].includes(name));
  const all = [...given, ...Object.entries(own)];
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

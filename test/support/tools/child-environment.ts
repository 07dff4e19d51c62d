/** Variables of libfaketime, so that child processes share a clock that the run has moved. */
const CLOCK = ['LD_PRELOAD', 'FAKETIME', 'FAKETIME_DONT_FAKE_MONOTONIC'];

/** Returns the environment of a child process, without the caller's accounts and settings. */
export function childEnvironment(
  own: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) => ['PATH', ...CLOCK].includes(name));
  const all = [...given, ...Object.entries(own)];
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

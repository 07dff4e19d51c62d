import { commandGroups } from '../../../bin/otl/command-groups.ts';
import { environmentNames } from '../../../lib/stacks/environments/environment.ts';

const GLOBAL = { '--env': true, '--endpoint': true, '--tenant': true, '--json': false } as const;

/** The words of a command line, with quotes taken off; what stands in angle brackets is one word. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(<[^>]*>)|(\S+)/g)].map(
    ([, single, double, placeholder, plain]) => single ?? double ?? placeholder ?? plain ?? '',
  );

const flagOf = (option: string) => `--${option.split(' ')[0]}`;

const isEnvironment = (name: string) => (environmentNames as readonly string[]).includes(name);

/** What is wrong with a command line of `otl`; undefined when nothing is. */
export function complaintAbout(line: string): string | undefined {
  const words = [...wordsOf(line)].slice(1);
  const positional: string[] = [];
  const flags: string[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!word.startsWith('--')) positional.push(word);
    else {
      flags.push(word);
      if (word === '--env' && !isEnvironment(words[0] ?? '')) return `${line}: no environment ${words[0]}`;
      if (word !== '--json' && word !== '--yes') words.shift();
    }
  }
  const [name, second, ...ids] = positional;
  const alone = commandGroups.some((group) => group.name === name && group.commands[0]?.verb === name);
  const verb = alone ? name : second;
  if (name === 'verify-approval' || (name === 'doctor' && verb === undefined)) return undefined;
  if (name === 'preflight' && (verb === undefined || isEnvironment(verb))) return undefined;
  const command = commandGroups
    .find((group) => group.name === name)
    ?.commands.find((each) => each.verb === verb);
  if (!command) return `${line}: no command ${name} ${verb}`;
  const known = [
    ...Object.keys(GLOBAL),
    ...(command.fields ?? []).map(({ flag }) => `--${flag}`),
    ...Object.keys(command.options ?? {}).map(flagOf),
    ...Object.keys(command.required ?? {}).map(flagOf),
    ...(command.paged ? ['--limit', '--cursor'] : []),
    ...(command.confirm ? ['--yes'] : []),
  ];
  const missing = Object.keys(command.required ?? {})
    .map(flagOf)
    .filter((flag) => !flags.includes(flag));
  const strange = flags.filter((flag) => !known.includes(flag));
  if (missing.length + strange.length > 0) return `${line}: missing ${missing}, strange ${strange}`;
  if (ids.length > (command.id ? 1 : 0)) return `${line}: too many words`;
  return command.id === 'required' && ids.length === 0 && line.includes(' -')
    ? `${line}: names nothing`
    : undefined;
}

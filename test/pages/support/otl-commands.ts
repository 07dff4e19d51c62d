import { commandGroups } from '../../../bin/otl/command-groups.ts';
import type { Command } from '../../../bin/otl/engine/command.ts';
import { furtherCommands } from '../../../bin/otl/further-commands.ts';
import { environmentNames } from '../../../lib/stacks/environments/environment.ts';
import { listBlocks, listInlineCode } from './markdown.ts';

/** Returns the command lines of a page, from its code blocks and inline code. */
export const listCommandLines = (markdown: string): readonly string[] =>
  [
    ...listBlocks('bash', markdown).flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n')),
    ...listInlineCode(markdown),
  ]
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Returns the otl command lines of a page, in every notation of otl. */
export const listOtlLines = (markdown: string): readonly string[] =>
  listCommandLines(markdown).flatMap((line) => {
    const [, rest] = /(?:^|=\$\()(?:npx |npm run (?:--silent )?)?otl (?:-- )?(.*)/.exec(line) ?? [];
    return rest === undefined ? [] : [`otl ${rest.replace(/ [|>] ?.*| .*`$/, '')}`];
  });

/** Splits a command line into words and removes quotes. A text in angle brackets counts as one word. */
const splitWords = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(<[^>]*>)|(\S+)/g)].map(
    ([, single, double, placeholder, plain]) => single ?? double ?? placeholder ?? plain ?? '',
  );

/** Flags of a command, by name. The value is true if the flag takes a value. */
type Flags = Readonly<Record<string, boolean>>;

const GLOBAL: Flags = {
  '--env': true,
  '--endpoint': true,
  '--tenant': true,
  '--json': false,
  '--help': false,
};

/** Parses flag declarations such as `name <value>`. Angle brackets mark a required value. */
const flagsIn = (specs: readonly string[]): Flags =>
  Object.fromEntries(specs.map((spec) => [`--${spec.split(' ')[0]}`, spec.includes('<')]));

function listFlags({ fields = [], options = {}, required = {}, paged, confirm }: Command): Flags {
  const own = fields.map(({ flag, kind }) => (kind === 'flag' ? flag : `${flag} <value>`));
  const paging = paged ? ['limit <number>', 'cursor <cursor>'] : [];
  const all = [...own, ...Object.keys(options), ...Object.keys(required), ...paging];
  return flagsIn([...all, ...(confirm ? ['yes'] : [])]);
}

interface Known {
  readonly flags: Flags;
  readonly required: readonly string[];
  readonly words: number;
  readonly needsId: boolean;
}

const further = furtherCommands({ write: () => {}, colours: false }, () => {});

/** Finds the otl command with which the words begin. Returns the command and the number of words in its name. */
function find([name = '', second = '']: readonly string[]): readonly [Known, number] | undefined {
  const group = commandGroups.find((each) => each.name === name);
  const named = group?.commands.find(({ verb }) => verb === second);
  const command = named ?? group?.commands.find(({ verb, isDefault }) => verb === name || isDefault);
  if (command) {
    const required = Object.keys(command.required ?? {}).map((spec) => `--${spec.split(' ')[0]}`);
    const needsId = command.id === 'required';
    return [{ flags: listFlags(command), required, words: command.id ? 1 : 0, needsId }, named ? 2 : 1];
  }
  const outer = further.find((each) => each.name() === name);
  if (!outer) return undefined;
  const inner = outer.commands.find((each) => each.name() === second);
  const { options, registeredArguments } = inner ?? outer;
  const flags = flagsIn(options.map(({ flags: spec }) => spec.slice(2)));
  return [{ flags, required: [], words: registeredArguments.length, needsId: false }, inner ? 2 : 1];
}

const isEnvironment = (name: string) => (environmentNames as readonly string[]).includes(name);

/** Returns the mistake in an otl command line, or undefined. A line without options may just mention the command's name. */
export function complaintAbout(line: string): string | undefined {
  const [, ...words] = splitWords(line);
  const naming = words.filter(
    (word, index) => !word.startsWith('--') && GLOBAL[words[index - 1] ?? ''] !== true,
  );
  const found = find(naming);
  if (!found) {
    const isGroup = words.length === 1 && commandGroups.some(({ name }) => name === words[0]);
    const isMention = isGroup || words.every((word) => word in GLOBAL || word.startsWith('<'));
    return isMention ? undefined : `${line}: no command ${naming.join(' ')}`;
  }
  const [{ flags, required, words: most, needsId }, length] = found;
  const known = { ...GLOBAL, ...flags };
  const given = words.filter((word) => word.startsWith('--'));
  const env = words[words.indexOf('--env') + 1] ?? '';
  if (given.includes('--env') && !isEnvironment(env)) return `${line}: no environment ${env}`;
  const strange = given.filter((flag) => !Object.hasOwn(known, flag));
  const missing = given.length === 0 ? [] : required.filter((flag) => !given.includes(flag));
  if (missing.length + strange.length > 0) return `${line}: missing ${missing}, strange ${strange}`;
  const isValue = (index: number) =>
    known[words[index - 1] ?? ''] === true || ['yes', 'no'].includes(words[index] ?? '');
  const ids = words.filter((word, index) => !word.startsWith('--') && !isValue(index)).slice(length);
  if (ids.length > most) return `${line}: too many words`;
  const mentionsOption = words.at(-1)?.startsWith('--') && known[words.at(-1) ?? ''];
  return needsId && ids.length === 0 && given.length > 0 && !mentionsOption
    ? `${line}: names nothing`
    : undefined;
}

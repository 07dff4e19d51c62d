import { Command as CommanderCommand, CommanderError, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { LIST_LIMIT, LIST_LIMIT_MAX } from '../../shared/domain/basis/limits.ts';
import { readPageQuery } from '../../shared/domain/basis/paging.ts';
import { requireTenant } from '../../shared/domain/management/tenants.ts';
import { check } from '../../shared/http/parse.ts';
import type { Tenant } from '../../shared/ports/directory.ts';
import { PageQuery } from '../../shared/schemas/fields/record.ts';
import { rowOf } from './api/record-commands.ts';
import { commandGroups } from './command-groups.ts';
import { type Call, type Command, type CommandGroup, type Given, wordsOfCommand } from './engine/command.ts';
import { bodyOf, camelCase, optionOf } from './engine/fields.ts';
import { furtherCommands } from './further-commands.ts';
import type { Target } from './target/target.ts';
import { confirm } from './terminal/confirm.ts';
import { EXIT_USAGE, report, UsageError } from './terminal/failure.ts';
import type { Outcome } from './terminal/outcome.ts';
import { type Paper, printAsJson, printForPeople } from './terminal/print.ts';

const HELP_EXTRA = `
Where:
  --env names an environment in AWS. Most commands call its API: as you after
  otl login, or as a management client in OTL_CLIENT_ID and OTL_CLIENT_SECRET.
  Those without an operation use your ordinary AWS credentials:
    otl --env eu tenant list
  A local server (npm start) is named by --endpoint or OTL_ENDPOINT; the client
  of its demo tenant is then the default:
    OTL_ENDPOINT=http://localhost:3000 otl user list

Output is for people; --json prints exactly the record of the HTTP API.
Exit codes: 0 done, 1 refused, 2 wrong usage, 3 done but missing in the log of
operators. Functions keep configuration in memory for up to 60 seconds: a change
may take as long to be seen everywhere.`;

/** An ID in base64url may begin with a dash, one of 64 does. No option has a capital or an underscore in its name. */
const DASHED_ID = /^-(?=.*[A-Z_])[\w-]{15,}$/;

const EXAMPLE_WIDTH = 76;
/** The narrowest column of descriptions in the help; below it commander does not wrap. */
const DESCRIPTION_WIDTH_MIN = 20;

type Options = Readonly<Record<string, unknown>>;

/** The options of the program, as typed. */
interface Shared {
  readonly env?: string;
  readonly endpoint?: string;
  readonly tenant?: string;
  readonly json?: boolean;
}

const paper: Paper = {
  write: (text) => process.stdout.write(text),
  columns: process.stdout.columns,
  colours: process.stdout.isTTY === true && process.stdout.hasColors(),
};
const aside = (text: string) => process.stderr.write(text);

/** The arguments of a command, as typed. */
interface Typed {
  readonly id: string;
  readonly options: Options;
  readonly shared: Shared;
}

/** The argument, the body and the options of a command. */
const givenOf = (command: Command, { id, options }: Typed): Given => ({
  id,
  body: bodyOf(command.fields ?? [], options),
  option: (flag) => options[camelCase(flag)] as string | undefined,
});

async function callOf(command: Command, typed: Typed): Promise<Call & { readonly target: Target }> {
  const { shared } = typed;
  // Loaded late: help and wrong usage need no AWS SDK.
  const { openTarget } = await import('./target/target.ts');
  const target = await openTarget(shared);
  const { ports } = target;
  const given = givenOf(command, typed);
  const text = given.option;
  let tenant: Promise<Tenant> | undefined;
  return {
    target,
    ...target,
    ...given,
    async tenant() {
      const tenantId = shared.tenant ?? target.defaultTenantId;
      if (tenantId === undefined) throw new UsageError('Say for which tenant: --tenant <id>.');
      tenant ??= requireTenant(ports, tenantId);
      return tenant;
    },
    page: readPageQuery(
      check(PageQuery, {
        ...(text('limit') === undefined ? {} : { limit: text('limit') }),
        ...(text('cursor') === undefined ? {} : { cursor: text('cursor') }),
      }),
    ),
    audit: () => {},
  };
}

/** About permissions that were mistyped. The table of operations is loaded for these alone. */
async function ask(body: object): Promise<void> {
  if (!('permissions' in body || 'roles' in body)) return;
  const { questionsAbout } = await import('../../lib/operator/words/permissions.ts');
  // The command has read it by its schema.
  for (const question of questionsAbout(body as Parameters<typeof questionsAbout>[0])) aside(`${question}\n`);
}

/** Calls the API; returns undefined if the command needs AWS credentials. Errors: `RefusedError` if no caller is allowed. */
async function byApi(group: CommandGroup, command: Command, typed: Typed): Promise<Outcome | undefined> {
  const given = givenOf(command, typed);
  const operation = command.request?.operation(given);
  if (command.request === undefined || operation === undefined) return undefined;
  const { findApi, nobodyMayCall } = await import('./api/caller.ts');
  const api = await findApi(typed.shared, rowOf(operation));
  if (api) return command.request.perform(api, given);
  if (command.run) return undefined;
  throw nobodyMayCall(wordsOfCommand(group, command).join(' '), typed.shared);
}

async function perform(group: CommandGroup, command: Command, typed: Typed): Promise<void> {
  const { id, options, shared } = typed;
  if (command.confirm && options.yes !== true) await confirm(command.confirm(id));
  const print = (outcome: Outcome) => {
    if (shared.json) printAsJson(outcome, paper);
    else printForPeople(outcome, paper, aside);
  };
  const answered = await byApi(group, command, typed);
  if (answered) print(answered);
  else await byAws(group, command, typed, print);
  await ask(givenOf(command, typed).body as object);
}

async function byAws(
  group: CommandGroup,
  command: Command,
  typed: Typed,
  print: (outcome: Outcome) => void,
): Promise<void> {
  const { run } = command;
  if (!run) return;
  const { target, ...call } = await callOf(command, typed);
  if (command.changes === undefined || typed.options.dryRun === true) return print(await run(call));
  const { runAudited } = await import('./engine/run-audited.ts');
  const complain = (error: unknown) => void report(error, aside);
  await runAudited({ target, group, command: { ...command, run }, call, print, complain });
}

/** Continues a long example on the next line, in the syntax of shells. */
function folded(example: string): string {
  const lines: string[] = [''];
  for (const part of example.trimEnd().split(/ (?=--)/)) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + part.length > EXAMPLE_WIDTH) lines.push(`      ${part}`);
    else lines[lines.length - 1] = line === '' ? part : `${line} ${part}`;
  }
  return lines.join(' \\\n');
}

function addCommand(group: CommandGroup, command: Command): CommanderCommand {
  const added = new CommanderCommand(command.verb).description(command.summary);
  if (command.id === 'required')
    added.argument(command.idHelp ? '<file>' : '<id>', command.idHelp ?? `ID of the ${group.name}`);
  if (command.id === 'optional') added.argument('[id]', `ID of the ${group.name}`);
  if (command.id !== undefined) admitDashedId(added);
  for (const [flag, help] of Object.entries(command.required ?? {}))
    added.addOption(new Option(`--${flag}`, help).makeOptionMandatory());
  for (const [flag, help] of Object.entries(command.options ?? {})) added.option(`--${flag}`, help);
  for (const field of command.fields ?? []) added.addOption(optionOf(field));
  if (command.paged) {
    added.option('--limit <number>', `how many at most, 1 to ${LIST_LIMIT_MAX} (default: ${LIST_LIMIT})`);
    added.option('--cursor <cursor>', 'where the list before has ended');
  }
  if (command.confirm) added.option('--yes', 'do not ask');

  const notes = command.verb === 'update' ? ["An empty value removes a field: --language ''", ''] : [];
  const examples = command.examples.map((example) =>
    folded(`  $ otl ${wordsOfCommand(group, command).join(' ')} ${example}`),
  );
  added.addHelpText('after', ['', ...notes, 'Examples:', ...examples].join('\n'));
  return added.action(async (...given: unknown[]) => {
    const self = given.at(-1) as CommanderCommand;
    const [id = ''] = self.args;
    await perform(group, command, { id, options: self.opts(), shared: self.optsWithGlobals<Shared>() });
  });
}

/** Takes an ID that begins with a dash for an argument, as if `--` stood before it. */
function admitDashedId(command: CommanderCommand): void {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (given) => {
    const parsed = parse(given);
    const id = parsed.unknown.find((text) => DASHED_ID.test(text));
    if (id === undefined || given.includes('--')) return parsed;
    return parse([...given.filter((text) => text !== id), '--', id]);
  };
}

function addGroup(group: CommandGroup): CommanderCommand {
  const [only] = group.commands;
  if (only?.verb === group.name) return addCommand(group, only);
  const added = new CommanderCommand(group.name).description(group.summary);
  for (const command of group.commands)
    added.addCommand(addCommand(group, command), { isDefault: command.isDefault === true });
  return added;
}

function program(): CommanderCommand {
  const otl = new CommanderCommand('otl')
    .description(
      'Manages tenants, applications, clients, users, resources, organizations, members, and signing keys.',
    )
    .version(packageJson.version)
    .option('--env <name>', 'environment in AWS: sandbox, us, eu, ca, au or jp')
    .option('--endpoint <address>', 'address of a local server')
    .option('--tenant <id>', 'tenant to work in')
    .option('--json', 'print the record of the HTTP API')
    .addHelpText('after', HELP_EXTRA);
  for (const group of commandGroups) otl.addCommand(addGroup(group));
  for (const command of furtherCommands(paper, aside)) otl.addCommand(command);
  configure(otl);
  return otl;
}

/** Commander does not pass settings on to existing commands. */
function configure(command: CommanderCommand): void {
  command
    .exitOverride()
    .showHelpAfterError('(add --help for what there is)')
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: DESCRIPTION_WIDTH_MIN,
      helpWidth: Math.min(process.stdout.columns || 80, 100),
    })
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'otl: ')) });
  for (const child of command.commands) configure(child);
}

/** Runs one command line and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await program().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    return report(error, aside);
  }
}

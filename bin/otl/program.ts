import { Command as CommanderCommand, CommanderError, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { LIST_LIMIT, LIST_LIMIT_MAX } from '../../shared/domain/basis/limits.ts';
import { readPageQuery } from '../../shared/domain/basis/paging.ts';
import { requireTenant } from '../../shared/domain/management/tenants.ts';
import { check } from '../../shared/http/parse.ts';
import type { Tenant } from '../../shared/ports/directory.ts';
import { PageQuery } from '../../shared/schemas/fields/record.ts';
import { requireOperation } from './api/record-commands.ts';
import { commandGroups } from './command-groups.ts';
import {
  type Call,
  type Command,
  type CommandGroup,
  type CommandInput,
  toCommandWords,
} from './engine/command.ts';
import { buildBody, camelCase, toOption } from './engine/fields.ts';
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
  Commands that the API does not offer use your ordinary AWS credentials:
    otl --env eu tenant list
  A local server (npm start) is named by --endpoint or OTL_ENDPOINT; the client
  of its demo tenant is then the default:
    OTL_ENDPOINT=http://localhost:3000 otl user list

The output is for people; --json prints the exact record of the HTTP API.
Exit codes: 0 success, 1 rejected, 2 wrong usage, 3 success but not recorded in
the operator audit log. Functions cache the configuration for up to 60 seconds,
so a change may take that long to be visible everywhere.`;

/**
 * Pattern of IDs that begin with a dash, as one ID in 64 does. Options do not match the pattern, because they contain no
 * capitals or underscores.
 */
const DASHED_ID = /^-(?=.*[A-Z_])[\w-]{15,}$/;

const EXAMPLE_WIDTH = 76;
/** Minimum width of the description column in help texts. Commander does not wrap narrower columns. */
const DESCRIPTION_WIDTH_MIN = 20;

type Options = Readonly<Record<string, unknown>>;

/** Options that every command accepts, as the user typed them. */
interface GlobalOptions {
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

/** Arguments of a command, as the user typed them. */
interface TypedArguments {
  readonly id: string;
  readonly options: Options;
  readonly shared: GlobalOptions;
}

/** Converts typed arguments to the ID, body and options of a command. */
const toInput = (command: Command, { id, options }: TypedArguments): CommandInput => ({
  id,
  body: buildBody(command.fields ?? [], options),
  option: (flag) => options[camelCase(flag)] as string | undefined,
});

async function openCall(
  command: Command,
  typed: TypedArguments,
): Promise<Call & { readonly target: Target }> {
  const { shared } = typed;
  // The module is loaded late, because help texts and usage errors do not need the AWS SDK.
  const { openTarget } = await import('./target/target.ts');
  const target = await openTarget(shared);
  const { ports } = target;
  const given = toInput(command, typed);
  const text = given.option;
  let tenant: Promise<Tenant> | undefined;
  return {
    target,
    ...target,
    ...given,
    async tenant() {
      const tenantId = shared.tenant ?? target.defaultTenantId;
      if (tenantId === undefined) throw new UsageError('Name the tenant: --tenant <id>.');
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

/** Prints a suggestion for each unknown permission. Loads the permission list only if the body has permissions or roles. */
async function suggestPermissions(body: object): Promise<void> {
  if (!('permissions' in body || 'roles' in body)) return;
  const { questionPermissions } = await import('../../lib/operator/words/permissions.ts');
  // The body has already been validated by the schema of the command.
  for (const question of questionPermissions(body as Parameters<typeof questionPermissions>[0]))
    aside(`${question}\n`);
}

/**
 * Runs a command through the API. Returns undefined if the command must run with AWS credentials instead.
 * @throws `RefusedError` if none of the available credentials may use the operation.
 */
async function runThroughApi(
  group: CommandGroup,
  command: Command,
  typed: TypedArguments,
): Promise<Outcome | undefined> {
  const given = toInput(command, typed);
  const operation = command.request?.operation(given);
  if (command.request === undefined || operation === undefined) return undefined;
  const { findApi, noCallerError } = await import('./api/caller.ts');
  const api = await findApi(typed.shared, requireOperation(operation));
  if (api) return command.request.perform(api, given);
  if (command.run) return undefined;
  throw noCallerError(toCommandWords(group, command).join(' '), typed.shared);
}

async function perform(group: CommandGroup, command: Command, typed: TypedArguments): Promise<void> {
  const { id, options, shared } = typed;
  if (command.confirm && options.yes !== true) await confirm(command.confirm(id));
  const print = (outcome: Outcome) => {
    if (shared.json) printAsJson(outcome, paper);
    else printForPeople(outcome, paper, aside);
  };
  const answered = await runThroughApi(group, command, typed);
  if (answered) print(answered);
  else await runWithAws(group, command, typed, print);
  await suggestPermissions(toInput(command, typed).body as object);
}

async function runWithAws(
  group: CommandGroup,
  command: Command,
  typed: TypedArguments,
  print: (outcome: Outcome) => void,
): Promise<void> {
  const { run } = command;
  if (!run) return;
  const { target, ...call } = await openCall(command, typed);
  if (command.changes === undefined || typed.options.dryRun === true) return print(await run(call));
  const { runAudited } = await import('./engine/run-audited.ts');
  const complain = (error: unknown) => void report(error, aside);
  await runAudited({ target, group, command: { ...command, run }, call, print, complain });
}

/** Splits a long example into several lines that end with a backslash, so that a shell reads them as one command. */
function foldExample(example: string): string {
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
  if (command.id !== undefined) acceptDashedId(added);
  for (const [flag, help] of Object.entries(command.required ?? {}))
    added.addOption(new Option(`--${flag}`, help).makeOptionMandatory());
  for (const [flag, help] of Object.entries(command.options ?? {})) added.option(`--${flag}`, help);
  for (const field of command.fields ?? []) added.addOption(toOption(field));
  if (command.paged) {
    added.option(
      '--limit <number>',
      `maximum number of records, 1 to ${LIST_LIMIT_MAX} (default: ${LIST_LIMIT})`,
    );
    added.option('--cursor <cursor>', 'next_cursor of the previous page');
  }
  if (command.confirm) added.option('--yes', 'skip the confirmation');

  const notes = command.verb === 'update' ? ["An empty value removes a field: --language ''", ''] : [];
  const examples = command.examples.map((example) =>
    foldExample(`  $ otl ${toCommandWords(group, command).join(' ')} ${example}`),
  );
  added.addHelpText('after', ['', ...notes, 'Examples:', ...examples].join('\n'));
  return added.action(async (...given: unknown[]) => {
    const self = given.at(-1) as CommanderCommand;
    const [id = ''] = self.args;
    await perform(group, command, {
      id,
      options: self.opts(),
      shared: self.optsWithGlobals<GlobalOptions>(),
    });
  });
}

/** Makes the parser treat an ID that begins with a dash as an argument, as if `--` preceded it. */
function acceptDashedId(command: CommanderCommand): void {
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
    .option('--endpoint <url>', 'URL of a local server')
    .option('--tenant <id>', 'tenant to work in')
    .option('--json', 'print the exact record of the HTTP API')
    .addHelpText('after', HELP_EXTRA);
  for (const group of commandGroups) otl.addCommand(addGroup(group));
  for (const command of furtherCommands(paper, aside)) otl.addCommand(command);
  configure(otl);
  return otl;
}

/** Applies settings to a command and its subcommands, because commander does not pass them on to existing subcommands. */
function configure(command: CommanderCommand): void {
  command
    .exitOverride()
    .showHelpAfterError('(add --help for usage)')
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

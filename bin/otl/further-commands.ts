// Commands that belong to no command group.

import { Command } from 'commander';
import { readApproval } from './commands/verify-approval.ts';
import { personCommands } from './person/person-commands.ts';
import type { TargetOptions } from './target/service.ts';
import { UsageError } from './terminal/failure.ts';
import type { Outcome } from './terminal/outcome.ts';
import { type Paper, printAsJson, printForPeople } from './terminal/print.ts';

type Options = Readonly<Record<string, unknown>>;

interface Printing {
  readonly paper: Paper;
  readonly print: (outcome: Outcome, self: Command) => void;
}

/** Builds the command `verify-approval`, which contacts no server, because the file contains all data for the verification. */
function verifyApproval({ print }: Printing): Command {
  return new Command('verify-approval')
    .description('Verifies the signing artifacts of an approval without contacting a server')
    .argument(
      '<file>',
      'JSON file with the artifacts, or with the token response that contains them; - reads standard input',
    )
    .addHelpText('after', '\nExamples:\n  $ otl verify-approval approval.json')
    .action(async (file: string, _options: Options, self: Command) => {
      const outcome = { record: await readApproval(file) };
      print(outcome, self);
    });
}

function doctorCommand({ print }: Printing): Command {
  return new Command('doctor')
    .description(
      'Examines an environment: quotas, mail, DNS, SMS, tables, copies, keys, alarms, certificate, edge',
    )
    .option('--notify', 'also send failed checks to the receivers of the alarms')
    .addHelpText('after', '\nExamples:\n  $ otl --env eu doctor\n  $ otl --env eu doctor --notify')
    .action(async (_options: Options, self: Command) => {
      const shared = self.optsWithGlobals<TargetOptions & { notify?: boolean }>();
      const { outcome, broken } = await (await import('./examine/doctor.ts')).doctor(shared);
      print(outcome, self);
      if (broken) throw broken;
    });
}

function preflightCommand({ print }: Printing): Command {
  return new Command('preflight')
    .description('Shows what prevents a deployment, what it creates, and what that costs a month')
    .argument('[environment]', 'name of the environment; or use --env')
    .addHelpText('after', '\nExamples:\n  $ otl preflight eu\n  $ otl --env eu preflight --json')
    .action(async (environment: string | undefined, _options: Options, self: Command) => {
      const shared = self.optsWithGlobals<{ env?: string; endpoint?: string; json?: boolean }>();
      const { preflight } = await import('./examine/preflight.ts');
      const { result, plan, findings, planned, broken } = await preflight(environment, shared);
      if (shared.json) print({ record: { checks: result, plan } }, self);
      else for (const each of [planned, findings]) print(each, self);
      if (broken) throw broken;
    });
}

function logsCommand({ paper, print }: Printing): Command {
  const tail = new Command('tail')
    .description('Prints a line for each request and event until Ctrl-C')
    .option('--since <minutes>', 'minutes back to start from (default: 5)')
    .option('--once', 'print the existing lines and exit')
    .addHelpText(
      'after',
      '\nExamples:\n  $ otl logs tail\n  $ otl --env eu logs tail --since 30 --once --json',
    )
    .action(async (_options: Options, self: Command) => {
      // The parent command `logs` also has the option `--since` and receives its value. A default for `--since` that is set
      // here would also apply to `logs`.
      const { since = '5', ...options } = self.optsWithGlobals<TargetOptions & { since?: string }>();
      await (await import('./commands/logs.ts')).tailLogs({ ...options, since }, paper.write);
    });
  return new Command('logs')
    .description('Shows the log of all functions; with --request, all lines of one request')
    .option('--request <id>', 'X-Request-Id or http_request_id of a response')
    .option('--since <minutes>', 'minutes back to search (default: 1440)')
    .addHelpText('after', '\nExamples:\n  $ otl --env eu logs --request 3b1c9d0e-8f27 --since 60')
    .action(async (_options: Options, self: Command) => {
      const { since = '1440', ...options } = self.optsWithGlobals<
        TargetOptions & { since?: string; request?: string }
      >();
      const { request } = options;
      if (request === undefined)
        throw new UsageError('Name a request with --request <id>, or run otl logs tail.');
      const lines = await (await import('./commands/logs.ts')).readRequestLines({
        ...options,
        since,
        request,
      });
      const { json } = self.optsWithGlobals<{ readonly json?: boolean }>();
      if (json) paper.write(`${JSON.stringify(lines, null, 2)}\n`);
      else
        for (const [index, record] of lines.entries()) {
          if (index > 0) paper.write('\n');
          print({ record }, self);
        }
    })
    .addCommand(tail);
}

export function furtherCommands(paper: Paper, aside: (text: string) => void): readonly Command[] {
  const print = (outcome: Outcome, self: Command) => {
    if (self.optsWithGlobals<{ readonly json?: boolean }>().json) printAsJson(outcome, paper);
    else printForPeople(outcome, paper, aside);
  };
  return [
    ...personCommands(print, aside),
    verifyApproval({ paper, print }),
    preflightCommand({ paper, print }),
    doctorCommand({ paper, print }),
    logsCommand({ paper, print }),
  ];
}

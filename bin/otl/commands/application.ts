import { nouns } from '../api/nouns.ts';
import { createWithClient, KIND_OPTIONS } from '../api/own-application.ts';
import { recordCommands } from '../api/record-commands.ts';
import type { Command, CommandGroup } from '../engine/command.ts';
import { UsageError } from '../terminal/failure.ts';
import { formerSessionCommands } from '../user-transfer/former-sessions.ts';
import { linkHostCommands, preview } from './application-look.ts';
import { providerCommands } from './application-providers.ts';
import { unblockSms } from './application-sms.ts';

const { create, ...others } = recordCommands('application');

/** Command `application create`. With `--kind`, it creates the application with a client, otherwise only the application. */
const make: Command = {
  ...create,
  options: KIND_OPTIONS,
  request: {
    ...create.request,
    async perform(api, given) {
      const kind = given.option('kind');
      if (kind !== undefined) return createWithClient(api, kind, given);
      for (const other of ['address', 'dotenv'])
        if (given.option(other) !== undefined) throw new UsageError(`--${other} requires --kind.`);
      return create.request.perform(api, given);
    },
  },
};

export const application: CommandGroup = {
  name: 'application',
  summary: nouns.application.summary,
  commands: [
    make,
    ...Object.values(others),
    ...providerCommands,
    ...linkHostCommands,
    ...formerSessionCommands,
    unblockSms,
    preview,
  ],
};

import { nouns } from './api/nouns.ts';
import { recordCommands } from './api/record-commands.ts';
import { application } from './commands/application.ts';
import { changes } from './commands/changes.ts';
import { client } from './commands/client.ts';
import { config } from './commands/config.ts';
import { deviceKey } from './commands/device-key.ts';
import { firstTenant } from './commands/first-tenant.ts';
import { jobs } from './commands/jobs.ts';
import { keys } from './commands/keys.ts';
import { operator } from './commands/operator.ts';
import { resource } from './commands/resource.ts';
import { restore } from './commands/restore.ts';
import { session } from './commands/session.ts';
import { tenant } from './commands/tenant.ts';
import { user } from './commands/user.ts';
import type { CommandGroup } from './engine/command.ts';

/** Builds a group of commands that only call the API and never need AWS credentials. */
const recordGroup = (name: keyof typeof nouns): CommandGroup => ({
  name,
  summary: nouns[name].summary,
  commands: Object.values(recordCommands(name)),
});

export const commandGroups: readonly CommandGroup[] = [
  firstTenant,
  tenant,
  application,
  client,
  user,
  recordGroup('deliveries'),
  changes,
  recordGroup('statistics'),
  session,
  recordGroup('passkey'),
  deviceKey,
  resource,
  recordGroup('organization'),
  recordGroup('member'),
  recordGroup('webhook'),
  operator,
  config,
  jobs,
  keys,
  restore,
];

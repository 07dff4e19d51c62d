import { application } from './commands/application.ts';
import { client } from './commands/client.ts';
import { deviceKey } from './commands/device-key.ts';
import { firstTenant } from './commands/first-tenant.ts';
import { keys } from './commands/keys.ts';
import { member } from './commands/member.ts';
import { organization } from './commands/organization.ts';
import { passkey } from './commands/passkey.ts';
import { resource } from './commands/resource.ts';
import { restore } from './commands/restore.ts';
import { session } from './commands/session.ts';
import { tenant } from './commands/tenant.ts';
import { user } from './commands/user.ts';
import { webhook } from './commands/webhook.ts';
import type { CommandGroup } from './engine/command.ts';
import { operator } from './person/operator.ts';
import { changes } from './support/changes.ts';
import { jobs } from './support/jobs.ts';
import { statistics } from './support/statistics.ts';
import { deliveries } from './support/timeline.ts';

export const commandGroups: readonly CommandGroup[] = [
  firstTenant,
  tenant,
  application,
  client,
  user,
  deliveries,
  changes,
  statistics,
  session,
  passkey,
  deviceKey,
  resource,
  organization,
  member,
  webhook,
  operator,
  jobs,
  keys,
  restore,
];

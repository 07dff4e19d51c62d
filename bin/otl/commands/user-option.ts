// Parts of commands about a user's records. The option `--user <id>` names the user.

import { requireUser } from '../../../shared/domain/identifiers/find-user.ts';
import type { Call, CommandGroup } from '../engine/command.ts';

export const userOption = { 'user <id>': 'ID of the user' };

export const aboutUser: NonNullable<CommandGroup['about']> = ({ option }) => {
  const userId = option('user');
  return userId === undefined ? {} : { userId };
};

/** Returns the ID of the user that `--user` names. Throws `user_not_found`, also for a user of another tenant. */
export async function requireUserId({ ports, tenant, option }: Call): Promise<string> {
  return (await requireUser(ports.users, await tenant(), option('user') ?? '')).userId;
}

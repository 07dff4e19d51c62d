// Shared parts of the commands that work on the records of a user. The option `--user <id>` names the user.

import { requireUser } from '../../../shared/domain/identifiers/find-user.ts';
import type { Call, CommandGroup } from '../engine/command.ts';

export const userOption = { 'user <id>': 'ID of the user' };

export const aboutUser: NonNullable<CommandGroup['about']> = ({ option }) => {
  const userId = option('user');
  return userId === undefined ? {} : { userId };
};

/**
 * Returns the ID of the user that `--user` names. Throws `user_not_found` if the command's tenant has no such user, even if the
 * user exists in another tenant.
 */
export async function requireUserId({ ports, tenant, option }: Call): Promise<string> {
  return (await requireUser(ports.users, await tenant(), option('user') ?? '')).userId;
}

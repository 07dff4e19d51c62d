import { requireUser } from '../../../shared/domain/identifiers/find-user.ts';
import type { Call, CommandGroup } from '../engine/command.ts';

/** Commands about what belongs to a user: `--user <id>` names the user. */

export const ofUser = { 'user <id>': 'ID of the user' };

export const aboutUser: NonNullable<CommandGroup['about']> = ({ option }) => {
  const userId = option('user');
  return userId === undefined ? {} : { userId };
};

/** Errors: `user_not_found`, also for a user of another tenant. */
export async function userOf({ ports, tenant, option }: Call): Promise<string> {
  return (await requireUser(ports.users, await tenant(), option('user') ?? '')).userId;
}

import { requireUser } from '../../../shared/domain/identifiers/find-user.ts';
import type { Call, CommandGroup } from '../engine/command.ts';

/** What is a user's own: the user is named by an option. */

export const ofUser = { 'user <id>': 'ID of the user' };

export const aboutUser: NonNullable<CommandGroup['about']> = ({ option }) => {
  const userId = option('user');
  return userId === undefined ? {} : { userId };
};

/** Errors: `user_not_found`, also of a user of another tenant. */
export async function userOf({ ports, tenant, option }: Call): Promise<string> {
  return (await requireUser(ports.users, await tenant(), option('user') ?? '')).userId;
}

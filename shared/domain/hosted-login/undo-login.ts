import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import { isAskedFor } from '../credentials/open-factors.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';
import { beforeChange } from '../trust/changes.ts';
import { type Holding, kindOf } from '../trust/kinds.ts';
import { partOf } from '../trust/settle.ts';

/** Logins that undo a change which took two kinds: they give, beside the link, another kind of before the change. */

/** The user of a login, and the passkeys that count in it although they were removed. */
export interface LoginUser {
  readonly user: User | undefined;
  readonly restorable: readonly string[];
}

/** The user as the login sees them: one that undoes a change sees the account as it was before. */
export async function findLoginUser(
  users: { readonly find: (userId: string) => Promise<User | undefined> },
  { login, now }: { readonly login: { readonly request: AuthorizationRequest }; readonly now: number },
  userId: string | undefined,
): Promise<LoginUser> {
  const { undo } = login.request;
  const user = userId === undefined ? undefined : await users.find(userId);
  if (!user || !undo) return { user, restorable: [] };
  return beforeChange(user, undo.changeId, now) ?? { user: undefined, restorable: [] };
}

/** Whether these proofs give a kind of the account, beside the mailbox of the link. */
export const givesOtherKind = (holding: Holding, uses: readonly MethodUse[], place: Application): boolean =>
  uses.some((use) => {
    const part = kindOf(use.method) === 'mail' ? undefined : partOf(holding, use);
    return part !== undefined && isAskedFor(holding.user, part.trust, place);
  });

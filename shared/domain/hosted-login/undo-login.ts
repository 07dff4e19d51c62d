// Logins that undo a credential change that was made with two factor types. In addition to the link in the notice, such a login
// requires another factor type from before the change.
import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import { canAskFor } from '../credentials/open-factors.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';
import { previewUndo } from '../trust/changes.ts';
import { type AccountCredentials, toFactorType } from '../trust/factor-types.ts';
import { findUsedCredential } from '../trust/trust-gains.ts';

/** User of a login, and the IDs of removed passkeys that the login accepts because it undoes their removal. */
export interface LoginUser {
  readonly user: User | undefined;
  readonly restorable: readonly string[];
}

/** Finds the user of a login. If the login undoes a change, returns the account as it was before that change. */
export async function findLoginUser(
  users: { readonly find: (userId: string) => Promise<User | undefined> },
  { login, now }: { readonly login: { readonly request: AuthorizationRequest }; readonly now: number },
  userId: string | undefined,
): Promise<LoginUser> {
  const { undo } = login.request;
  const user = userId === undefined ? undefined : await users.find(userId);
  if (!user || !undo) return { user, restorable: [] };
  return previewUndo(user, undo.changeId, now) ?? { user: undefined, restorable: [] };
}

/**
 * Returns true if these proofs contain a factor of the account other than email. Email does not count, because the undo link
 * already proves it.
 */
export const hasOtherFactorType = (
  account: AccountCredentials,
  uses: readonly MethodUse[],
  application: Application,
): boolean =>
  uses.some((use) => {
    const part = toFactorType(use.method) === 'mail' ? undefined : findUsedCredential(account, use);
    return part !== undefined && canAskFor(account.user, part.trust, application);
  });

import type { LoginUser } from '../../domain/hosted-login/undo-login.ts';
import { TENANT } from '../../domain/trust/generations.ts';
import type { Passkey } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import type { LoginContext } from './login-context.ts';
import { newPasskeyFor } from './new-factor.ts';

/**
 * Passkeys of the user, where a factor may be missing, or one be bound; undefined where they could not be read for an offer. Only
 * after the first factor; earlier they would reveal whether the account exists (N107).
 */
export async function findPasskeys(
  ports: Using<'passkeys.listOf'>,
  context: LoginContext,
  finding: Promise<LoginUser>,
): Promise<readonly Passkey[] | undefined> {
  const { request, progress } = context.login;
  const { userId, sealedSignUp, sealedLink, proven } = progress;
  const mayCount = proven.some(({ scope, worth }) => scope !== TENANT || worth !== 'proven');
  const isAsked =
    request.requireMfa ||
    request.preferMfa ||
    request.requirePhone ||
    request.passkeyFirst ||
    request.account !== undefined;
  // What the person allows may take a second factor.
  const mayNeed = request.consent?.scopes.some(({ acr }) => acr === 'mfa') === true;
  const isNeeded = isAsked || mayNeed || sealedLink !== undefined || mayCount;
  if (userId !== undefined && request.undo) return ports.passkeys.listOf(userId, (await finding).restorable);
  const isOffer = newPasskeyFor(context) === 'offer';
  if (userId === undefined || sealedSignUp !== undefined || !(isNeeded || isOffer)) return [];
  const listed = ports.passkeys.listOf(userId);
  // An offer must not cost the login.
  return isNeeded ? listed : listed.catch(() => undefined);
}

import type { LoginUser } from '../../domain/hosted-login/undo-login.ts';
import { TENANT_WIDE } from '../../domain/trust/generations.ts';
import type { Passkey } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import type { LoginContext } from './login-context.ts';
import { findNewPasskeyReason } from './new-factor.ts';

/**
 * Returns the user's passkeys, or an empty list if this login cannot need them. Returns undefined if the passkeys could not be
 * read and the login can continue without them. Call this function only after the first factor. Before it, the use of passkeys
 * would reveal that the account exists.
 */
export async function findPasskeys(
  ports: PortsWith<'passkeys.listOf'>,
  context: LoginContext,
  finding: Promise<LoginUser>,
): Promise<readonly Passkey[] | undefined> {
  const { request, progress } = context.login;
  const { userId, sealedSignUp, sealedLink, proven } = progress;
  const mayCount = proven.some(({ scope, worth }) => scope !== TENANT_WIDE || worth !== 'proven');
  const isAsked =
    request.requireMfa ||
    request.preferMfa ||
    request.requirePhone ||
    request.passkeyFirst ||
    request.account !== undefined;
  // The scopes on the consent page can require a second factor.
  const mayNeed = request.consent?.scopes.some(({ acr }) => acr === 'mfa') === true;
  const isNeeded = isAsked || mayNeed || sealedLink !== undefined || mayCount;
  if (userId !== undefined && request.undo) return ports.passkeys.listOf(userId, (await finding).restorable);
  const isOffer = findNewPasskeyReason(context) === 'offer';
  if (userId === undefined || sealedSignUp !== undefined || !(isNeeded || isOffer)) return [];
  const listed = ports.passkeys.listOf(userId);
  // If the passkeys are only needed for an offer, a failed read must not fail the login.
  return isNeeded ? listed : listed.catch(() => undefined);
}

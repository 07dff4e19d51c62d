import { configuredChannels } from '../../domain/credentials/login-preferences.ts';
import { provenAddress } from '../../domain/identifiers/proven-address.ts';
import { isSuperseded } from '../../domain/trust/generations.ts';
import { isVerifiedIn } from '../../domain/trust/proofs.ts';
import type { User } from '../../ports/people.ts';
import type { Channel } from '../../records/channels.ts';
import { maskEmail } from '../../templates/mask.ts';
import type { LoginContext } from './login-context.ts';

interface EmailFactor {
  readonly method: Channel;
  readonly address: string;
  readonly maskedTo: string;
}

/**
 * Returns the state that verifies the email address in a login that begins with passkeys (SPEC section B, `verifications`).
 * Returns undefined if the address is already verified or cannot be verified in this login. The state comes after all states
 * that add a credential, because an unproven address must not count as a factor there.
 */
export function findEmailState(
  { tenant, application, login }: LoginContext,
  user: User | undefined,
): { readonly kind: 'email'; readonly open: readonly EmailFactor[] } | undefined {
  const { request, progress } = login;
  const { email } = user ?? {};
  if (!request.passkeyFirst || !user || !email || isVerifiedIn(user, email, application)) return undefined;
  const isGiven = provenAddress(tenant, user, progress.deliveredToHash)?.attribute === 'email';
  if (isGiven || isSuperseded(user, email)) return undefined;
  const { value: address } = email;
  const methods = configuredChannels(application, 'email');
  const open = methods.map((method) => ({ method, address, maskedTo: maskEmail(address) }));
  return open.length > 0 ? { kind: 'email', open } : undefined;
}

import { configuredChannels } from '../../domain/credentials/login-preferences.ts';
import { provenAddress } from '../../domain/identifiers/proven-address.ts';
import { isShutOut } from '../../domain/trust/generations.ts';
import { isVerified } from '../../domain/trust/proofs.ts';
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
 * B, `verifications`: email is verified by default. Undefined where the login has proven it, or nothing here can. It comes last,
 * because an address that nothing has proven before is no factor to bind with.
 */
export function emailState(
  { tenant, application, login }: LoginContext,
  user: User | undefined,
): { readonly kind: 'email'; readonly open: readonly EmailFactor[] } | undefined {
  const { request, progress } = login;
  const { email } = user ?? {};
  if (!request.passkeyFirst || !user || !email || isVerified(user, email, application)) return undefined;
  const isGiven = provenAddress(tenant, user, progress.deliveredToHash)?.attribute === 'email';
  if (isGiven || isShutOut(user, email)) return undefined;
  const { value: address } = email;
  const methods = configuredChannels(application, 'email');
  const open = methods.map((method) => ({ method, address, maskedTo: maskEmail(address) }));
  return open.length > 0 ? { kind: 'email', open } : undefined;
}

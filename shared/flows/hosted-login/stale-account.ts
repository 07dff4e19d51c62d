import { findProvidersOfAccount } from '../../domain/credentials/login-preferences.ts';
import { unsealAddress } from '../../domain/hosted-login/login-transaction.ts';
import { identityName } from '../../domain/trust/names.ts';
import { isVerifiedIn } from '../../domain/trust/proofs.ts';
import type { PendingIdentity } from '../../domain/users/sign-up.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { UpstreamAccount, User } from '../../ports/people.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { LoginContext } from './login-context.ts';

interface StaleAccount {
  readonly provider: ProviderName;
  /** Verified email address that can receive mail. During sign-up, the address that the provider has verified. */
  readonly email: string | undefined;
}

function findProvider({ application }: LoginContext, account: UpstreamAccount): ProviderName {
  const [provider = account.provider as ProviderName] = findProvidersOfAccount(application, account);
  return provider;
}

/**
 * Returns the provider at which the user's login may be too old, and the email address that the user can verify instead.
 * Returns undefined if the user no longer has an account at the provider.
 */
export function staleAccount(
  context: LoginContext,
  user: User | undefined,
  use: MethodUse,
): StaleAccount | undefined {
  const { application, browser, login } = context;
  if (user) {
    const { email, identities } = user;
    const account = identities.find((identity) => identityName(identity) === use.credential);
    if (!account) return undefined;
    const isOpen = email !== undefined && !email.undeliverable && isVerifiedIn(user, email, application);
    return { provider: findProvider(context, account), email: isOpen ? email.value : undefined };
  }
  const { sealedSignUp } = login.progress;
  if (sealedSignUp === undefined) throw new Error('a login without a user is a sign-up');
  const { identity, email } = JSON.parse(unsealAddress(browser, sealedSignUp)) as PendingIdentity;
  return { provider: findProvider(context, identity), email };
}

import { acceptsPasskeys } from '../../domain/hosted-login/login-passkey.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { LoginContext } from './login-context.ts';
import type { LoginState } from './login-state.ts';

/** Returns true if the page of a login state offers a login at the provider. */
export const canContinueAt = (state: LoginState, provider: ProviderName): boolean =>
  (state.kind === 'connect' && state.provider === provider) ||
  (state.kind === 'second-factor' && state.providers.includes(provider));

/** Returns the WebAuthn ceremony that a login state accepts, or undefined if it accepts none. */
export function acceptedCeremony(
  { application, settings }: LoginContext,
  state: LoginState,
): 'login' | 'registration' | undefined {
  if (state.kind === 'passkey') return 'registration';
  const isLogin = state.kind === 'identify' || (state.kind === 'second-factor' && state.passkey);
  return isLogin && acceptsPasskeys(application, settings) ? 'login' : undefined;
}

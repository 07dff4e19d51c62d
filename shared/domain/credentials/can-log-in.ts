import type { Application } from '../../ports/directory.ts';
import type { Passkey, User } from '../../ports/people.ts';
import { toAddressAttribute } from '../../records/channels.ts';
import { configuredChannels } from './login-preferences.ts';
import { canAskFor, linkedProviders } from './open-factors.ts';

interface UserAtApplication {
  readonly application: Application;
  readonly rpId: string;
  readonly user: User;
  readonly passkeys: readonly Passkey[];
}

/** Returns true if the user has a factor that one of the application's login methods accepts. */
export function canLogInAt({ application, rpId, user, passkeys }: UserAtApplication): boolean {
  const isGiven = (own: User['email']) => own !== undefined && !own.risk && canAskFor(user, own, application);
  return (
    configuredChannels(application).some((channel) => isGiven(user[toAddressAttribute(channel)])) ||
    passkeys.some((passkey) => passkey.rpId === rpId && canAskFor(user, passkey, application)) ||
    linkedProviders(application, user).length > 0
  );
}

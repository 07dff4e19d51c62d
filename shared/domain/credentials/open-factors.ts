import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Address, User } from '../../ports/people.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { Trust } from '../../ports/trust.ts';
import { type Channel, channels, toAddressAttribute } from '../../records/channels.ts';
import { isValidIn, toFactorType } from '../trust/factor-types.ts';
import { FIRST_GENERATION, hasValidGeneration, startsNewGeneration } from '../trust/generations.ts';
import { configuredChannels, configuredProviders, findProvidersOfAccount } from './login-preferences.ts';

/** Factor names in `error=mfa_required`, in the order in which the error lists them. */
const FACTOR_NAMES = { link: 'email', sms: 'sms', email: 'email-otp' } as const satisfies Record<
  Channel,
  string
>;

type ApplicationId = Pick<Application, 'applicationId'>;

/** Returns true if a credential may be requested as a factor. Vouched and superseded credentials may belong to an attacker. */
export const canAskFor = (user: User, trust: Trust, { applicationId }: ApplicationId): boolean =>
  trust.standing === 'proven' && hasValidGeneration(user, trust) && isValidIn(trust.scope, applicationId);

/**
 * Returns true if an address can be a second factor. An address with which the user was created need not be verified.
 * Otherwise, a new user could never log in with two factors (NIST SP 800-63B-4 §4.1.2.1).
 */
export function canBeSecondFactor(user: User, address: Address, application: ApplicationId): boolean {
  if (address.risk) return false;
  const isFirst =
    address.generation === FIRST_GENERATION &&
    (hasValidGeneration(user, address) || startsNewGeneration(user, address));
  return (
    canAskFor(user, address, application) || (isFirst && isValidIn(address.scope, application.applicationId))
  );
}

/**
 * Returns the names of the second factors that a user can still use in a login. A factor must be enabled in the application,
 * and its factor type must not be proven yet.
 */
export function findOpenFactors(
  application: Application,
  user: User | undefined,
  given: readonly MethodUse[],
): readonly string[] {
  const kinds = new Set(given.map(({ method }) => toFactorType(method)));
  const configured = configuredChannels(application);
  const messages = Object.entries(FACTOR_NAMES).flatMap(([each, name]) => {
    const channel = configured.find((one) => one === each);
    const own = channel && user?.[toAddressAttribute(channel)];
    if (!user || !own || kinds.has(toFactorType(channels[channel].method))) return [];
    return canBeSecondFactor(user, own, application) ? [name] : [];
  });
  return [...messages, ...(user && !kinds.has('social') ? linkedProviders(application, user) : [])];
}

/** Returns the application's social providers at which the user has a linked account that can be used as a factor. */
export function linkedProviders(application: Application, user: User): readonly ProviderName[] {
  const open = user.identities.filter((identity) => canAskFor(user, identity, application));
  return configuredProviders(application).filter((name) =>
    open.some((identity) => findProvidersOfAccount(application, identity).includes(name)),
  );
}

import { configuredChannels } from '../../domain/credentials/login-preferences.ts';
import { canBeSecondFactor } from '../../domain/credentials/open-factors.ts';
import { toFactorType } from '../../domain/trust/factor-types.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import { addressTypes, type Channel, channels, toAddressAttribute } from '../../records/channels.ts';
import { masks } from '../../templates/mask.ts';
import type { LoginContext } from './login-context.ts';

/** Message whose code or link can verify the missing factor, and the address to which it is sent. */
export interface MessageFactor {
  readonly method: Channel;
  readonly address: string;
  readonly maskedTo: string;
}

export const messageFactorType = (method: Channel) => addressTypes[channels[method].address].factorType;

/** Removes messages to addresses that are marked as undeliverable. */
export const withoutUndeliverable = (
  user: User | undefined,
  open: readonly MessageFactor[],
): readonly MessageFactor[] =>
  open.filter(({ method }) => !user?.[toAddressAttribute(method)]?.undeliverable);

/** Returns the messages that can be sent to the user's addresses, without those whose factor type was already used. */
export function factorsToSend(
  { application }: LoginContext,
  user: User | undefined,
  used: readonly MethodUse[],
): readonly MessageFactor[] {
  const usedKinds = new Set(used.map(({ method }) => toFactorType(method)));
  return configuredChannels(application).flatMap((method) => {
    const own = user?.[toAddressAttribute(method)];
    const isUsed = usedKinds.has(messageFactorType(method));
    if (!user || !own || isUsed || !canBeSecondFactor(user, own, application)) return [];
    const { value: address } = own;
    return [{ method, address, maskedTo: masks[channels[method].address](address) }];
  });
}

/**
 * Returns the email by which a user proves access to a mailbox, even if the application offers no login by email. Users of an
 * identity provider can thereby prove a recent login.
 */
export function mailboxFactor({ application }: LoginContext, address: string): MessageFactor {
  const [method = 'email'] = configuredChannels(application, 'email');
  return { method, address, maskedTo: masks.email(address) };
}

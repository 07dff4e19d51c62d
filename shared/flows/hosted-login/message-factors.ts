import { configuredChannels } from '../../domain/credentials/login-preferences.ts';
import { canBeGiven } from '../../domain/credentials/open-factors.ts';
import { kindOf } from '../../domain/trust/kinds.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import { addressTypes, attributeOf, type Channel, channels } from '../../records/channels.ts';
import { masks } from '../../templates/mask.ts';
import type { LoginContext } from './login-context.ts';

/** Message that can prove the missing factor, and the address that it goes to. */
export interface OpenFactor {
  readonly method: Channel;
  readonly address: string;
  readonly maskedTo: string;
}

export const kindOfMessage = (method: Channel) => addressTypes[channels[method].address].kind;

/** Removes factors whose address has returned messages as undeliverable. */
export const reached = (user: User | undefined, open: readonly OpenFactor[]): readonly OpenFactor[] =>
  open.filter(({ method }) => !user?.[attributeOf(method)]?.undeliverable);

/** Returns the messages that can prove a factor type not used yet: configured ones, to addresses that the user can give. */
export function factorsToSend(
  { application }: LoginContext,
  user: User | undefined,
  used: readonly MethodUse[],
): readonly OpenFactor[] {
  const usedKinds = new Set(used.map(({ method }) => kindOf(method)));
  return configuredChannels(application).flatMap((method) => {
    const own = user?.[attributeOf(method)];
    const isUsed = usedKinds.has(kindOfMessage(method));
    if (!user || !own || isUsed || !canBeGiven(user, own, application)) return [];
    const { value: address } = own;
    return [{ method, address, maskedTo: masks[channels[method].address](address) }];
  });
}

/** Returns the message to a mailbox, even if the application sends none, so that users of a provider are not locked out. */
export function mailboxFactor({ application }: LoginContext, address: string): OpenFactor {
  const [method = 'email'] = configuredChannels(application, 'email');
  return { method, address, maskedTo: masks.email(address) };
}

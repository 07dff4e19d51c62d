import { canBeGiven } from '../../domain/credentials/open-factors.ts';
import { kindOf } from '../../domain/trust/kinds.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import { maskEmail, maskPhoneNumber } from '../../templates/mask.ts';
import type { MessageMethod } from '../../templates/parts/methods.ts';
import type { LoginContext } from './login-context.ts';

/** Factors that a message proves. */

/** A way to give the missing factor. */
export interface OpenFactor {
  readonly method: MessageMethod;
  readonly address: string;
  readonly maskedTo: string;
}

export const METHOD_OF = { email: 'eotp', link: 'eml', sms: 'sms' } as const;

/** Configured methods of a kind not used yet, to an address of the user that can be given. */
export function factorsToSend(
  { application }: LoginContext,
  user: User | undefined,
  used: readonly MethodUse[],
): readonly OpenFactor[] {
  const usedKinds = new Set(used.map(({ method }) => kindOf(method)));
  return (['email', 'link', 'sms'] as const).flatMap((method) => {
    const own = method === 'sms' ? user?.phoneNumber : user?.email;
    const isOpen = application.loginPreferences?.[method] && !usedKinds.has(kindOf(METHOD_OF[method]));
    if (!user || !own || !isOpen || !canBeGiven(user, own, application)) return [];
    const { value: address } = own;
    return [{ method, address, maskedTo: method === 'sms' ? maskPhoneNumber(address) : maskEmail(address) }];
  });
}

/** Returns the message to a mailbox, also if the application sends none: nobody with an account at a provider alone is locked out. */
export function mailboxFactor({ application }: LoginContext, address: string): OpenFactor {
  const { email, link } = application.loginPreferences ?? {};
  return { method: link && !email ? 'link' : 'email', address, maskedTo: maskEmail(address) };
}

import { authenticationContext, kindOf } from '../../../shared/domain/mfa.ts';
import { nowSeconds } from '../../../shared/domain/time.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import type { Ports } from '../../../shared/ports/index.ts';
import { maskEmail, maskPhoneNumber } from '../../../shared/templates/mask.ts';
import type { MessageMethod } from '../../../shared/templates/pages/methods.ts';
import type { LoginContext } from './context.ts';

/** A way in which the person may give the factor that is missing. */
export interface OpenFactor {
  readonly method: MessageMethod;
  readonly address: string;
  readonly maskedTo: string;
}

/** What the browser's session proved before this login. */
export async function earlierFactors(
  ports: Pick<Ports, 'sessions'>,
  { login }: LoginContext,
): Promise<readonly MethodUse[]> {
  const { sessionId } = login.progress;
  if (sessionId === undefined) return [];
  return (await ports.sessions.find(sessionId, nowSeconds()))?.methods ?? [];
}

const METHOD_OF = { email: 'eotp', link: 'eml', sms: 'sms' } as const;

/** Methods that are configured, whose address the user has, and whose kind has not been used yet. */
export async function openFactors(
  ports: Pick<Ports, 'users'>,
  { login, application }: LoginContext,
  used: readonly MethodUse[],
): Promise<readonly OpenFactor[]> {
  const { userId } = login.progress;
  const user = userId === undefined ? undefined : await ports.users.find(userId);
  if (!user) return [];
  const usedKinds = new Set(used.map(({ method }) => kindOf(method)));
  return (['email', 'link', 'sms'] as const).flatMap((method) => {
    const address = method === 'sms' ? user.phoneNumber?.value : user.email?.value;
    const isOpen = application.loginPreferences?.[method] && !usedKinds.has(kindOf(METHOD_OF[method]));
    if (address === undefined || !isOpen) return [];
    return [{ method, address, maskedTo: method === 'sms' ? maskPhoneNumber(address) : maskEmail(address) }];
  });
}

/** Whether the login still lacks something that the request asks for. */
export function lacksFactor({ login }: LoginContext, used: readonly MethodUse[]): boolean {
  const { requireMfa, requirePhone } = login.request;
  if (requireMfa && authenticationContext(used).acr !== 'mfa') return true;
  return requirePhone && !used.some(({ method }) => method === 'sms');
}

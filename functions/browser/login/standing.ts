import { kindOf } from '../../../shared/domain/mfa.ts';
import { missingFactor } from '../../../shared/domain/sign-on.ts';
import { nowSeconds } from '../../../shared/domain/time.ts';
import { together } from '../../../shared/domain/together.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import type { Ports } from '../../../shared/ports/index.ts';
import type { User } from '../../../shared/ports/people.ts';
import { maskEmail, maskPhoneNumber } from '../../../shared/templates/mask.ts';
import type { MessageMethod } from '../../../shared/templates/pages/methods.ts';
import type { LoginContext } from './context.ts';

/** A way in which the person may give the factor that is missing. */
export interface OpenFactor {
  readonly method: MessageMethod;
  readonly address: string;
  readonly maskedTo: string;
}

export type Step =
  | { readonly is: 'identify' }
  | { readonly is: 'factor'; readonly open: readonly OpenFactor[] }
  | { readonly is: 'phone' }
  | { readonly is: 'done' }
  | { readonly is: 'denied'; readonly reason: string };

/** How far a login has come. */
export interface Standing {
  readonly step: Step;
  /** What the browser's session proved before this login. */
  readonly earlier: readonly MethodUse[];
  /** Nobody before the first factor, and while the user is still to be made. */
  readonly user: User | undefined;
}

const METHOD_OF = { email: 'eotp', link: 'eml', sms: 'sms' } as const;

/** Methods that are configured, whose address the user has, and whose kind has not been used yet. */
function openFactors(
  { application }: LoginContext,
  user: User | undefined,
  used: readonly MethodUse[],
): readonly OpenFactor[] {
  const usedKinds = new Set(used.map(({ method }) => kindOf(method)));
  return (['email', 'link', 'sms'] as const).flatMap((method) => {
    const address = method === 'sms' ? user?.phoneNumber?.value : user?.email?.value;
    const isOpen = application.loginPreferences?.[method] && !usedKinds.has(kindOf(METHOD_OF[method]));
    if (address === undefined || !isOpen) return [];
    return [{ method, address, maskedTo: method === 'sms' ? maskPhoneNumber(address) : maskEmail(address) }];
  });
}

function stepOf(context: LoginContext, user: User | undefined, used: readonly MethodUse[]): Step {
  const { request, progress } = context.login;
  if (progress.userId === undefined) return { is: 'identify' };
  const byText = progress.proven.some(({ method }) => method === 'sms');
  const hasPhone = user?.phoneNumber?.verified === true || progress.sealedPhone !== undefined || byText;
  const missing = missingFactor(request, used, hasPhone);
  if (missing === undefined) return { is: 'done' };
  const open = openFactors(context, user, used);
  if (missing === 'second-factor') {
    if (open.length > 0) return { is: 'factor', open };
    return { is: 'denied', reason: 'A second factor is required, and the user has none' };
  }
  if (!context.application.loginPreferences?.sms)
    return { is: 'denied', reason: 'A verified phone number is required, and no text messages are sent' };
  const texts = open.filter(({ method }) => method === 'sms');
  return texts.length > 0 ? { is: 'factor', open: texts } : { is: 'phone' };
}

export async function standingOf(
  ports: Pick<Ports, 'sessions' | 'users'>,
  context: LoginContext,
): Promise<Standing> {
  const { sessionId, userId, proven } = context.login.progress;
  const [session, user] = await together(
    sessionId === undefined ? Promise.resolve(undefined) : ports.sessions.find(sessionId, nowSeconds()),
    userId === undefined ? Promise.resolve(undefined) : ports.users.find(userId),
  );
  const earlier = session?.methods ?? [];
  return { step: stepOf(context, user, [...earlier, ...proven]), earlier, user };
}

import { awaitAll } from '../../domain/basis/await-all.ts';
import { nowSeconds } from '../../domain/basis/time.ts';
import { kindOf } from '../../domain/credentials/mfa.ts';
import { takesPasskeys } from '../../domain/hosted-login/login-passkey.ts';
import { hasTrustedPhone, missingFactor } from '../../domain/hosted-login/sign-on.ts';
import { relyingPartyOf } from '../../domain/passkeys/relying-party.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { maskEmail, maskPhoneNumber } from '../../templates/mask.ts';
import type { MessageMethod } from '../../templates/parts/methods.ts';
import type { LoginContext } from './login-context.ts';

/** A way in which the person may give the factor that is missing. */
export interface OpenFactor {
  readonly method: MessageMethod;
  readonly address: string;
  readonly maskedTo: string;
}

export type Step =
  | { readonly is: 'identify' }
  | { readonly is: 'factor'; readonly open: readonly OpenFactor[]; readonly passkey: boolean }
  | { readonly is: 'phone' }
  /** A passkey is offered to somebody who has logged in. */
  | { readonly is: 'passkey' }
  | { readonly is: 'done' }
  | { readonly is: 'denied'; readonly reason: string };

export type StandingPorts = Using<'sessions.find' | 'users.find' | 'passkeys.hasAny'>;

/** How far a login has come. */
export interface Standing {
  readonly step: Step;
  /** What the browser's session proved before this login. */
  readonly earlier: readonly MethodUse[];
  /** Nobody before the first factor, and while the user is still to be made. */
  readonly user: User | undefined;
}

const METHOD_OF = { email: 'eotp', link: 'eml', sms: 'sms' } as const;

/** Methods that are configured, whose address the user has and which is not at risk, and whose kind has not been used yet. */
function openFactors(
  { application }: LoginContext,
  user: User | undefined,
  used: readonly MethodUse[],
): readonly OpenFactor[] {
  const usedKinds = new Set(used.map(({ method }) => kindOf(method)));
  return (['email', 'link', 'sms'] as const).flatMap((method) => {
    const { value: address, risk } = (method === 'sms' ? user?.phoneNumber : user?.email) ?? {};
    const isOpen = application.loginPreferences?.[method] && !usedKinds.has(kindOf(METHOD_OF[method]));
    if (address === undefined || risk || !isOpen) return [];
    return [{ method, address, maskedTo: method === 'sms' ? maskPhoneNumber(address) : maskEmail(address) }];
  });
}

/** A passkey where the person begins with one and has used none; who goes on without has said so. */
function offersPasskey({ login, application, settings }: LoginContext): boolean {
  const { request, progress } = login;
  const isWanted = request.passkeyFirst && progress.offered === undefined;
  const isUsed = progress.proven.some(({ method }) => method === 'webauthn');
  return isWanted === true && !isUsed && takesPasskeys(application, settings);
}

interface Person {
  /** Nobody before the first factor, and while the user is still to be made. */
  readonly user: User | undefined;
  readonly used: readonly MethodUse[];
  readonly hasPasskey: boolean;
}

function stepOf(context: LoginContext, { user, used, hasPasskey: passkey }: Person): Step {
  const { request, progress } = context.login;
  if (request.enrolment) return progress.newPasskey ? { is: 'done' } : { is: 'passkey' };
  if (progress.userId === undefined) return { is: 'identify' };
  const byText = progress.proven.some(({ method }) => method === 'sms');
  if (byText && user?.phoneNumber?.risk)
    return { is: 'denied', reason: 'Text messages prove nothing for now' };
  const hasPhone = hasTrustedPhone(user) || progress.sealedPhone !== undefined || byText;
  const missing = missingFactor(request, used, hasPhone);
  if (missing === undefined) return offersPasskey(context) ? { is: 'passkey' } : { is: 'done' };
  const open = openFactors(context, user, used);
  if (missing === 'second-factor') {
    if (open.length > 0 || passkey) return { is: 'factor', open, passkey };
    return { is: 'denied', reason: 'A second factor is required, and the user has none' };
  }
  if (!context.application.loginPreferences?.sms)
    return { is: 'denied', reason: 'A verified phone number is required, and no text messages are sent' };
  const texts = open.filter(({ method }) => method === 'sms');
  return texts.length > 0 ? { is: 'factor', open: texts, passkey: false } : { is: 'phone' };
}

/** The step of a login in which nobody has given a factor yet. */
export const firstStep = (context: LoginContext): Step =>
  stepOf(context, { user: undefined, used: [], hasPasskey: false });

/** Asked only of somebody who has given a factor: before that nothing may tell what anybody has (N107). */
async function mayUsePasskey(ports: StandingPorts, { login, application, settings }: LoginContext) {
  const { userId } = login.progress;
  if (userId === undefined || !login.request.requireMfa || !takesPasskeys(application, settings))
    return false;
  return ports.passkeys.hasAny(userId, relyingPartyOf(application, settings).rpId);
}

export async function standingOf(ports: StandingPorts, context: LoginContext): Promise<Standing> {
  const { sessionId, userId, proven } = context.login.progress;
  const [session, user, has] = await awaitAll(
    sessionId === undefined ? Promise.resolve(undefined) : ports.sessions.find(sessionId, nowSeconds()),
    userId === undefined ? Promise.resolve(undefined) : ports.users.find(userId),
    mayUsePasskey(ports, context),
  );
  const earlier = session?.methods ?? [];
  const used = [...earlier, ...proven];
  const hasPasskey = has && !used.some(({ method }) => method === 'webauthn');
  return { step: stepOf(context, { user, used, hasPasskey }), earlier, user };
}

/** What an authenticator may sign at this step, if anything. */
export function ceremonyOf(
  { application, settings }: LoginContext,
  step: Step,
): 'login' | 'registration' | undefined {
  if (step.is === 'passkey') return 'registration';
  const isLogin = step.is === 'identify' || (step.is === 'factor' && step.passkey);
  return isLogin && takesPasskeys(application, settings) ? 'login' : undefined;
}

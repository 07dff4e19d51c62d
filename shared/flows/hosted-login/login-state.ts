import { awaitAll } from '../../domain/basis/await-all.ts';
import { findHeldSession } from '../../domain/basis/browser.ts';
import { PROVIDER_SKEW_SECONDS } from '../../domain/basis/limits.ts';
import { sendsTo } from '../../domain/credentials/login-preferences.ts';
import { isAskedFor, linkedProviders } from '../../domain/credentials/open-factors.ts';
import { lackForAccount } from '../../domain/hosted-login/account-login.ts';
import { lossToTell } from '../../domain/hosted-login/announced-loss.ts';
import { takesPasskeys } from '../../domain/hosted-login/login-passkey.ts';
import {
  freshFactors,
  hasTrustedPhone,
  maxAgeOfLogin,
  missingFactor,
} from '../../domain/hosted-login/sign-on.ts';
import { findLoginUser, givesOtherKind } from '../../domain/hosted-login/undo-login.ts';
import type {
  AccountNeeds,
  AskedScope,
  AuthorizationRequest,
} from '../../domain/oauth/authorization-request.ts';
import { leadsToComputer } from '../../domain/operators/operators.ts';
import { relyingPartyOf } from '../../domain/passkeys/relying-party.ts';
import { sessionAt } from '../../domain/sessions/session.ts';
import { configuredProviders, isProvider } from '../../domain/social/provider.ts';
import { type BindingLogin, lackForBinding } from '../../domain/trust/binding.ts';
import { isOver, TENANT } from '../../domain/trust/generations.ts';
import { countsInTenant, kindOf, kindsOf, needsCompany } from '../../domain/trust/kinds.ts';
import { freshProofs } from '../../domain/trust/lack.ts';
import { isShownSince } from '../../domain/trust/login-time.ts';
import type { PowerPorts } from '../../domain/trust/power.ts';
import { mailboxProof } from '../../domain/trust/proofs.ts';
import { type Settled, settledOf, usesAfter } from '../../domain/trust/settle.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Address, Passkey, User, Wait } from '../../ports/people.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { Using } from '../../ports/uses.ts';
import { openScopes, withAnswer } from './consent-state.ts';
import { emailState } from './email-state.ts';
import { findPasskeys } from './find-passkeys.ts';
import type { LoginContext } from './login-context.ts';
import { factorsToSend, kindOfMessage, mailboxFactor, type OpenFactor, reached } from './message-factors.ts';
import {
  isByPasskey,
  isSigningUp,
  mayEnrol,
  newPasskeyFor,
  replacedFactor,
  secondFactor,
} from './new-factor.ts';
import { staleAccount } from './stale-account.ts';

/**
 * The hosted login is a state machine. The state is never stored: it follows from the request and the proofs so far.
 *
 *     authorize          step-up from a session         passkey registration
 *         │                        │                             │
 *         ▼                        ▼                             ▼
 *     identify ─────────▶ second-factor ─────▶ number ─────▶ passkey ─────▶ email ─────▶ done
 *         │                        │              │
 *         └────────────────────────┴──────────────┴────────▶ denied
 *
 * A state that the request or the application does not ask for is skipped, as are `loss`, `consent` and `command-line` before `done`. What the
 * person allows there may take a second factor. In `identify`, `second-factor`, `number` and `email` a code or link may be
 * pending: the page then asks for it. Every proof goes through `resolve`, then `advance`.
 */
export type LoginState =
  /** No factor yet. */
  | { readonly kind: 'identify' }
  /** A second factor, or a text to the number on record, is missing; `open` and `passkey` are the ways to give it. */
  | SecondFactorState
  /** The request wants a verified phone number, and the user has none; or it becomes the second factor. */
  | { readonly kind: 'number' }
  /** The user gives another email address or number, from the account page. */
  | { readonly kind: 'new-email' | 'number'; readonly replaces: Address | undefined }
  /** The user connects an account at the provider, from the account page. */
  | { readonly kind: 'connect'; readonly provider: ProviderName }
  /** The login has what it takes to link the account at the provider that it began with. */
  | { readonly kind: 'link' }
  /**
   * The user may make a passkey, or must (passkey registration). `isOffer`: the login asked for none and ends here.
   * `isFactor`: it becomes the second factor, `last` where nothing else can.
   */
  | { readonly kind: 'passkey'; readonly isOffer: boolean; readonly isFactor?: 'first' | 'last' }
  /** The request wants a verified email address, and that of the user is not; `open` are the ways to prove it. */
  | { readonly kind: 'email'; readonly open: readonly OpenFactor[] }
  /** Something was said to be lost: the person sees it once, and may stop it. */
  | { readonly kind: 'loss'; readonly wait: Wait }
  /** A client by document asks for these. */
  | { readonly kind: 'consent'; readonly scopes: readonly AskedScope[] }
  /** An operator confirms that a program on their computer may act as them. */
  | { readonly kind: 'command-line' }
  | { readonly kind: 'done' }
  /** `isTooFew`: another application offers what is missing. */
  | { readonly kind: 'denied'; readonly reason: string; readonly isTooFew?: true };

interface SecondFactorState {
  readonly kind: 'second-factor';
  readonly open: readonly OpenFactor[];
  readonly passkey: boolean;
  /** Where the user has an account. */
  readonly providers: readonly ProviderName[];
  /** For a new passkey, which the user may do without. */
  readonly isOptional: boolean;
  /** The provider that did not show a login as fresh as the request demands. */
  readonly stale?: ProviderName;
}

export type StatePorts = PowerPorts &
  Using<'sessions.find' | 'users.find' | 'passkeys.listOf' | 'consents.find'>;

/** The state of a login, and what it was derived from. */
export interface CurrentState {
  readonly state: LoginState;
  /** Proofs of the browser's session from before this login. */
  readonly earlier: readonly MethodUse[];
  /** Undefined until the first factor, and during sign-up. */
  readonly user: User | undefined;
  /** The login as one that may bind. Undefined without a user. */
  readonly binding: BindingLogin | undefined;
  /** The proofs of this login, with the worth that settling has given them. */
  readonly given: readonly MethodUse[];
  readonly settled: readonly Settled[];
  /** What the login binds next becomes its second factor. */
  readonly enrols: boolean;
  /** With what the person has allowed its client, in this login or before. */
  readonly request: AuthorizationRequest;
}

interface Known {
  readonly user: User | undefined;
  readonly used: readonly MethodUse[];
  /** The session that the login adds to lives, and no other secret has come since. */
  readonly isHeld: boolean;
  /** All of the user, where a factor may be missing. */
  readonly passkeys: readonly Passkey[];
  /** Whether the passkeys could be read. */
  readonly isRead: boolean;
  /** The person may make the second factor in this login. */
  readonly enrols: boolean;
}

/** The passkeys that the application can ask for. */
function passkeysAsked(
  { application, settings }: LoginContext,
  { user, passkeys }: Known,
): readonly Passkey[] {
  const { rpId } = relyingPartyOf(application, settings);
  return passkeys.filter(
    (passkey) => user && passkey.rpId === rpId && isAskedFor(user, passkey, application),
  );
}

/** The page with the ways to add a factor to those used; undefined when there is none. */
function askBeside(
  context: LoginContext,
  known: Known,
  used: readonly MethodUse[],
  isOptional = false,
): SecondFactorState | undefined {
  const { application, settings } = context;
  // What the login has made itself is still to be given.
  const given = used.filter(({ worth }) => worth !== 'enrolled');
  const kinds = new Set(given.map(({ method }) => kindOf(method)));
  const { user } = known;
  const canGive = passkeysAsked(context, known).length > 0;
  const passkey = canGive && !kinds.has('passkey') && takesPasskeys(application, settings);
  const providers = user && !kinds.has('social') ? linkedProviders(application, user) : [];
  const open = factorsToSend(context, user, given);
  const isOpen = open.length > 0 || passkey || providers.length > 0;
  return isOpen ? { kind: 'second-factor', open, passkey, providers, isOptional } : undefined;
}

/** Whether the state leads to this provider. */
export const leadsTo = (state: LoginState, provider: ProviderName): boolean =>
  (state.kind === 'connect' && state.provider === provider) ||
  (state.kind === 'second-factor' && state.providers.includes(provider));

/** Whether these ways make two kinds with the factors used. */
function countsWith({ open, passkey, providers }: SecondFactorState, used: readonly MethodUse[]): boolean {
  const more = new Set(open.map(({ method }) => kindOfMessage(method))).size;
  return kindsOf(used).size + more + Number(passkey) + Number(providers.length > 0) > 1;
}

/** The factor that a login needs before it may bind; undefined when it needs none. */
function stepUpState(
  context: LoginContext,
  known: Known,
  proofs: readonly MethodUse[] = known.used,
): SecondFactorState | 'missing' | undefined {
  const { application, login, now: at } = context;
  const { user, passkeys } = known;
  // During sign-up there is nothing to take over.
  if (!user) return undefined;
  if (!lackForBinding({ application, passkeys, user, proofs, at })) return undefined;
  const isOptional = login.progress.sealedLink === undefined && !login.request.requirePhone;
  return askBeside(context, known, freshProofs(application, proofs, at), isOptional) ?? 'missing';
}

/** In place of a new passkey: one that counts at this application alone counts in the tenant once it is given here. */
function confirmState(context: LoginContext, known: Known): SecondFactorState | undefined {
  const isLimited = passkeysAsked(context, known).some(({ scope }) => scope !== TENANT);
  return isLimited ? askBeside(context, known, known.used, true) : undefined;
}

/** Before the account at a provider is linked. Its word for the mailbox counts like a code. */
function linkState(context: LoginContext, known: Known): LoginState {
  const { proven } = context.login.progress;
  const at = proven.find(({ method }) => method === 'social')?.at ?? context.now;
  const step = stepUpState(context, known, [...known.used, mailboxProof(at)]);
  if (step === 'missing') return { kind: 'denied', reason: 'An account with this address exists' };
  return step ?? { kind: 'link' };
}

/** What the application does not offer, and the account has, would be made or taken without being asked for. */
const TOO_FEW: LoginState = {
  kind: 'denied',
  reason: 'The application offers too few of the ways to log in that the user has',
  isTooFew: true,
};

/** On the way to the account page: what is needed there, then what is added. */
function accountState(context: LoginContext, known: Known, { login: needs, adds }: AccountNeeds): LoginState {
  const { application, settings, login, now: at } = context;
  const { user, passkeys, used } = known;
  const { offered, sealedPhone, addedEmail, connected } = login.progress;
  // What was added may be one more kind, which this login did not have to bring.
  if (offered || addedEmail || connected || sealedPhone !== undefined) return { kind: 'done' };
  if (user && lackForAccount({ application, passkeys, user, proofs: used, at }, needs)) {
    const counted = used.filter((use) => countsInTenant(use) && use.worth === 'proven');
    const beside = needs === 'session' ? counted : freshProofs(application, counted, at);
    return askBeside(context, known, beside) ?? TOO_FEW;
  }
  if (adds === 'email' && sendsTo(application, 'email')) return { kind: 'new-email', replaces: user?.email };
  if (adds === 'phone' && sendsTo(application, 'phone_number'))
    return { kind: 'number', replaces: user?.phoneNumber };
  if (isProvider(adds) && configuredProviders(application).includes(adds))
    return { kind: 'connect', provider: adds };
  const isOpen = adds === 'passkey' && takesPasskeys(application, settings);
  return isOpen ? { kind: 'passkey', isOffer: false } : { kind: 'done' };
}

/** An offer asks for no more proof than was given, and is made to nobody who came with a passkey. */
const isOfferedTo = ({ used, isRead }: Known) => isRead && !used.some(isByPasskey);

/** The second factor of a person who signs up, or may enrol one with a fresh proof. */
function madeFactor(context: LoginContext, known: Known): LoginState | undefined {
  const { application, login, now: at } = context;
  const { user, used, passkeys, enrols } = known;
  if (!enrols && !isSigningUp(login)) return undefined;
  const lacks = user && lackForBinding({ application, passkeys, user, proofs: used, at });
  return lacks ? askBeside(context, known, freshProofs(application, used, at)) : secondFactor(context, used);
}

/** The page that asks for a second factor; undefined where the request only prefers one, and the user has none. */
function secondFactorState(context: LoginContext, known: Known): LoginState | undefined {
  const { user, used } = known;
  const isAlone = needsCompany(used);
  // What is shut out may be an attacker's: it recovers nothing.
  const replaced = isAlone ? undefined : replacedFactor(context, user);
  if (replaced) return replaced;
  const ask = askBeside(context, known, used);
  if (ask && (isAlone || countsWith(ask, used))) return ask;
  const made = isAlone ? undefined : madeFactor(context, known);
  if (made) return made;
  if (!isAlone && !context.login.request.requireMfa) return undefined;
  return { kind: 'denied', reason: 'A second factor is required, and the user has none' };
}

/**
 * Asks for another factor if the login at a provider is not shown to be as fresh as the request demands; without one for a code to the
 * mailbox of the account, without a mailbox for the provider again.
 */
function staleState(context: LoginContext, known: Known): LoginState | undefined {
  const { application, login } = context;
  const { request, progress, transaction } = login;
  const use = progress.proven.findLast(({ method }) => method === 'social');
  const maxAge = maxAgeOfLogin(request, application, progress.held !== undefined);
  if (!use || maxAge === undefined) return undefined;
  if (isShownSince(known.used, transaction.startedAt - maxAge - PROVIDER_SKEW_SECONDS)) return undefined;
  const account = staleAccount(context, known.user, use);
  if (!account) return { kind: 'denied', reason: 'The account at the provider was disconnected' };
  const { email, provider } = account;
  const asked = askBeside(context, known, [use]);
  // No message goes to an address that mail came back from.
  const messages = reached(known.user, asked?.open ?? []);
  const passkey = asked?.passkey ?? false;
  const open =
    messages.length > 0 || passkey || email === undefined ? messages : [mailboxFactor(context, email)];
  return {
    kind: 'second-factor',
    open,
    passkey,
    providers: open.length === 0 && configuredProviders(application).includes(provider) ? [provider] : [],
    isOptional: false,
    stale: provider,
  };
}

function stateOf(context: LoginContext, known: Known): LoginState {
  const { user, used, isHeld } = known;
  const { request, progress } = context.login;
  if (request.undo) return undoState(context, known);
  if (request.enrolment) return progress.newPasskey ? { kind: 'done' } : { kind: 'passkey', isOffer: false };
  if (progress.userId === undefined) return { kind: 'identify' };
  // A copy of the cookie may have begun this login, to be lifted by a factor that the person gives elsewhere.
  if (!isHeld) return { kind: 'denied', reason: 'The login session has ended' };
  const byText = progress.proven.some(({ method }) => kindOf(method) === 'phone');
  if (byText && user?.phoneNumber?.risk)
    return { kind: 'denied', reason: 'Text messages prove nothing for now' };
  if (user && isOver(user, progress))
    return { kind: 'denied', reason: 'Another has proven an address of the user since' };
  if (progress.sealedLink !== undefined) return linkState(context, known);
  const hasPhone = hasTrustedPhone(user, context.application) || progress.sealedPhone !== undefined || byText;
  const missing = missingFactor(request, used, hasPhone);
  const second = missing === 'second-factor' ? secondFactorState(context, known) : undefined;
  const asked = second ?? staleState(context, known);
  if (asked) return asked;
  if (missing !== 'phone') {
    if (request.account) return accountState(context, known, request.account);
    const reason = newPasskeyFor(context);
    if (reason === undefined) return { kind: 'done' };
    const step = stepUpState(context, known);
    if (reason === 'offer')
      return step || !isOfferedTo(known) ? { kind: 'done' } : { kind: 'passkey', isOffer: true };
    if (step === 'missing') return { kind: 'done' };
    return step ?? confirmState(context, known) ?? { kind: 'passkey', isOffer: false };
  }
  if (!sendsTo(context.application, 'phone_number'))
    return { kind: 'denied', reason: 'A verified phone number is required, and no text messages are sent' };
  const step = stepUpState(context, known);
  return step === 'missing' ? TOO_FEW : (step ?? { kind: 'number' });
}

/** Asks for another kind of before the change than that of the link. Without any the person can say so. */
function undoState(context: LoginContext, known: Known): LoginState {
  const { application, now } = context;
  const { user, passkeys, used } = known;
  if (!user) return { kind: 'denied', reason: 'The change can be undone no more' };
  if (givesOtherKind({ user, passkeys }, used, application)) return { kind: 'done' };
  const { phoneNumber } = user;
  const ask = askBeside(context, known, [mailboxProof(now)]);
  const { passkey = false, providers = [], open = [] } = ask ?? {};
  const texted = phoneNumber && isAskedFor(user, phoneNumber, application) ? open : [];
  return { kind: 'second-factor', open: texted, passkey, providers, isOptional: false };
}

function lossState({ login, now }: LoginContext, { user, used }: Known): LoginState | undefined {
  const wait = user && lossToTell(login, user, used, now);
  return wait && { kind: 'loss', wait };
}

/** Says the state of a login. */
export async function currentState(ports: StatePorts, given: LoginContext): Promise<CurrentState> {
  const { transaction, progress } = given.login;
  const { held, userId, proven } = progress;
  const { consent } = given.login.request;
  const finding = findLoginUser(ports.users, given, userId);
  const [found, { user }, passkeys, allowed] = await awaitAll(
    findHeldSession(ports, held, given.now),
    finding,
    findPasskeys(ports, given, finding),
    consent && userId !== undefined
      ? ports.consents.find(userId, consent.key, given.now)
      : Promise.resolve(undefined),
  );
  const request = withAnswer(given.login, allowed);
  const context = { ...given, login: { ...given.login, request } };
  const session = sessionAt(found, context.application);
  const earlier = session ? freshFactors(request, session, transaction.startedAt) : [];
  const { application, now: at } = context;
  const proofs = [...earlier, ...proven];
  const login = user && { application, passkeys: passkeys ?? [], user, proofs, at };
  const settled = login && !request.undo ? settledOf(login, proven, 'pages') : [];
  const counted = login ? usesAfter(login, proven, settled) : proven;
  const used = [...earlier, ...counted];
  const isHeld = held === undefined || session !== undefined;
  const binding = login && { ...login, proofs: used };
  const enrols = await mayEnrol(ports, context, binding);
  const known = { user, used, isHeld, passkeys: passkeys ?? [], isRead: passkeys !== undefined, enrols };
  const state = stateOf(context, known);
  const more = () => emailState(context, user) ?? lossState(context, known);
  const last = (state.kind === 'done' && more()) || state;
  const isLast = last.kind === 'done' || (last.kind === 'passkey' && last.isOffer);
  const scopes = isLast ? openScopes(given.login, allowed) : undefined;
  const asksOperator =
    last.kind === 'done' && !request.account && !progress.confirmed && leadsToComputer(context, request);
  const confirmed: LoginState = asksOperator ? { kind: 'command-line' } : last;
  const next: LoginState = scopes ? { kind: 'consent', scopes } : confirmed;
  return { state: next, earlier, user, binding, given: counted, settled, enrols, request };
}

/** The WebAuthn ceremony that this state accepts, if any. */
export function ceremonyOf(
  { application, settings }: LoginContext,
  state: LoginState,
): 'login' | 'registration' | undefined {
  if (state.kind === 'passkey') return 'registration';
  const isLogin = state.kind === 'identify' || (state.kind === 'second-factor' && state.passkey);
  return isLogin && takesPasskeys(application, settings) ? 'login' : undefined;
}

import { awaitAll } from '../../domain/basis/await-all.ts';
import { findSessionOfCookie, withBoundCookie } from '../../domain/basis/browser.ts';
import { PROVIDER_SKEW_SECONDS } from '../../domain/basis/limits.ts';
import { configuredProviders, sendsTo } from '../../domain/credentials/login-preferences.ts';
import { canAskFor, linkedProviders } from '../../domain/credentials/open-factors.ts';
import { findMissingAccountProof } from '../../domain/hosted-login/account-login.ts';
import { findRecoveryToAnnounce } from '../../domain/hosted-login/announced-loss.ts';
import { acceptsPasskeys } from '../../domain/hosted-login/login-passkey.ts';
import {
  findLoginMaxAge,
  freshFactors,
  hasTrustedPhone,
  missingFactor,
} from '../../domain/hosted-login/sign-on.ts';
import { findLoginUser, hasOtherFactorType } from '../../domain/hosted-login/undo-login.ts';
import type {
  AccountNeeds,
  AuthorizationRequest,
  RequestedScope,
} from '../../domain/oauth/authorization-request.ts';
import { needsCommandLineConfirmation } from '../../domain/operators/operators.ts';
import { toRelyingParty } from '../../domain/passkeys/relying-party.ts';
import { filterValidSession } from '../../domain/sessions/session.ts';
import { isProvider } from '../../domain/social/provider.ts';
import { type BindingLogin, findMissingBindingProof } from '../../domain/trust/binding.ts';
import {
  isValidTenantWide,
  listProvenFactorTypes,
  needsAnotherFactor,
  toFactorType,
} from '../../domain/trust/factor-types.ts';
import { hasEnded, TENANT_WIDE } from '../../domain/trust/generations.ts';
import { hasAuthenticatedSince } from '../../domain/trust/login-time.ts';
import { freshProofs } from '../../domain/trust/missing-proof.ts';
import type { PrivilegePorts } from '../../domain/trust/privileged-user.ts';
import { mailboxProof } from '../../domain/trust/proofs.ts';
import { computeProofsAfterLogin, findTrustGains, type TrustGain } from '../../domain/trust/trust-gains.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Address, Passkey, PendingRecovery, User } from '../../ports/people.ts';
import type { ProviderName } from '../../ports/providers.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { applyConsent, listScopesToDecide } from './consent-state.ts';
import { findEmailState } from './email-state.ts';
import { findPasskeys } from './find-passkeys.ts';
import type { LoginContext } from './login-context.ts';
import {
  factorsToSend,
  type MessageFactor,
  mailboxFactor,
  messageFactorType,
  withoutUndeliverable,
} from './message-factors.ts';
import {
  findNewAddressState,
  findNewPasskeyReason,
  findNewSecondFactorState,
  findRecoveredFactorState,
  isByPasskey,
  isSigningUp,
  mayEnrol,
} from './new-factor.ts';
import { staleAccount } from './stale-account.ts';

/**
 * State of a hosted login. It is never stored, but derived from the request and the proofs so far. The transitions are:
 *
 *       authorize          step-up from a session         passkey registration
 *           │                        │                             │
 *           ▼                        ▼                             ▼
 *       identify ─────────▶ second-factor ─────▶ number ─────▶ passkey ─────▶ email ─────▶ done
 *           │                        │              │
 *           └────────────────────────┴──────────────┴────────▶ denied
 *
 * States that neither the request nor the application needs are skipped, as are `loss`, `consent` and `command-line` before
 * `done`. A consent can require a second factor. In `identify`, `second-factor`, `number` and `email` the page can ask for a
 * code or link that was sent. Every proof goes through `answerProof`, then `advance`.
 */
export type LoginState =
  /** State before the user has logged in with the first factor. */
  | { readonly kind: 'identify' }
  /** State that asks for a second factor, or for an SMS code sent to the user's recorded number. Lists the possible methods. */
  | SecondFactorState
  /** State in which the user enters a phone number: the request demands a number, or the number becomes the second factor. */
  | { readonly kind: 'number' }
  /** State in which the user adds or replaces an email address or phone number, starting from the account page. */
  | { readonly kind: 'new-email' | 'number'; readonly replaces: Address | undefined }
  /** State in which the user connects an account at the provider, starting from the account page. */
  | { readonly kind: 'connect'; readonly provider: ProviderName }
  /** State of a login that has all factors required to link the identity provider account with which it began. */
  | { readonly kind: 'link' }
  /**
   * State that asks the user to create a passkey. In a passkey registration, the user cannot skip it. `isOffer`: the passkey is
   * only offered, at the end of a login. `isFactor`: the passkey becomes the second factor; `last` if no other factor can.
   */
  | { readonly kind: 'passkey'; readonly isOffer: boolean; readonly isFactor?: 'first' | 'last' }
  /** State in which the email address must be verified, because the request demands it. `open` lists the ways to verify it. */
  | { readonly kind: 'email'; readonly open: readonly MessageFactor[] }
  /** State that tells the user, only once, that a factor was reported lost. The user may cancel the pending recovery. */
  | { readonly kind: 'loss'; readonly recovery: PendingRecovery }
  /** State in which the user is asked to grant these scopes to a client with a metadata document. */
  | { readonly kind: 'consent'; readonly scopes: readonly RequestedScope[] }
  /** State in which an operator confirms that a program on their computer may act on their behalf. */
  | { readonly kind: 'command-line' }
  | { readonly kind: 'done' }
  /** State of a rejected login. `isTooFew` is set if the application offers too few of the user's factors. */
  | { readonly kind: 'denied'; readonly reason: string; readonly isTooFew?: true };

interface SecondFactorState {
  readonly kind: 'second-factor';
  readonly open: readonly MessageFactor[];
  readonly passkey: boolean;
  /** Providers at which the user has an account. */
  readonly providers: readonly ProviderName[];
  /** True if the factor is only needed to create a passkey, which the user may skip. */
  readonly isOptional: boolean;
  /** Provider at which the user must log in again, because their last login there may be older than the request allows. */
  readonly stale?: ProviderName;
}

export type StatePorts = PrivilegePorts &
  PortsWith<'sessions.find' | 'users.find' | 'passkeys.listOf' | 'consents.find'>;

/** State of a hosted login, with the data that it was derived from. */
export interface CurrentState {
  readonly state: LoginState;
  /** Proofs in the browser's session from before this login. */
  readonly earlier: readonly MethodUse[];
  /** User who logs in. Undefined before the first factor and during sign-up. */
  readonly user: User | undefined;
  /** Data that decides whether this login may add credentials. Undefined without a user. */
  readonly binding: BindingLogin | undefined;
  /** Proofs of this login. Credentials that the login reinstates are listed with their new trust. */
  readonly proofs: readonly MethodUse[];
  readonly settled: readonly TrustGain[];
  /** True if the next credential that the login adds becomes its second factor. */
  readonly isEnrolling: boolean;
  /** Authorization request, reduced to the scopes that the user has allowed the client. */
  readonly request: AuthorizationRequest;
}

interface Facts {
  readonly user: User | undefined;
  readonly used: readonly MethodUse[];
  /** False if the session to which the login adds a factor has ended or got a new browser secret in the meantime. */
  readonly hasSession: boolean;
  /** All passkeys of the user, if the login may need them. */
  readonly passkeys: readonly Passkey[];
  /** False if the passkeys could not be read. */
  readonly isRead: boolean;
  /** True if the user may create the second factor in this login. */
  readonly enrols: boolean;
}

/** Returns the user's passkeys that the application may request as a factor. */
function passkeysAsked(
  { application, settings }: LoginContext,
  { user, passkeys }: Facts,
): readonly Passkey[] {
  const { rpId } = toRelyingParty(application, settings);
  return passkeys.filter((passkey) => user && passkey.rpId === rpId && canAskFor(user, passkey, application));
}

/** Returns the state that asks for a factor type not used yet. It offers nothing if the application can ask for no other type. */
function offerFactors(
  context: LoginContext,
  known: Facts,
  used: readonly MethodUse[],
  isOptional = false,
): SecondFactorState {
  const { application, settings } = context;
  // A factor that this login has created is counted only after the user has used it.
  const given = used.filter(({ worth }) => worth !== 'enrolled');
  const kinds = new Set(given.map(({ method }) => toFactorType(method)));
  const { user } = known;
  const canGive = passkeysAsked(context, known).length > 0;
  const passkey = canGive && !kinds.has('passkey') && acceptsPasskeys(application, settings);
  const providers = user && !kinds.has('social') ? linkedProviders(application, user) : [];
  const open = factorsToSend(context, user, given);
  return { kind: 'second-factor', open, passkey, providers, isOptional };
}

/** Returns the state that asks for a factor type not used yet, or undefined if the application can ask for no other type. */
function askFactor(...given: Parameters<typeof offerFactors>): SecondFactorState | undefined {
  const asked = offerFactors(...given);
  return asked.open.length > 0 || asked.passkey || asked.providers.length > 0 ? asked : undefined;
}

/** Returns true if the offered and the used factors together have at least two factor types. */
function makesTwo({ open, passkey, providers }: SecondFactorState, used: readonly MethodUse[]): boolean {
  const more = new Set(open.map(({ method }) => messageFactorType(method))).size;
  return listProvenFactorTypes(used).size + more + Number(passkey) + Number(providers.length > 0) > 1;
}

/** Returns the state that asks for the factor required to add a credential; `missing` if the application does not offer it. */
function stepUpState(
  context: LoginContext,
  known: Facts,
  proofs: readonly MethodUse[] = known.used,
): SecondFactorState | 'missing' | undefined {
  const { application, login, now: at } = context;
  const { user, passkeys } = known;
  // During sign-up, there is no account yet that could be taken over.
  if (!user) return undefined;
  if (!findMissingBindingProof({ application, passkeys, user, proofs, at })) return undefined;
  const isOptional = login.progress.sealedLink === undefined && !login.request.requirePhone;
  return askFactor(context, known, freshProofs(application, proofs, at), isOptional) ?? 'missing';
}

/** Returns the state that asks for a passkey which is valid only in this application. Its use makes it valid tenant-wide. */
function confirmState(context: LoginContext, known: Facts): SecondFactorState | undefined {
  const isLimited = passkeysAsked(context, known).some(({ scope }) => scope !== TENANT_WIDE);
  return isLimited ? askFactor(context, known, known.used, true) : undefined;
}

/** Returns the state before an account is linked. An address that the provider has verified is counted as an email factor. */
function linkState(context: LoginContext, known: Facts): LoginState {
  const { proven } = context.login.progress;
  const at = proven.find(({ method }) => method === 'social')?.at ?? context.now;
  const step = stepUpState(context, known, [...known.used, mailboxProof(at)]);
  if (step === 'missing') return { kind: 'denied', reason: 'An account with this address exists' };
  return step ?? { kind: 'link' };
}

/** State that denies the login, because the application does not offer the factors that the user needs to add a credential. */
const TOO_FEW: LoginState = {
  kind: 'denied',
  reason: 'The application offers too few of the login methods that the user has',
  isTooFew: true,
};

/** Returns the state of a login to the account page. The login first asks for required factors, then adds the credential. */
function accountState(context: LoginContext, known: Facts, { login: needs, adds }: AccountNeeds): LoginState {
  const { application, settings, login, now: at } = context;
  const { user, passkeys, used } = known;
  const { offered, sealedPhone, addedEmail, connected } = login.progress;
  // A credential that was just added may have a new factor type, which must not be required in this login.
  if (offered || addedEmail || connected || sealedPhone !== undefined) return { kind: 'done' };
  if (user && findMissingAccountProof({ application, passkeys, user, proofs: used, at }, needs)) {
    const counted = used.filter((use) => isValidTenantWide(use) && use.worth === 'proven');
    return askFactor(context, known, freshProofs(application, counted, at)) ?? TOO_FEW;
  }
  const newAddress = findNewAddressState(application, user, adds);
  if (newAddress) return newAddress;
  if (isProvider(adds) && configuredProviders(application).includes(adds))
    return { kind: 'connect', provider: adds };
  const isOpen = adds === 'passkey' && acceptsPasskeys(application, settings);
  return isOpen ? { kind: 'passkey', isOffer: false } : { kind: 'done' };
}

/** Returns the state in which the user creates a second factor, during sign-up or in a later login that allows it. */
function madeFactor(context: LoginContext, known: Facts): LoginState | undefined {
  const { application, login, now: at } = context;
  const { user, used, passkeys, enrols } = known;
  if (!enrols && !isSigningUp(login)) return undefined;
  const lacks = user && findMissingBindingProof({ application, passkeys, user, proofs: used, at });
  return lacks
    ? askFactor(context, known, freshProofs(application, used, at))
    : findNewSecondFactorState(context, used);
}

/** Returns the state that asks for a second factor. Undefined if the user has none and the request does not require one. */
function secondFactorState(context: LoginContext, known: Facts): LoginState | undefined {
  const { user, used } = known;
  const isAlone = needsAnotherFactor(used);
  // A superseded credential may belong to an attacker, so it must not recover a lost factor.
  const replaced = isAlone ? undefined : findRecoveredFactorState(context, user);
  if (replaced) return replaced;
  const ask = askFactor(context, known, used);
  if (ask && (isAlone || makesTwo(ask, used))) return ask;
  const made = isAlone ? undefined : madeFactor(context, known);
  if (made) return made;
  if (!isAlone && !context.login.request.requireMfa) return undefined;
  return { kind: 'denied', reason: 'A second factor is required, and the user has none' };
}

/** Returns the state that asks for another proof (factor, code or new login) if the login at the provider may be too old. */
function staleState(context: LoginContext, known: Facts): LoginState | undefined {
  const { application, login } = context;
  const { request, progress, transaction } = login;
  const use = progress.proven.findLast(({ method }) => method === 'social');
  const maxAge = findLoginMaxAge(request, application, progress.held !== undefined);
  if (!use || maxAge === undefined) return undefined;
  if (hasAuthenticatedSince(known.used, transaction.startedAt - maxAge - PROVIDER_SKEW_SECONDS))
    return undefined;
  const account = staleAccount(context, known.user, use);
  if (!account) return { kind: 'denied', reason: 'The account at the provider was disconnected' };
  const { email, provider } = account;
  const { open: sendable, ...asked } = offerFactors(context, known, [use]);
  // No message is sent to an address from which mail bounced.
  const messages = withoutUndeliverable(known.user, sendable);
  const open =
    messages.length > 0 || asked.passkey || email === undefined ? messages : [mailboxFactor(context, email)];
  return {
    ...asked,
    open,
    providers: open.length === 0 && configuredProviders(application).includes(provider) ? [provider] : [],
    stale: provider,
  };
}

function deriveState(context: LoginContext, known: Facts): LoginState {
  const { user, used, hasSession } = known;
  const { request, progress } = context.login;
  if (request.undo) return undoState(context, known);
  if (request.enrolment) return progress.newPasskey ? { kind: 'done' } : { kind: 'passkey', isOffer: false };
  if (progress.userId === undefined) return { kind: 'identify' };
  // An attacker with a stolen cookie may have begun this login. A factor that the user adds would then help the attacker.
  if (!hasSession) return { kind: 'denied', reason: 'The login session has ended' };
  // Otherwise, the login would store a consent, a session and a known browser for an erased user.
  if (!user && !progress.sealedSignUp) return { kind: 'denied', reason: 'The user no longer exists' };
  const byText = progress.proven.some(({ method }) => toFactorType(method) === 'phone');
  if (byText && user?.phoneNumber?.risk)
    return { kind: 'denied', reason: 'Text messages are not accepted at present' };
  if (user && hasEnded(user, progress))
    return { kind: 'denied', reason: 'Another person has verified an address of the user since' };
  if (progress.sealedLink !== undefined) return linkState(context, known);
  const hasPhone = hasTrustedPhone(user, context.application) || progress.sealedPhone !== undefined || byText;
  const missing = missingFactor(request, used, hasPhone);
  const second = missing === 'second-factor' ? secondFactorState(context, known) : undefined;
  const asked = second ?? staleState(context, known);
  if (asked) return asked;
  if (missing !== 'phone') {
    if (request.account) return accountState(context, known, request.account);
    const reason = findNewPasskeyReason(context);
    if (reason === undefined) return { kind: 'done' };
    const step = stepUpState(context, known);
    if (reason === 'offer' && (step || !known.isRead || used.some(isByPasskey))) return { kind: 'done' };
    if (reason === 'offer') return { kind: 'passkey', isOffer: true };
    if (step === 'missing') return { kind: 'done' };
    return step ?? confirmState(context, known) ?? { kind: 'passkey', isOffer: false };
  }
  if (!sendsTo(context.application, 'phone_number'))
    return { kind: 'denied', reason: 'A verified phone number is required, and no text messages are sent' };
  const step = stepUpState(context, known);
  return step === 'missing' ? TOO_FEW : (step ?? { kind: 'number' });
}

/** Returns the state of a login that undoes a change. It asks for a factor, other than email, from before the change. */
function undoState(context: LoginContext, known: Facts): LoginState {
  const { application, now } = context;
  const { user, passkeys, used } = known;
  if (!user) return { kind: 'denied', reason: 'The change can no longer be undone' };
  if (hasOtherFactorType({ user, passkeys }, used, application)) return { kind: 'done' };
  const asked = offerFactors(context, known, [mailboxProof(now)]);
  const canText = user.phoneNumber && canAskFor(user, user.phoneNumber, application);
  return { ...asked, open: canText ? asked.open : [] };
}

function lossState({ login, now }: LoginContext, { user, used }: Facts): LoginState | undefined {
  const recovery = user && findRecoveryToAnnounce(login, user, used, now);
  return recovery && { kind: 'loss', recovery };
}

/** Derives the state of a hosted login from its request, the proofs so far and the stored records of its user. */
export async function deriveCurrentState(ports: StatePorts, given: LoginContext): Promise<CurrentState> {
  const { transaction, progress } = given.login;
  const { held, userId, proven } = progress;
  const { consent } = given.login.request;
  const finding = findLoginUser(ports.users, given, userId);
  const [found, { user }, passkeys, allowed] = await awaitAll(
    findSessionOfCookie(ports, withBoundCookie(held, given.cookieSession), given.now),
    finding,
    findPasskeys(ports, given, finding),
    consent && userId !== undefined
      ? ports.consents.find(userId, consent.key, given.now)
      : Promise.resolve(undefined),
  );
  const request = applyConsent(given.login, allowed);
  const context = { ...given, login: { ...given.login, request } };
  const session = filterValidSession(found, context.application);
  const earlier = session ? freshFactors(request, session, transaction.startedAt) : [];
  const { application, now: at } = context;
  const proofs = [...earlier, ...proven];
  const login = user && { application, passkeys: passkeys ?? [], user, proofs, at };
  // Superseded credentials that other proofs of this login reinstate are used with their new trust.
  const settled = login && !request.undo ? findTrustGains(login, proven, 'pages') : [];
  const counted = login ? computeProofsAfterLogin(login, proven, settled) : proven;
  const used = [...earlier, ...counted];
  const hasSession = !held || session !== undefined;
  const binding = login && { ...login, proofs: used };
  const enrols = await mayEnrol(ports, context, binding);
  const known = { user, used, hasSession, passkeys: passkeys ?? [], isRead: passkeys !== undefined, enrols };
  const state = deriveState(context, known);
  // Before the login is done, the user may have to verify the email address or acknowledge a pending recovery.
  const more = () => findEmailState(context, user) ?? lossState(context, known);
  const last = (state.kind === 'done' && more()) || state;
  // Consent comes next, even before a passkey is offered. The confirmation of the command line comes last.
  const isLast = last.kind === 'done' || (last.kind === 'passkey' && last.isOffer);
  const scopes = isLast ? listScopesToDecide(given.login, allowed) : undefined;
  const asksOperator =
    last.kind === 'done' &&
    !request.account &&
    !progress.confirmed &&
    needsCommandLineConfirmation(context, request);
  const confirmed: LoginState = asksOperator ? { kind: 'command-line' } : last;
  const next: LoginState = scopes ? { kind: 'consent', scopes } : confirmed;
  return { state: next, earlier, user, binding, proofs: counted, settled, isEnrolling: enrols, request };
}

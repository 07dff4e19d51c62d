import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Address, DeviceKey, Passkey, User } from '../../ports/people.ts';
import { BINDING_MAX_AGE_SECONDS } from '../basis/limits.ts';
import { isAsleep, isProven } from '../identifiers/sleep.ts';
import {
  countsInTenant,
  isGoodAt,
  isSecondAt,
  limitOf,
  type Place,
  SECOND_NOWHERE,
  usesAt,
} from './good-at.ts';
import { type Kind, kindOf, kindsOf } from './mfa.ts';
import { linkedProviders } from './open-factors.ts';
import { isRecovering } from './recovering.ts';

/**
 * The one rule for binding and removing a passkey, device key, number, address or account at a provider. One factor must not
 * make the second (NIST SP 800-63B-4 §4.1.2.1, ASVS 6.3.7, 7.5.1): who reads a mailbox would have both.
 */

/** How old the login may be, in seconds. */
export function bindingMaxAge({ bindingMaxAgeSeconds }: Application): number {
  return bindingMaxAgeSeconds ?? BINDING_MAX_AGE_SECONDS;
}

export interface BindingLogin {
  readonly user: User;
  readonly application: Application;
  /** That of the application. */
  readonly rpId: string;
  /** All of the user. */
  readonly passkeys: readonly Passkey[];
  /** What proved the login at hand, each with its own time. */
  readonly proofs: readonly MethodUse[];
  /** Epoch seconds. */
  readonly at: number;
}

/** Its API takes passkeys without a setting; one that has never had any offers none. */
function offersPasskeys(application: Application, passkeys: readonly Passkey[]): boolean {
  const { loginPreferences, fixedRpId, rpId, applicationId } = application;
  const isSet = loginPreferences?.passkey !== undefined || fixedRpId !== undefined || rpId !== undefined;
  // The record may be a minute older than the first passkey.
  return (
    passkeys.length > 0 && (isSet || passkeys.some((passkey) => passkey.applicationId === applicationId))
  );
}

/** The passkeys that the application takes, awake or not. */
export function passkeysTaken({
  application,
  rpId,
  passkeys,
}: Pick<BindingLogin, 'application' | 'rpId' | 'passkeys'>): readonly Passkey[] {
  return passkeys.filter((passkey) => passkey.rpId === rpId && isGoodAt(limitOf(passkey), application));
}

/** Whether a passkey sleeps by an undone change only, which is no way to do without it: it was there before. */
function isOwnFromBefore({ undone, asleepBefore }: User, { createdAt }: Passkey): boolean {
  return undone !== undefined && undone.sleptAt === asleepBefore && createdAt <= undone.changedAt;
}

const isAsked = (user: User, passkey: Passkey): boolean =>
  !isAsleep(user, passkey) || isOwnFromBefore(user, passkey);

/** Those that are awake. What sleeps may be an attacker's: no login has to bring it, unless it was there before. */
function passkeysHeld(login: Omit<BindingLogin, 'proofs' | 'at'>): readonly Passkey[] {
  return passkeysTaken(login).filter((passkey) => isAsked(login.user, passkey));
}

/** The kinds of factors that the user has proven and this application offers. */
function kindsHeld(login: Omit<BindingLogin, 'proofs' | 'at'>): ReadonlySet<Kind> {
  const { user, application } = login;
  const { link, email, sms } = application.loginPreferences ?? {};
  const proven = kindsProven(login, application);
  return asSet([
    ['mail', proven.has('mail') && (link ?? email) !== undefined],
    ['phone', proven.has('phone') && sms !== undefined],
    ['passkey', offersPasskeys(application, passkeysHeld(login))],
    ['social', linkedProviders(application, user, []).length > 0],
  ]);
}

/** Whether the user can log in at this application, by anything that it offers. */
export function hasWayIn(login: Omit<BindingLogin, 'proofs' | 'at'>): boolean {
  const { undone: _, ...user } = login.user;
  return kindsHeld({ ...login, user }).size > 0;
}

/** Those that the user has proven and that count at an application, whatever it offers. */
export function kindsProven(
  { user, passkeys }: Pick<BindingLogin, 'user' | 'passkeys'>,
  place: Place,
): ReadonlySet<Kind> {
  const { email: mailbox, phoneNumber, identities } = user;
  const isSecond = (address: Address | undefined) =>
    isProven(user, address, place) && isSecondAt(address ?? {}, place) && !address?.risk;
  return asSet([
    ['mail', isSecond(mailbox)],
    ['phone', isSecond(phoneNumber)],
    ['passkey', passkeys.some((own) => isAsked(user, own) && isGoodAt(limitOf(own), place))],
    ['social', identities.some((own) => !isAsleep(user, own) && isSecondAt(own, place))],
  ]);
}

/** Where more kinds may count than elsewhere, after any other application. */
export function placesOf({ user, passkeys }: BindingLogin): readonly Place[] {
  const others = [user.email, user.phoneNumber, ...user.identities].map((own) => own?.secondAt);
  const proven = [user.email, user.phoneNumber].map((own) => own?.provenAt);
  const limits = [...others, ...proven, ...passkeys.map((own) => limitOf(own))];
  const places = new Set(limits.filter((limit) => limit !== undefined));
  places.delete(SECOND_NOWHERE);
  return ['', ...places].map((applicationId) => ({ applicationId }));
}

function asSet(kinds: readonly (readonly [Kind, boolean])[]): ReadonlySet<Kind> {
  return new Set(kinds.flatMap(([kind, isHeld]) => (isHeld ? [kind] : [])));
}

/** The proofs that are young enough. */
export function freshProofs({
  application,
  proofs,
  at,
}: Pick<BindingLogin, 'application' | 'proofs' | 'at'>) {
  return proofs.filter((proof) => at - proof.at < bindingMaxAge(application));
}

/**
 * What the login lacks to change the credentials of the account: two fresh kinds where the account has two, else the one there
 * is. Undefined when it suffices; `login` when a new login by the same kind would.
 */
export function lackForBinding(login: BindingLogin): Lack | undefined {
  return lackOf(login, kindsHeld(login));
}

/**
 * What the login lacks for a change that counts in the tenant. It takes the kinds that count at each application, whatever that
 * offers: an application that offers fewer than the account has must neither make nor take the second factor of another.
 */
export function lackInTenant(login: BindingLogin): Lack | undefined {
  const lacks = placesOf(login).map((place) =>
    lackOf({ ...login, proofs: usesAt(login.proofs, place) }, kindsProven(login, place)),
  );
  return lacks.find((lack) => lack !== undefined);
}

/** Whether what the login binds on our pages may count in the tenant. If not, it counts at this application alone. */
export function bindsInTenant(login: BindingLogin): boolean {
  return lackInTenant(login) === undefined;
}

/** The mark of an address or account at a provider that the login binds on our pages. */
export function secondAtAfter(login: BindingLogin): Pick<Address, 'secondAt'> {
  return bindsInTenant(login) ? {} : { secondAt: login.application.applicationId };
}

/** The marks of a new address that the login adds on our pages. What counts at one application alone adds it there alone. */
export function marksOfBinding(login: BindingLogin): Pick<Address, 'provenAt' | 'secondAt'> {
  const { applicationId: provenAt } = login.application;
  return { ...secondAtAfter(login), ...(!login.proofs.some(countsInTenant) && { provenAt }) };
}

export type Lack = 'login' | 'second-factor';

function lackOf(login: BindingLogin, held: ReadonlySet<Kind>): Lack | undefined {
  const fresh = freshProofs(login);
  const given = kindsOf(fresh);
  if (given.size > 1) return undefined;
  // The user has lost one kind and waited; every address was told.
  if (isRecovering(login.user, login.at) && [...given].some((kind) => held.has(kind))) return undefined;
  if (held.size > 1) return 'second-factor';
  if (fresh.length === 0) return 'login';
  // A client that delivers a code itself answers for the address; what it binds counts at its application alone.
  const isGiven = (kind: Kind) => given.has(kind) || (given.has('direct') && kind !== 'passkey');
  return [...held].every(isGiven) ? undefined : 'second-factor';
}

/** A provider's word for the mailbox of an account there counts like a code to it. */
export const mailboxProof = (at: number): MethodUse => ({ method: 'eotp', at });

/** Whether a key on a device counts as a factor beside others: not if a single other kind was enough to bind it. */
export function countsBesideOthers(boundWith: DeviceKey['boundWith']): boolean {
  const kinds = new Set(boundWith.map(kindOf));
  return kinds.size > 1 || kinds.has('passkey');
}

import type { AuthenticationMethod, ProvenMethod } from '../../ports/flows.ts';
import type { Address, Passkey, UpstreamIdentity, User, Wait } from '../../ports/people.ts';
import type { Kind, Trust } from '../../ports/trust.ts';
import { isCurrent, TENANT } from './generations.ts';

/** Which kinds an account has, and which a login has given. */

/** Two methods of one kind prove one thing: a mailbox that answers a link also answers a code. */
const KIND: Readonly<Record<AuthenticationMethod, Kind | undefined>> = {
  eml: 'mail',
  eotp: 'mail',
  sms: 'phone',
  webauthn: 'passkey',
  social: 'social',
  // The client delivers the code itself.
  otp: undefined,
  moved: undefined,
};

export const kindOf = (method: AuthenticationMethod): Kind | undefined => KIND[method];

/** A user with all passkeys. */
export interface Holding {
  readonly user: User;
  readonly passkeys: readonly Passkey[];
}

/** Where kinds are counted: at an application, or at any that the account has some. */
export const ANYWHERE = Symbol('anywhere');
export type Place = string | typeof ANYWHERE;

export const covers = (scope: string, place: Place): boolean =>
  place === ANYWHERE || scope === TENANT || scope === place;

/** What the user has waited for is asked for no more; what an operator has granted ends. */
export const isSettled = (wait: Wait | undefined, at: number): boolean =>
  wait !== undefined && wait.effectiveAt <= at && (wait.cause !== 'granted' || at < wait.endsAt);

interface Held {
  readonly kind: Kind;
  readonly trust: Trust;
}

function heldBy({ user, passkeys }: Holding): readonly Held[] {
  const { email, phoneNumber, identities } = user;
  const isGood = (address: Address | undefined): address is Address => !!address && !address.risk;
  return [
    ...(isGood(email) ? [{ kind: 'mail', trust: email } as const] : []),
    ...(isGood(phoneNumber) ? [{ kind: 'phone', trust: phoneNumber } as const] : []),
    ...passkeys.map((trust: Passkey) => ({ kind: 'passkey', trust }) as const),
    ...identities.map((trust: UpstreamIdentity) => ({ kind: 'social', trust }) as const),
  ];
}

/** What is lost, at risk, or was granted: no longer asked for once its time has come. */
const isLost = (wait: Wait | undefined, { kind, trust }: Held, at: number): boolean =>
  wait !== undefined && isSettled(wait, at) && wait.kinds.includes(kind) && trust.since <= wait.since;

const isKind = ({ user }: Holding, { trust }: Held): boolean =>
  trust.standing === 'proven' && isCurrent(user, trust);

/** Where the kinds of an account are good. */
export const scopesOf = (holding: Holding): readonly string[] =>
  heldBy(holding)
    .filter((held) => isKind(holding, held))
    .map(({ trust }) => trust.scope);

/** The kinds that an account has, and of them those that binding still asks for. */
export function kindsHad(
  holding: Holding,
  place: Place,
  at: number,
): { readonly had: ReadonlySet<Kind>; readonly asked: ReadonlySet<Kind> } {
  const { user } = holding;
  const { wait } = user;
  const held = heldBy(holding).filter((each) => isKind(holding, each) && covers(each.trust.scope, place));
  const lasting = held.filter((each) => !isLost(wait, each, at)).map(({ kind }) => kind);
  // Who puts a kind out of the way has not made the account one with fewer.
  const waiting = wait && !isSettled(wait, at) ? wait.kinds : [];
  return { had: new Set(held.map(({ kind }) => kind)), asked: new Set([...lasting, ...waiting]) };
}

const kindsWorth = (uses: readonly ProvenMethod[], ...counted: readonly ProvenMethod['worth'][]) => {
  const proven = uses.filter(({ worth }) => counted.includes(worth)).map(({ method }) => kindOf(method));
  return new Set(proven.filter((kind) => kind !== undefined));
};

/** The kinds that these proofs give, of those that the account had before. */
export const kindsOf = (uses: readonly ProvenMethod[]): ReadonlySet<Kind> => kindsWorth(uses, 'proven');

/** The kinds that make two factors: those that the account had before, and one that the login has made. */
export const factorsOf = (uses: readonly ProvenMethod[]): ReadonlySet<Kind> =>
  kindsWorth(uses, 'proven', 'enrolled');

/** Whether the person has proven anything: what a client vouches for, and what needs company, shows nothing of them. */
export const hasPerson = (uses: readonly ProvenMethod[]): boolean =>
  uses.some(({ worth }) => worth === 'proven');

/** Whether it comes from another system alone: such a login binds, changes and recovers nothing. */
export const isOnlyMoved = (uses: readonly ProvenMethod[]): boolean =>
  uses.length > 0 && uses.every(({ method }) => method === 'moved');

/** Whether the login needs another proof beside what it has. */
export const needsCompany = (uses: readonly ProvenMethod[]): boolean =>
  uses.length > 0 && uses.every(({ worth }) => worth === 'quarantined');

/** The proofs that are good at an application. */
export const usesAt = <Use extends ProvenMethod>(
  uses: readonly Use[],
  applicationId: string,
): readonly Use[] => uses.filter(({ scope }) => covers(scope, applicationId));

/** Whether a proof logs in at other applications, too. */
export const countsInTenant = ({ scope, worth }: ProvenMethod): boolean =>
  scope === TENANT && worth !== 'quarantined';

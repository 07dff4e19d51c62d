import type { Application, Tenant } from '../../ports/directory.ts';
import type { MethodUse, Session } from '../../ports/flows.ts';
import type { Address, Passkey, User } from '../../ports/people.ts';
import { isProvenAt, provenAddress } from '../identifiers/proven-address.ts';
import { awakeAs } from '../identifiers/sleep.ts';

/**
 * Where credentials and proofs count. A client can bind a passkey to any user of its tenant, hold the token of a user, and read
 * its own codes. So what it binds or proves counts at its application alone: it lets nobody in at another.
 */

/** `goodAt` of a credential that a person has bound or confirmed on our pages. */
export const IN_TENANT = '*';

export type Place = Pick<Application, 'applicationId'>;
export type Bound = Pick<Passkey, 'byOwner' | 'goodAt'> & Partial<Pick<Passkey, 'applicationId'>>;

/** The only application where a credential counts; undefined: the whole tenant. */
export function limitOf({ goodAt }: Pick<Bound, 'goodAt'>): string | undefined {
  return goodAt === IN_TENANT ? undefined : goodAt;
}

/** What is noted of a credential when it is bound: where it counts, and that it is awake. */
export type Marks = Pick<Passkey, 'byOwner' | 'goodAt' | 'wokenAt'>;

/** The limit of what such a credential proves. */
export function limitedTo(
  goodAt: string,
  { byOwner }: Pick<Bound, 'byOwner'>,
): Pick<MethodUse, 'goodAt' | 'byOwner'> {
  return { goodAt, ...(byOwner && { byOwner }) };
}

export function isGoodAt(limit: string | undefined, { applicationId }: Place): boolean {
  return limit === undefined || limit === applicationId;
}

/**
 * Whether a credential is bound at an application: its client, and a login that counts there alone, name and remove no other.
 * One from before has no mark, and belongs to where it was registered.
 */
export function isBoundAt({ goodAt, applicationId: registeredAt }: Bound, { applicationId }: Place): boolean {
  return (goodAt ?? registeredAt) === applicationId;
}

/** The marks of one that is bound through the API of an application, awake as the session or user at hand. */
export function marksOfApi(wokenAt: number | undefined, { applicationId }: Place): Marks {
  return { goodAt: applicationId, ...awakeAs(wokenAt) };
}

/** Whether a proof logs in at other applications too. */
export function countsInTenant({ goodAt, asleep }: MethodUse): boolean {
  return goodAt === undefined && asleep === undefined;
}

/** What may be one of two factors at a single application: an address, an account at a provider, or its proof. */
type Second = Pick<MethodUse, 'secondAt'>;

/** The mark of what is none at any application: the ID of none. */
export const SECOND_NOWHERE = '-';

/** Whether it may be one at this application. */
export function isSecondAt({ secondAt }: Second, { applicationId }: Place): boolean {
  return secondAt === undefined || secondAt === applicationId;
}

/** The proof of such a credential, as the application may count it. */
export function markSecond(use: MethodUse, credential: Second | undefined, place: Place): MethodUse {
  if (credential?.secondAt === undefined) return use;
  const { alone: _, ...given } = use;
  const marked = { ...given, secondAt: credential.secondAt };
  return isSecondAt(credential, place) ? marked : { ...marked, alone: true };
}

/** Those that count at the application, as it may count them. */
export function usesAt(uses: readonly MethodUse[], place: Place): readonly MethodUse[] {
  return uses.filter(({ goodAt }) => isGoodAt(goodAt, place)).map((use) => markSecond(use, use, place));
}

/** A session as the application may see it: with the proofs that count there. Undefined when none does. */
export function sessionAt(session: Session | undefined, place: Place): Session | undefined {
  const methods = session ? usesAt(session.methods, place) : [];
  return session && methods.length > 0 ? { ...session, methods } : undefined;
}

/**
 * The proof of a sent credential, with what it counts for beside others. It proves the user, but is none of two factors, when
 * nothing has proven its address before: the holder of what counts beside it could have brought the address. The first address
 * of an account has nothing beside it. A client can bring an address too: beside nothing but what counts at its application
 * alone, the address is proven there alone (`goodAt`), until it is given beside what counts in the tenant.
 */
export function markBeside(
  use: MethodUse,
  { tenant, application }: { readonly tenant: Tenant; readonly application: Application },
  user: User,
  deliveredToHash: string | undefined,
  beside: readonly MethodUse[] = [],
  awakeBeside = beside,
): MethodUse {
  const { attribute } = provenAddress(tenant, user, deliveredToHash) ?? {};
  const address = attribute && user[attribute];
  if (!address) return use;
  const isKnown = isProvenAt(address, application);
  const isBrought = awakeBeside.length > 0 ? !awakeBeside.some(countsInTenant) : isKnown;
  const isLimited = isBrought && !isProvenAt(address, undefined);
  const given = isLimited ? { ...use, goodAt: application.applicationId } : use;
  if (isKnown) return markSecond(given, address, application);
  const other = attribute === 'email' ? user.phoneNumber : user.email;
  const alone = beside.length > 0 || other?.verified === true || user.identities.length > 0;
  return alone ? { ...given, alone } : given;
}

/** The mark of an address that such a proof is the first of, or that it confirms: where the address is proven from now on. */
export function provenAtOf(use: MethodUse | undefined): Pick<Address, 'provenAt'> {
  return use?.goodAt === undefined ? {} : { provenAt: use.goodAt };
}

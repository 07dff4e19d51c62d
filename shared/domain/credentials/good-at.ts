import type { Application, Tenant } from '../../ports/directory.ts';
import type { MethodUse, Session } from '../../ports/flows.ts';
import type { Passkey } from '../../ports/people.ts';
import { awakeAs } from '../identifiers/sleep.ts';

/**
 * Where credentials and proofs count. A client can bind a passkey to any user of its tenant, hold the token of a user, and read
 * its own codes. So what it binds or proves counts at its application alone: it lets nobody in at another.
 */

/** `goodAt` of a credential that a person has bound or confirmed on our pages. */
export const IN_TENANT = '*';

type Place = Pick<Application, 'applicationId'>;
type Bound = Pick<Passkey, 'byOwner' | 'goodAt'> & Partial<Pick<Passkey, 'applicationId'>>;

/** The only application where a credential counts; undefined: the whole tenant. */
export function limitOf({ goodAt, applicationId }: Bound, tenant: Tenant): string | undefined {
  // A credential from before has no mark. The tenant may narrow it to where it was registered.
  if (goodAt === undefined) return tenant.narrowsCredentials ? applicationId : undefined;
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

/** The marks of one that is bound through the API of an application, awake as the session or user at hand. */
export function marksOfApi(wokenAt: number | undefined, { applicationId }: Place): Marks {
  return { goodAt: applicationId, ...awakeAs(wokenAt) };
}

/** Whether a proof counts for what is bound in the tenant. */
export function countsInTenant({ goodAt, asleep }: MethodUse): boolean {
  return goodAt === undefined && asleep === undefined;
}

/** A session as the application may see it: with the proofs that count there. Undefined when none does. */
export function sessionAt(session: Session | undefined, place: Place): Session | undefined {
  const methods = session?.methods.filter(({ goodAt }) => isGoodAt(goodAt, place)) ?? [];
  return session && methods.length > 0 ? { ...session, methods } : undefined;
}

import type { Application, Tenant } from '../../ports/directory.ts';
import type { MethodUse, Session, Waking } from '../../ports/flows.ts';
import type { Passkey, User } from '../../ports/people.ts';
import { awakeAs, hasWaking } from '../identifiers/sleep.ts';

/**
 * Where credentials and proofs count. A client can bind a passkey to any user of its tenant and read its own codes, so what
 * it binds or proves counts at its application alone: it lets nobody in at another.
 */

/** `goodAt` of a credential that a person has bound or confirmed on our pages, or by a proof that counts in the tenant. */
export const IN_TENANT = '*';

type Place = Pick<Application, 'applicationId'>;
type Bound = Pick<Passkey, 'goodAt'> & Partial<Pick<Passkey, 'applicationId'>>;

/** The only application where a credential counts; undefined: the whole tenant. */
export function limitOf({ goodAt, applicationId }: Bound, tenant: Tenant): string | undefined {
  // A credential from before has no mark. The tenant may narrow it to where it was registered.
  if (goodAt === undefined) return tenant.narrowsCredentials ? applicationId : undefined;
  return goodAt === IN_TENANT ? undefined : goodAt;
}

/** What is noted of a credential when it is bound: where it counts, and that it is awake. */
export type Marks = Pick<Passkey, 'goodAt' | 'wokenAt'>;

export function isGoodAt(limit: string | undefined, { applicationId }: Place): boolean {
  return limit === undefined || limit === applicationId;
}

/** `goodAt` of a credential that is bound at the application, in a login with these proofs; none: by the client itself. */
export function goodAtAfter(uses: readonly MethodUse[], { applicationId }: Place): string {
  return hasWaking(uses) ? IN_TENANT : applicationId;
}

/** The marks of a credential that is bound by these proofs of a session. */
export function marksAfter(uses: readonly MethodUse[], { wokenAt }: Waking, place: Place): Marks {
  return { goodAt: goodAtAfter(uses, place), ...awakeAs(wokenAt) };
}

/** The marks of one that a client binds, while the user is as read. */
export function marksOfClient({ asleepBefore }: Pick<User, 'asleepBefore'>, { applicationId }: Place): Marks {
  return { goodAt: applicationId, ...awakeAs(asleepBefore) };
}

/** A session as the application may see it: with the proofs that count there. Undefined when none does. */
export function sessionAt(session: Session | undefined, place: Place): Session | undefined {
  const methods = session?.methods.filter(({ goodAt }) => isGoodAt(goodAt, place)) ?? [];
  return session && methods.length > 0 ? { ...session, methods } : undefined;
}

import type { Application, Tenant } from '../../ports/directory.ts';
import type { MethodUse, Session } from '../../ports/flows.ts';
import type { Passkey } from '../../ports/people.ts';

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

export function isGoodAt(limit: string | undefined, { applicationId }: Place): boolean {
  return limit === undefined || limit === applicationId;
}

/** `goodAt` of a credential that is bound at the application, in a login with these proofs; none: by the client itself. */
export function goodAtAfter(uses: readonly MethodUse[], { applicationId }: Place): string {
  return uses.some(({ goodAt }) => goodAt === undefined) ? IN_TENANT : applicationId;
}

/** A session as the application may see it: with the proofs that count there. Undefined when none does. */
export function sessionAt(session: Session | undefined, place: Place): Session | undefined {
  const methods = session?.methods.filter(({ goodAt }) => isGoodAt(goodAt, place)) ?? [];
  return session && methods.length > 0 ? { ...session, methods } : undefined;
}

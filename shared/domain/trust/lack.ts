import type { Application } from '../../ports/directory.ts';
import type { ProvenMethod } from '../../ports/flows.ts';
import { BINDING_MAX_AGE_SECONDS } from '../basis/limits.ts';
import { TENANT } from './generations.ts';
import {
  ANYWHERE,
  covers,
  type Holding,
  hasPerson,
  kindsHad,
  kindsOf,
  type Place,
  scopesOf,
} from './kinds.ts';

/**
 * The one rule for binding and removing what logs in: the login gives two of the kinds that the account has, or the one there
 * is. One factor must not make the second (NIST SP 800-63B-4 §4.1.2.1, ASVS 6.3.7, 7.5.1): the reader of a mailbox would have
 * both.
 */

/** `login`: the person has given nothing fresh. */
export type Lack = 'login' | 'second-factor';

/** How old a proof may be, in seconds. */
export function bindingMaxAge({ bindingMaxAgeSeconds }: Application): number {
  return bindingMaxAgeSeconds ?? BINDING_MAX_AGE_SECONDS;
}

/** The proofs that are young enough at `at`, epoch seconds. */
export function freshProofs<Use extends ProvenMethod>(
  application: Application,
  proofs: readonly Use[],
  at: number,
): readonly Use[] {
  return proofs.filter((proof) => at - proof.at < bindingMaxAge(application));
}

/** What these fresh proofs lack at an application. */
export function lackAt(
  holding: Holding,
  fresh: readonly ProvenMethod[],
  place: Place,
  at: number,
): Lack | undefined {
  const { had, asked } = kindsHad(holding, place, at);
  const needed = asked.size === 0 ? Math.min(1, had.size) : Math.min(2, asked.size);
  if (needed === 0) return undefined;
  const here = fresh.filter(({ scope }) => covers(scope, place));
  const given = [...kindsOf(here)].filter((kind) => had.has(kind));
  if (given.length >= needed) return undefined;
  return hasPerson(fresh) ? 'second-factor' : 'login';
}

/**
 * What they lack for something that counts in the tenant: of what counts there itself, all that is asked of the kinds that the
 * account has anywhere. An application that offers fewer must neither make nor take the second factor of another. An account that
 * is known at one application alone has nothing that counts in the tenant: there its own kinds decide.
 */
export function lackInTenant(
  holding: Holding,
  fresh: readonly ProvenMethod[],
  applicationId: string,
  at: number,
): Lack | undefined {
  const scopes = scopesOf(holding);
  if (scopes.every((scope) => scope === applicationId)) return lackAt(holding, fresh, applicationId, at);
  return lackAt(
    holding,
    fresh.filter(({ scope }) => scope === TENANT),
    ANYWHERE,
    at,
  );
}

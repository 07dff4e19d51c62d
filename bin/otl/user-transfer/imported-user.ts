import { RECORDED_APPLICATIONS_MAX } from '../../../shared/domain/basis/limits.ts';
import { newId } from '../../../shared/domain/basis/random.ts';
import {
  FIRST_GENERATION,
  PROVEN_GENERATIONS,
  UNPROVEN_GENERATION,
  UNPROVEN_GENERATIONS,
} from '../../../shared/domain/trust/generations.ts';
import { buildBlankUser, chooseValidIn } from '../../../shared/domain/users/create-user.ts';
import { applyUserFields } from '../../../shared/domain/users/user-record.ts';
import { invalidInput } from '../../../shared/errors/service-error.ts';
import type { Tenant } from '../../../shared/ports/directory.ts';
import type { Address, ExternalId, UpstreamAccount, User, UserFields } from '../../../shared/ports/people.ts';
import type { Trust } from '../../../shared/ports/trust.ts';

/** Facts about a user that the previous system states and that the operator trusts. */
export interface FormerSystem {
  /** User ID of the previous system, if the user keeps this ID in the new system. */
  readonly userId?: string | undefined;
  readonly createdAt?: number | undefined;
  readonly accounts: readonly UpstreamAccount[];
  readonly hasPasskeys: boolean;
}

/**
 * Returns the trust of imported credentials: proven, and valid in the user's only application or, if the user has several
 * applications, tenant-wide.
 */
export const importedTrust = (applications: readonly string[], since: number): Trust => ({
  standing: 'proven',
  scope: chooseValidIn(applications),
  generation: FIRST_GENERATION,
  since,
});

/**
 * Creates an imported user for the given applications. If any factor is proven, the user cannot log in with only an unverified
 * address. Otherwise the owner of a mistyped address could log in, and an attacker could have added the address of a victim.
 * @throws `system_invalid_input`
 */
export function importedUser(
  tenant: Tenant,
  fields: UserFields,
  former: FormerSystem,
  made: {
    readonly applications: readonly string[];
    readonly externalIds: readonly ExternalId[];
    readonly at: number;
  },
): User {
  const { applications, externalIds, at } = made;
  const { userId = newId(), createdAt = at, accounts, hasPasskeys } = former;
  const trust = importedTrust(applications, at);
  const isAddress = fields.email_verified === true || fields.phone_number_verified === true;
  const isProven = isAddress || hasPasskeys || accounts.length > 0;
  const noted = applications.slice(0, RECORDED_APPLICATIONS_MAX);
  const blank: User = {
    ...buildBlankUser(tenant, userId, at, {
      applications: noted,
      generations: isProven ? PROVEN_GENERATIONS : UNPROVEN_GENERATIONS,
    }),
    externalIds,
    identities: accounts.map((account) => ({ ...account, ...trust })),
  };
  const user = applyUserFields(blank, fields, at, { how: 'made', scope: trust.scope });
  if (
    !user.email &&
    !user.phoneNumber &&
    user.username === undefined &&
    accounts.length === 0 &&
    !hasPasskeys
  )
    throw invalidInput('body: has no address, username, account or passkey, so the user could not log in');
  const shut = (address: Address): Address =>
    isProven && address.standing === 'claimed' ? { ...address, generation: UNPROVEN_GENERATION } : address;
  return {
    ...user,
    createdAt,
    ...(user.email && { email: shut(user.email) }),
    ...(user.phoneNumber && { phoneNumber: shut(user.phoneNumber) }),
  };
}

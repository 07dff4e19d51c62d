import { ORPHANED_RESERVATION_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { fixRpId } from '../../../shared/domain/passkeys/relying-party.ts';
import { identityName } from '../../../shared/domain/trust/names.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { Address, User } from '../../../shared/ports/people.ts';
import type { Trust } from '../../../shared/ports/trust.ts';
import type { OperatorPorts } from '../target/target.ts';
import { importedTrust } from './imported-user.ts';
import type { TakenRow, Terms } from './taken-row.ts';

/** The ports that create users and find the owners of identifiers and passkeys. */
export type ImportPorts = Pick<
  OperatorPorts,
  'userRecords' | 'identifierReservations' | 'holders' | 'passkeyRecords' | 'rpIds'
>;

/** What of a credential says who made it; dates differ between runs. */
const trustOf = ({ standing, scope, generation }: Trust) => [standing, scope, generation];
const addressOf = (address: Address | undefined) => address && [address.value, trustOf(address)];

/**
 * Whether a stored user is what an import made of a row, or would make. No call of the HTTP API makes a user with passkeys who is:
 * its client would say that an address is proven, or leave one that is not to its first proof.
 */
export function isSameUser(stored: User, wanted: User): boolean {
  const [one, other] = [stored, wanted].map(({ email, phoneNumber, ...user }) =>
    JSON.stringify([
      addressOf(email),
      addressOf(phoneNumber),
      user.identities.map((identity) => [identityName(identity), trustOf(identity)]),
      user.externalIds.map(({ applicationId, value }) => [applicationId, value]),
      [user.generations.counting.toSorted(), user.generations.last],
      user.applications.toSorted(),
      user.createdAt === user.updatedAt ? undefined : user.createdAt,
    ]),
  );
  return one === other;
}

/** The passkeys of one row, before and after their user is made. */
export interface ImportedPasskeys {
  readonly credentialIds: readonly string[];
  /**
   * Holds their credential IDs for a user who is about to be made: of two rows with one passkey at the same time one makes a user.
   * What a run leaves behind that breaks off is free again a minute later. Errors: `passkey_taken` when another user has or holds one.
   */
  readonly holdFor: (userId: string) => Promise<void>;
  /** Stores those that the user does not have yet. Errors: `passkey_taken`, `passkey_invalid`. */
  readonly storeFor: (userId: string, isNew: boolean) => Promise<void>;
}

export function importedPasskeys(ports: ImportPorts, { applications }: Terms) {
  const fixed = new Map<string, Promise<void>>();

  /** Once in a run, although every passkey asks for it. */
  function fix(applicationId: string, rpId: string): Promise<void> {
    const application = applications.find((each) => each.applicationId === applicationId);
    const fixing = fixed.get(applicationId) ?? (application && fixRpId(ports, application, rpId));
    if (!fixing) throw new ServiceError('passkey_invalid');
    fixed.set(applicationId, fixing);
    void fixing.catch(() => fixed.delete(applicationId));
    return fixing;
  }

  return ({ tenantId }: User, { passkeys, applications: of }: TakenRow, at: number): ImportedPasskeys => {
    const trust = importedTrust(of, at);
    const credentialIds = passkeys.map(({ credentialId }) => credentialId);

    async function reserve(credentialId: string, userId: string, heldUntil?: number): Promise<void> {
      if (!(await ports.passkeyRecords.reserve(credentialId, userId, nowSeconds(), heldUntil)))
        throw new ServiceError('passkey_taken');
    }

    return {
      credentialIds,

      async holdFor(userId) {
        // In the same order for all rows: of two with the same passkeys one gets them all.
        for (const credentialId of credentialIds.toSorted())
          await reserve(credentialId, userId, nowSeconds() + ORPHANED_RESERVATION_SECONDS);
      },

      async storeFor(userId, isNew) {
        const stored = isNew || passkeys.length === 0 ? [] : await ports.passkeyRecords.listOf(userId);
        const isStored = (id: string) => stored.some(({ credentialId }) => credentialId === id);
        for (const passkey of passkeys.filter(({ credentialId }) => !isStored(credentialId))) {
          const { credentialId, applicationId, rpId, createdAt = at } = passkey;
          await fix(applicationId, rpId);
          await reserve(credentialId, userId);
          // One that is there already was stored by an attempt before, or removed by the person.
          await ports.passkeyRecords.put({ ...passkey, ...trust, userId, tenantId, createdAt });
        }
      },
    };
  };
}

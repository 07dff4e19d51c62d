import { ORPHANED_RESERVATION_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { fixRpId } from '../../../shared/domain/passkeys/relying-party.ts';
import { identityName } from '../../../shared/domain/trust/names.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { Address, User } from '../../../shared/ports/people.ts';
import type { Trust } from '../../../shared/ports/trust.ts';
import type { OperatorPorts } from '../target/target.ts';
import { importedTrust } from './imported-user.ts';
import type { ImportedRow, ImportTerms } from './taken-row.ts';

/** Ports that create users and find the owners of identifiers and passkeys. */
export type ImportPorts = Pick<
  OperatorPorts,
  'userRecords' | 'identifierReservations' | 'holders' | 'passkeyRecords' | 'rpIds'
>;

/** Returns a credential's trust without its dates, which differ between the runs of an import. */
const comparableTrust = ({ standing, scope, generation }: Trust) => [standing, scope, generation];
const comparableAddress = (address: Address | undefined) =>
  address && [address.value, comparableTrust(address)];

/**
 * Returns true if a stored user equals the user that this import creates from the row. Only then may the import add the row's
 * passkeys to the stored user. A user created through the HTTP API is equal only if a client with the permission `users:verify`
 * stated that an address is verified; otherwise the credential generations differ.
 */
export function isSameUser(stored: User, wanted: User): boolean {
  const [one, other] = [stored, wanted].map(({ email, phoneNumber, ...user }) =>
    JSON.stringify([
      comparableAddress(email),
      comparableAddress(phoneNumber),
      user.identities.map((identity) => [identityName(identity), comparableTrust(identity)]),
      user.externalIds.map(({ applicationId, value }) => [applicationId, value]),
      [user.generations.valid.toSorted(), user.generations.highest],
      user.applications.toSorted(),
      user.createdAt === user.updatedAt ? undefined : user.createdAt,
    ]),
  );
  return one === other;
}

/** Passkeys of one imported row, with functions to call before and after the user of the row is created. */
export interface ImportedPasskeys {
  readonly credentialIds: readonly string[];
  /**
   * Reserves the credential IDs for a user whom the import is about to create. If two rows that are imported concurrently have
   * the same passkey, only one of the rows creates a user. Reservations of an interrupted import can be replaced after a
   * minute.
   * @throws `passkey_taken` if another user has or reserves one of the IDs.
   */
  readonly holdFor: (userId: string) => Promise<void>;
  /** Stores the passkeys that the user does not have yet. Throws `passkey_taken`, `passkey_invalid`. */
  readonly storeFor: (userId: string, isNew: boolean) => Promise<void>;
}

export function importedPasskeys(ports: ImportPorts, { applications }: ImportTerms) {
  const fixed = new Map<string, Promise<void>>();

  /** Makes the RP ID of an application permanent before its first passkey is stored, once in each run of the import. */
  function fix(applicationId: string, rpId: string): Promise<void> {
    const application = applications.find((each) => each.applicationId === applicationId);
    const fixing = fixed.get(applicationId) ?? (application && fixRpId(ports, application, rpId));
    if (!fixing) throw new ServiceError('passkey_invalid');
    fixed.set(applicationId, fixing);
    void fixing.catch(() => fixed.delete(applicationId));
    return fixing;
  }

  return ({ tenantId }: User, { passkeys, applications: of }: ImportedRow, at: number): ImportedPasskeys => {
    const trust = importedTrust(of, at);
    const credentialIds = passkeys.map(({ credentialId }) => credentialId);

    async function reserve(credentialId: string, userId: string, heldUntil?: number): Promise<void> {
      if (!(await ports.passkeyRecords.reserve(credentialId, userId, nowSeconds(), heldUntil)))
        throw new ServiceError('passkey_taken');
    }

    return {
      credentialIds,

      async holdFor(userId) {
        // All rows reserve their passkeys in the same order, so that one of two rows with the same passkeys gets all of them.
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
          // The result is ignored: an existing passkey was stored by an earlier attempt, or its user has removed it since.
          await ports.passkeyRecords.put({ ...passkey, ...trust, userId, tenantId, createdAt });
        }
      },
    };
  };
}

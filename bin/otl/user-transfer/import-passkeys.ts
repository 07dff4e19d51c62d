import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { preciseNow } from '../../../shared/domain/basis/time.ts';
import { releaseIdentifiers } from '../../../shared/domain/identifiers/identifier-reservations.ts';
import { fixRpId } from '../../../shared/domain/passkeys/relying-party.ts';
import { identityName } from '../../../shared/domain/trust/names.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { Address, Identifier, User } from '../../../shared/ports/people.ts';
import type { Trust } from '../../../shared/ports/trust.ts';
import type { OperatorPorts } from '../target/target.ts';
import { importedTrust } from './imported-user.ts';
import type { TakenRow, Terms } from './taken-row.ts';

/** The ports that create users and find the owners of identifiers and passkeys. */
export type ImportPorts = Pick<
  OperatorPorts,
  'userRecords' | 'identifierReservations' | 'identifiers' | 'users' | 'passkeys' | 'passkeyRecords' | 'rpIds'
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
  /** Reserved with the identifiers of the user: of two rows with one passkey at the same time one makes a user. */
  readonly locks: readonly Identifier[];
  /** Errors: `passkey_taken` when a passkey is another user's than `userId`. */
  readonly requireFree: (userId?: string) => Promise<void>;
  /** Stores those that the user does not have yet. Errors: `passkey_taken`, `passkey_invalid`. */
  readonly storeFor: (userId: string) => Promise<void>;
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
    // No caller can name this type.
    const locks = passkeys.map(({ credentialId }) => ({
      type: 'imported:passkey',
      value: hashSecret(credentialId),
    }));
    return {
      locks,

      async requireFree(userId) {
        const owners = await Promise.all(
          passkeys.map(({ credentialId }) => ports.passkeys.findOwner(credentialId)),
        );
        if (owners.some((owner) => owner !== undefined && owner !== userId))
          throw new ServiceError('passkey_taken');
      },

      async storeFor(userId) {
        for (const passkey of passkeys) {
          const { credentialId, applicationId, rpId, createdAt = at } = passkey;
          await fix(applicationId, rpId);
          if (!(await ports.passkeyRecords.reserve(credentialId, userId, at)))
            throw new ServiceError('passkey_taken');
          // One that is there already was stored by a run before.
          await ports.passkeyRecords.put({ ...passkey, ...trust, userId, tenantId, createdAt });
        }
        if (passkeys.length > 0) await releaseIdentifiers(ports, { tenantId, userId }, locks, preciseNow());
      },
    };
  };
}

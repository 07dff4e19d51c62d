import { hashSecret } from '../../domain/basis/random.ts';
import type { Passkey, PasskeyRecords, Passkeys } from '../../ports/people.ts';
import { IS_MISSING_OR_PURGEABLE, type Item, readText } from '../attributes.ts';
import { codec, flag, number, optional, text, texts } from '../codec.ts';
import { credentialKey, passkeyKey, userPartition } from '../keys.ts';
import { readRecord } from '../record-store.ts';
import type { Table } from '../table.ts';
import { trustAttributes, trustFields } from './trust-fields.ts';

const itemKey = (userId: string, credentialId: string) => passkeyKey(userId, hashSecret(credentialId));
const reservationKey = (credentialId: string) => credentialKey(hashSecret(credentialId));

const passkeyItem = codec<Passkey>({
  credentialId: text('credential_id'),
  userId: text('user_id'),
  tenantId: text('tenant_id'),
  applicationId: text('application_id'),
  rpId: text('rp_id'),
  publicKey: text('public_key'),
  signCount: number('sign_count'),
  backupEligible: optional(flag('backup_eligible')),
  backedUp: flag('backed_up'),
  transports: texts('transports'),
  aaguid: text('aaguid'),
  name: optional(text('name')),
  createdAt: number('created_at'),
  lastUsedAt: optional(number('last_used_at')),
  userHandle: optional(text('user_handle')),
  ...trustFields,
});

/** Condition that a passkey exists and is not removed. A removed passkey can be restored for some days but cannot log in. */
const IS_PRESENT = 'attribute_exists(#pk) AND attribute_not_exists(#removed)';
const isPresent = ({ removed, credential_id }: Item, restorable: readonly string[]) =>
  removed !== true || restorable.includes(String(credential_id));

async function listAll(
  table: Table,
  userId: string,
  restorable: readonly string[] = [],
): Promise<readonly Passkey[]> {
  const items = await table.query(userPartition(userId));
  return items
    .filter((item) => String(item.sk).startsWith('passkey#') && isPresent(item, restorable))
    .map(passkeyItem.read);
}

export function passkeys(table: Table): Passkeys {
  return {
    async findOwner(credentialId) {
      const item = await table.get(reservationKey(credentialId));
      return item && readText(item, 'user_id');
    },

    async find(userId, credentialId, restorable = []) {
      const item = await table.get(itemKey(userId, credentialId));
      return item && isPresent(item, restorable) ? passkeyItem.read(item) : undefined;
    },

    listOf: (userId, restorable) => listAll(table, userId, restorable),

    recordUse: ({ userId, credentialId, signCount, backupEligible, backedUp, at, challenge, mayBeRemoved }) =>
      table.change(itemKey(userId, credentialId), {
        // An authenticator without a counter always sends 0. An authenticator with a counter never returns to 0.
        condition: [
          `${mayBeRemoved ? 'attribute_exists(#pk)' : IS_PRESENT} AND (#sign_count < :count OR (#sign_count = :zero AND :count = :zero)`,
          '(#sign_count = :count AND #used_for = :challenge))',
        ].join(' OR '),
        set: {
          sign_count: signCount,
          backup_eligible: backupEligible,
          backed_up: backedUp,
          last_used_at: at,
          used_for: challenge,
        },
        values: { count: signCount, zero: 0, challenge },
      }),

    async updateTrust(userId, credentialId, trust) {
      const set = trustAttributes(trust);
      await table.update(itemKey(userId, credentialId), { condition: IS_PRESENT, set });
    },
  };
}

/**
 * Creates the store of passkeys. A user's passkeys are in the user's partition, where erasing the user finds them. A separate
 * item reserves each credential ID.
 */
export function passkeyRecords(table: Table): PasskeyRecords {
  // The condition does not check the user ID. An IAM policy that allows this attribute would also let the function change the
  // owner of a credential ID.
  const purgeReservation = (credentialId: string, at: number | undefined) =>
    table.update(reservationKey(credentialId), {
      condition: 'attribute_exists(#pk)',
      set: { purge_at: at },
      returnsNothing: true,
    });

  return {
    listOf: (userId) => listAll(table, userId),

    async reserve(credentialId, userId, at, heldUntil) {
      const held = heldUntil === undefined ? {} : { held: true, purge_at: heldUntil };
      const reservation = await table.tryPut(
        { ...reservationKey(credentialId), user_id: userId, claimed_at: at, ...held },
        {
          condition: `${IS_MISSING_OR_PURGEABLE} OR (#user_id = :user_id AND attribute_exists(#held))`,
          values: { at, user_id: userId },
        },
      );
      return reservation.done || reservation.existing?.user_id === userId;
    },

    put(passkey) {
      const { userId, credentialId } = passkey;
      const item = { ...itemKey(userId, credentialId), ...passkeyItem.toAttributes(passkey) };
      return table.put(item, {
        condition: IS_MISSING_OR_PURGEABLE,
        values: { at: passkey.createdAt },
        tokenAttribute: 'written_by',
      });
    },

    async rename(userId, credentialId, name) {
      const key = itemKey(userId, credentialId);
      const isNamed = await table.change(key, { condition: IS_PRESENT, set: { name }, returnsNothing: true });
      return isNamed ? readRecord(table, key, passkeyItem) : undefined;
    },

    async remove(userId, credentialId, until) {
      const isRemoved = await table.change(itemKey(userId, credentialId), {
        condition: IS_PRESENT,
        set: { removed: true, purge_at: until },
        tokenAttribute: 'removed_by',
        returnsNothing: true,
      });
      // The credential ID stays reserved for the user until the passkey can no longer be restored.
      if (isRemoved) await purgeReservation(credentialId, until);
      return isRemoved;
    },

    async forgetAllOf(userId) {
      const items = await table.query(userPartition(userId));
      for (const item of items.filter(({ sk }) => String(sk).startsWith('passkey#'))) {
        const credentialId = readText(item, 'credential_id');
        await table.remove(reservationKey(credentialId), {
          condition: '#user_id = :user_id',
          values: { user_id: userId },
        });
        await table.remove(itemKey(userId, credentialId));
      }
    },

    async restore(userId, credentialId) {
      const key = itemKey(userId, credentialId);
      const item = await table.get(key);
      if (item?.removed !== true) return;
      // Make the reservation permanent first, because a passkey whose credential ID is not reserved cannot log in.
      await purgeReservation(credentialId, undefined);
      await table.update(key, {
        condition: '#removed = :yes',
        remove: ['#removed', '#removed_by', '#purge_at'],
        values: { yes: true },
        returnsNothing: true,
      });
    },
  };
}

import { asBase64url } from '../../../shared/domain/basis/base64.ts';
import { FORMER_ADDRESS_SECONDS } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { passkeyRecord } from '../../../shared/domain/passkeys/passkey-record.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { PasskeyRecord } from '../../../shared/schemas/passkeys.ts';
import { RenamePasskeyBody } from '../../../shared/schemas/passkeys.ts';
import { type Call, type CommandGroup, withBody } from '../engine/command.ts';
import { fieldsOf } from '../engine/fields.ts';
import { type Column, listOutcome } from '../terminal/outcome.ts';
import { shortDate } from '../terminal/print.ts';
import { aboutUser, ofUser, userOf } from './user-option.ts';

const columns: readonly Column<PasskeyRecord>[] = [
  { heading: 'PASSKEY', text: (passkey) => passkey.credential_id, flexible: true },
  { heading: 'NAME', text: (passkey) => passkey.name ?? '', flexible: true },
  { heading: 'MADE', text: (passkey) => shortDate(passkey.created_at) },
];

/** Errors: `passkey_not_found`. */
function credentialOf({ id }: Call): string {
  const credentialId = asBase64url(id);
  if (!credentialId) throw new ServiceError('passkey_not_found');
  return credentialId;
}

export const passkey: CommandGroup = {
  name: 'passkey',
  summary: 'passkeys of a user, named by their credential IDs',
  about: aboutUser,
  commands: [
    {
      verb: 'list',
      summary: 'Lists the passkeys of a user',
      required: ofUser,
      examples: ['--user 0a1b2c'],
      run: async (call) => {
        const items = await call.ports.passkeyRecords.listOf(await userOf(call));
        return listOutcome({ items }, passkeyRecord, columns);
      },
    },
    {
      verb: 'update',
      summary: 'Names a passkey',
      changes: 'own-events',
      id: 'required',
      required: ofUser,
      fields: fieldsOf(RenamePasskeyBody, [{ flag: 'name' }]),
      examples: ['pK3x --user 0a1b2c --name "Work laptop"'],
      run: withBody(RenamePasskeyBody, async (call) => {
        const { passkeyRecords } = call.ports;
        const renamed = await passkeyRecords.rename(await userOf(call), credentialOf(call), call.body.name);
        if (!renamed) throw new ServiceError('passkey_not_found');
        return { record: passkeyRecord(renamed) };
      }),
    },
    {
      verb: 'delete',
      summary: 'Removes a passkey: it opens nothing any more',
      changes: 'passkey.removed',
      id: 'required',
      required: ofUser,
      confirm: (id) => `Remove the passkey ${id}`,
      examples: ['pK3x --user 0a1b2c --yes'],
      run: async (call) => {
        if (
          !(await call.ports.passkeyRecords.remove(
            await userOf(call),
            credentialOf(call),
            nowSeconds() + FORMER_ADDRESS_SECONDS,
          ))
        )
          throw new ServiceError('passkey_not_found');
        return { done: `The passkey ${call.id} is removed.` };
      },
    },
  ],
};

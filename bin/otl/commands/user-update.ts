import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { leavesMailbox } from '../../../shared/domain/sending/former-address.ts';
import { changesOf, updateUser } from '../../../shared/domain/users/update-user.ts';
import { userRecord } from '../../../shared/domain/users/user-record.ts';
import { mailFormerAddress } from '../../../shared/flows/sending/former-address-notice.ts';
import type { User } from '../../../shared/ports/people.ts';
import type { UserFields } from '../../../shared/schemas/users.ts';
import type { Call } from '../engine/command.ts';
import type { Outcome } from '../terminal/outcome.ts';

/** Like the HTTP operation: changes become events, and the former email address gets a mail. */
export async function updateCommand(call: Call<UserFields>): Promise<Outcome> {
  const { ports, audit, mailFrom } = call;
  const tenant = await call.tenant();
  let former: User | undefined;
  const user = await updateUser(ports, tenant, call.id, call.body, nowSeconds(), (before, after) => {
    audit({ events: changesOf(before, after) });
    if (leavesMailbox(before, after)) former = before;
  });
  const record = userRecord(user);
  if (!former) return { record };
  try {
    if (await mailFormerAddress(ports, tenant, former, mailFrom, nowSeconds())) audit({ notice: 'sent' });
    return { record };
  } catch {
    audit({ notice: 'failed' });
    return { record, note: 'The former address could not be told: the mail was not taken.' };
  }
}

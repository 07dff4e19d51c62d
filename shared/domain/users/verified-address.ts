import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Waking } from '../../ports/flows.ts';
import type { Address, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import type { UserFields } from '../../schemas/users.ts';
import { isProvenAt, provenAddress } from '../identifiers/proven-address.ts';
import { awakeAs, isOver } from '../identifiers/sleep.ts';
import { changeUser, replaceWith } from './change-user.ts';
import { changesOf, type ReplacePorts, updateUser } from './update-user.ts';

/** Addresses that a person has proven in the middle of a login; the last one is noted when the code is exchanged. */

type Marks = Pick<Address, 'provenAt' | 'secondAt'>;

/** What it was sent to has been delivered; who else may read there is another question. */
const proven = ({ value, risk, wokenAt, secondAt }: Address, awake: Waking & Marks): Address => ({
  ...{ value, verified: true },
  ...(risk && { risk }),
  ...(secondAt !== undefined && { secondAt }),
  ...awakeAs(wokenAt),
  ...awake,
});

/**
 * Marks the address that a credential was delivered to, if it still is the user's, and wakes it as its login is awake. No login
 * fails for it. A first proof notes what the address is beside others, too. `read`: the user as just read from the records.
 */
export async function markVerified(
  ports: Using<'userRecords.find' | 'userRecords.replace'>,
  tenant: Tenant,
  user: User,
  deliveredToHash: string | undefined,
  awake: Waking & Marks,
  read?: User,
): Promise<void> {
  const found = provenAddress(tenant, user, deliveredToHash);
  const known = found && user[found.attribute];
  const isKnown = isProvenAt(known, undefined) || (known?.verified && awake.provenAt !== undefined);
  if (!found || (isKnown && !known?.undeliverable)) return;
  const { attribute, value } = found;
  const change = (current: User): User => {
    const address = current[attribute];
    if (address?.value !== value) return current;
    // What is proven in the tenant is not limited by a lesser proof.
    const { provenAt, ...rest } = awake;
    const marks = isProvenAt(address, undefined) || provenAt === undefined ? rest : awake;
    return { ...current, [attribute]: proven(address, marks) };
  };
  try {
    await changeUser(ports, tenant, user.userId, replaceWith(ports, change), read);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
}

/**
 * Gives the user the address that they have just proven to hold, in a login that is awake as `login`, and notes the change of a former one. Errors: `access_denied` when it is another user's, the user is gone or was proven to be another.
 */
export async function addVerifiedAddress(
  ports: ReplacePorts & Using<'sessions.endAllOf'>,
  tenant: Tenant,
  userId: string,
  fields: UserFields,
  at: number,
  audit: (context: AuditContext) => void,
  login: Waking & Marks & { readonly ownSessionId: string | undefined },
): Promise<void> {
  const what = fields.email ? 'email address' : 'phone number';
  const onChange = (before: User, after: User) => audit({ userId, events: changesOf(before, after) });
  // The address of an attacker must not come after the first proof of the owner.
  const check = (before: User) => {
    if (isOver(before, login)) throw new ServiceError('access_denied');
  };
  try {
    await updateUser(ports, tenant, userId, fields, at, onChange, check, login);
  } catch (error) {
    if (error instanceof ServiceError && error.key === 'identifier_taken')
      throw new ServiceError('access_denied', { message: `The ${what} belongs to another user` });
    if (error instanceof ServiceError && error.key === 'user_not_found')
      throw new ServiceError('access_denied', { message: 'The user is gone' });
    throw error;
  }
}

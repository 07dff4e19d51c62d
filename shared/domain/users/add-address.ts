import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { AddressFields, CredentialChange, User } from '../../ports/people.ts';
import type { GenerationBound, Trust } from '../../ports/trust.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { recordFactorEnrolment } from '../trust/changes.ts';
import { hasEnded } from '../trust/generations.ts';
import { applyAddressFields } from '../trust/given-address.ts';
import { listChangeEvents, type ReplacePorts, updateUser } from './update-user.ts';

/** Login on hosted pages during which the user adds an address. */
export interface AddressLogin extends GenerationBound {
  readonly fields: AddressFields;
  readonly at: number;
  readonly trust: Pick<Trust, 'standing' | 'scope'>;
  readonly undoCondition: CredentialChange['undoCondition'];
  /** Session of the login. It stays active when a changed address ends the user's sessions. */
  readonly ownSessionId: string | undefined;
  /** True if the address becomes the second factor of the login. */
  readonly isFactor: boolean;
}

/**
 * Adds an address that the user has just verified during a login, and records the change if it replaces another address.
 * Errors: `access_denied` if the address belongs to another user, the user no longer exists, or the login has ended because
 * another address was proven in the meantime.
 */
export async function addVerifiedAddress(
  ports: ReplacePorts & PortsWith<'sessions.endAllOf'>,
  who: { readonly tenant: Tenant; readonly userId: string },
  login: AddressLogin,
  audit: (context: AuditContext) => void,
): Promise<void> {
  const { fields, at, trust, undoCondition, ownSessionId, isFactor } = login;
  const what = fields.email ? 'email address' : 'phone number';
  const onChange = (before: User, after: User) => {
    const changes = listChangeEvents(before, after);
    // Users are also notified of a number that becomes a factor without being changed.
    const events = isFactor && changes.length === 0 ? (['user.phone_added'] as const) : changes;
    audit({ userId: who.userId, events });
  };
  // If the owner has proven the account in the meantime, an attacker's login must not add an address.
  const check = (before: User) => {
    if (hasEnded(before, login)) throw new ServiceError('access_denied');
  };
  const apply = (user: User) => {
    const { phoneNumber: former } = user;
    const noted = isFactor ? recordFactorEnrolment(user, former ? { former } : {}, at) : user;
    return applyAddressFields(noted, fields, at, { how: 'login', ...trust });
  };
  try {
    await updateUser(ports, who, { apply, undoCondition, ownSessionId, check, onChange }, at);
  } catch (error) {
    if (error instanceof ServiceError && error.key === 'identifier_taken')
      throw new ServiceError('access_denied', { message: `The ${what} belongs to another user` });
    if (error instanceof ServiceError && error.key === 'user_not_found')
      throw new ServiceError('access_denied', { message: 'The user no longer exists' });
    throw error;
  }
}

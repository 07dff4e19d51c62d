// An operator without the role admin could replace a user's address by the operator's own address to take over the account.
// Therefore the new address can log in by itself only after the recovery delay, in which each address of the user can cancel
// the change. No other event changes the end of the delay.
import type { Tenant } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import { FORMER_ADDRESSES_MAX } from '../basis/limits.ts';
import { maySend } from '../identifiers/may-send.ts';
import type { SmsCountries } from '../identifiers/phone-number.ts';
import { deliveriesAboutOperatorChange } from '../sending/notice.ts';
import { isAddressChange } from '../trust/changes.ts';
import { TENANT_WIDE } from '../trust/generations.ts';
import type { AddressChangeSource } from '../trust/given-address.ts';
import { NEVER, readRecoveryDelay } from '../users/pending-recovery.ts';

/**
 * Returns the time (epoch seconds) from which the user can log in with only an address that an operator set at `at`. Returns
 * `NEVER` if no address of the user can be notified, or if the user already has the maximum number of address changes to undo.
 */
function computeDelayEnd(tenant: Tenant, settings: SmsCountries, user: User, at: number): number {
  const delay = readRecoveryDelay(tenant);
  const isTold = deliveriesAboutOperatorChange(user, delay, at).some(({ channel, to }) =>
    maySend(settings, channel, to),
  );
  const changes = user.changes.filter(({ what, until }) => isAddressChange(what) && until > at);
  return isTold && changes.length < FORMER_ADDRESSES_MAX ? at + delay : NEVER;
}

/**
 * Returns the terms of an address change by a non-admin operator: its source, and the time from which the address can be used
 * to log in.
 */
export const buildOperatorChangeTerms = (
  tenant: Tenant,
  settings: SmsCountries,
  user: User,
  at: number,
): AddressChangeSource => ({
  how: 'operator',
  scope: TENANT_WIDE,
  delayedUntil: computeDelayEnd(tenant, settings, user, at),
});

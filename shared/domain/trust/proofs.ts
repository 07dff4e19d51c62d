import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Address, User } from '../../ports/people.ts';
import type { Trust } from '../../ports/trust.ts';
import { isCurrent, TENANT } from './generations.ts';
import { covers } from './kinds.ts';

/** Credentials as proofs of a login. */

type Proof = Pick<MethodUse, 'method' | 'at' | 'authTime'>;

/** What a passkey, device key or account at a provider proves, by its trust and its name. */
export function provedBy(
  user: User,
  { trust, credential }: { readonly trust: Trust; readonly credential: string },
  { applicationId }: Pick<Application, 'applicationId'>,
  { method, at, authTime }: Proof,
): MethodUse {
  const { scope, standing } = trust;
  const isOpen = isCurrent(user, trust) && covers(scope, applicationId);
  const worth = standing === 'claimed' ? 'verified' : standing;
  const proof = { method, at, ...(authTime === undefined ? {} : { authTime }) };
  return { ...proof, scope, worth: isOpen ? worth : 'quarantined', credential };
}

/** A code that was not delivered to the user's own address: the client of the application vouches for the user. */
export const vouchedBy = (
  { applicationId }: Pick<Application, 'applicationId'>,
  { method, at }: Proof,
): MethodUse => ({
  method,
  at,
  worth: 'vouched',
  scope: applicationId,
  credential: '',
});

/** A provider's word for the mailbox of an account there counts like a code to it. */
export const mailboxProof = (at: number): MethodUse => ({
  method: 'eotp',
  at,
  worth: 'proven',
  scope: TENANT,
  credential: 'email',
});

/** Whether an address is shown as verified at an application; without one, at any. It says nothing of its being a kind. */
export const isVerified = (
  user: User,
  address: Address,
  place: Pick<Application, 'applicationId'> | undefined,
): boolean =>
  address.standing !== 'claimed' &&
  isCurrent(user, address) &&
  (place === undefined || covers(address.scope, place.applicationId));

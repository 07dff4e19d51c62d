// Proofs that credentials of a user give in a login.
import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Address, User } from '../../ports/people.ts';
import type { Trust } from '../../ports/trust.ts';
import { isValidIn } from './factor-types.ts';
import { hasValidGeneration, TENANT_WIDE } from './generations.ts';

type Proof = Pick<MethodUse, 'method' | 'at' | 'authTime'>;

/**
 * Returns the proof that a passkey, a device key or an account at a provider gives in a login. The proof is insufficient
 * without another factor if the credential is superseded or not valid in the application. `credential` identifies the
 * credential in proofs.
 */
export function createCredentialProof(
  user: User,
  { trust, credential }: { readonly trust: Trust; readonly credential: string },
  { applicationId }: Pick<Application, 'applicationId'>,
  { method, at, authTime }: Proof,
): MethodUse {
  const { scope, standing } = trust;
  const isOpen = hasValidGeneration(user, trust) && isValidIn(scope, applicationId);
  const worth = standing === 'claimed' ? 'verified' : standing;
  const proof = { method, at, ...(authTime === undefined ? {} : { authTime }) };
  return { ...proof, scope, worth: isOpen ? worth : 'quarantined', credential };
}

/** Returns the proof of a code that was not sent to an address of the user: only the client vouches for the user. */
export const createVouchedProof = (
  { applicationId }: Pick<Application, 'applicationId'>,
  { method, at }: Proof,
): MethodUse => ({
  method,
  at,
  worth: 'vouched',
  scope: applicationId,
  credential: '',
});

/** Returns the proof of an email address that a provider confirms. It is as strong as a code sent to that address. */
export const mailboxProof = (at: number): MethodUse => ({
  method: 'eotp',
  at,
  worth: 'proven',
  scope: TENANT_WIDE,
  credential: 'email',
});

/**
 * Returns true if an address is shown as verified in `application`, or in any application if `application` is
 * absent. A verified address is not necessarily a factor.
 */
export const isVerifiedIn = (
  user: User,
  address: Address,
  application: Pick<Application, 'applicationId'> | undefined,
): boolean =>
  address.standing !== 'claimed' &&
  hasValidGeneration(user, address) &&
  (application === undefined || isValidIn(address.scope, application.applicationId));

import { sendsTo } from '../../domain/credentials/login-preferences.ts';
import { acceptsPasskeys } from '../../domain/hosted-login/login-passkey.ts';
import type { LoginProgress, OpenLogin } from '../../domain/hosted-login/login-transaction.ts';
import { mayOfferPasskey } from '../../domain/hosted-login/passkey-offer.ts';
import type { AccountNeeds } from '../../domain/oauth/authorization-request.ts';
import type { BindingLogin } from '../../domain/trust/binding.ts';
import {
  ANY_APPLICATION,
  findAccountFactorTypes,
  isRecoveryInEffect,
  listMfaFactorTypes,
  listProvenFactorTypes,
  toFactorType,
} from '../../domain/trust/factor-types.ts';
import { TENANT_WIDE } from '../../domain/trust/generations.ts';
import { isPrivilegedUser, type PrivilegePorts } from '../../domain/trust/privileged-user.ts';
import { canBeNotified } from '../../domain/users/pending-recovery.ts';
import type { Application } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { FactorType } from '../../ports/trust.ts';
import { ADDRESS_TYPES, type AddressType, addressTypes } from '../../records/channels.ts';
import { applyConsent } from './consent-state.ts';
import type { LoginContext } from './login-context.ts';

export const isByPasskey = ({ method }: MethodUse) => method === 'webauthn';

/**
 * Returns the reason to propose a new passkey: `wanted` in a login that begins with passkeys, otherwise `offer`. Returns
 * undefined if the user has already used a passkey in this login, or has already answered the proposal.
 */
export function findNewPasskeyReason(context: LoginContext): 'wanted' | 'offer' | undefined {
  const { login, application, settings, passkeyAnswers, now } = context;
  const { request, progress } = login;
  const { offered, proven, held, userId } = progress;
  // A login without a proof only asks for consent, so it offers no passkey.
  if (held && proven.length === 0) return undefined;
  if (offered || proven.some(isByPasskey) || !acceptsPasskeys(application, settings)) return undefined;
  if (request.passkeyFirst) return 'wanted';
  const isPlain = request.origin === 'oidc' && request.approvalData === undefined;
  const mayOffer = application.offerPasskeys && userId !== undefined && isPlain;
  return mayOffer && mayOfferPasskey(passkeyAnswers, userId, now) ? 'offer' : undefined;
}

/** State in which the user types a new address, by the type of the address. */
const NEW_ADDRESS = { email: 'new-email', phone_number: 'number' } as const satisfies Record<
  AddressType,
  string
>;

/** Returns the state in which the user adds or replaces the address `adds`. Undefined if `adds` is no usable address type. */
export function findNewAddressState(
  application: Application,
  user: User | undefined,
  adds: AccountNeeds['adds'],
) {
  const type = ADDRESS_TYPES.find((each) => addressTypes[each].item === adds);
  if (!type || !sendsTo(application, type)) return undefined;
  return { kind: NEW_ADDRESS[type], replaces: user?.[addressTypes[type].attribute] };
}

/** Returns the state that replaces a lost factor, after the recovery delay. Undefined if the user has not chosen to recover. */
export function findRecoveredFactorState(
  { login, application, settings, now }: LoginContext,
  user: User | undefined,
) {
  const { recovering, offered, sealedPhone } = login.progress;
  const isDone = offered !== undefined || sealedPhone !== undefined;
  if (!recovering || isDone || !isRecoveryInEffect(user?.recovery, now)) return undefined;
  if (acceptsPasskeys(application, settings)) return { kind: 'passkey', isOffer: false } as const;
  return sendsTo(application, 'phone_number') ? ({ kind: 'number' } as const) : undefined;
}

/**
 * Returns the state in which the user creates the required second factor: a passkey, or a phone number if a passkey is not
 * possible.
 */
export function findNewSecondFactorState(
  { login, application, settings }: LoginContext,
  used: readonly MethodUse[],
) {
  const { progress } = login;
  const gives = (kind: FactorType) => used.some(({ method }) => toFactorType(method) === kind);
  const takesNumber =
    sendsTo(application, 'phone_number') && progress.sealedPhone === undefined && !gives('phone');
  if (!progress.offered && !gives('passkey') && acceptsPasskeys(application, settings)) {
    const isFactor = takesNumber ? 'first' : 'last';
    return { kind: 'passkey', isOffer: false, isFactor } as const;
  }
  return takesNumber ? ({ kind: 'number' } as const) : undefined;
}

/**
 * Returns true if the login is a sign-up that requires a second factor. The user creates this factor without another proof,
 * because a new account contains nothing that an attacker could take over (NIST SP 800-63B-4 §4.1.2.1).
 */
export const isSigningUp = ({ request, progress }: OpenLogin): boolean =>
  request.requireMfa === true && progress.sealedSignUp !== undefined;

/**
 * Returns true if the application lets this user create the second factor. The user must have used all factor types that the
 * account has in any application, and must have an address that can receive notices. Privileged users are excluded, because an
 * attacker who reads their mailbox would gain their rights.
 */
export async function mayEnrol(
  ports: PrivilegePorts,
  { login, application, settings }: LoginContext,
  binding: BindingLogin | undefined,
): Promise<boolean> {
  const { request, progress } = login;
  const isOpen = application.enrolSecondFactor && request.requireMfa && progress.sealedLink === undefined;
  if (!isOpen || !binding || request.undo) return false;
  const { user, proofs, at } = binding;
  const given = listProvenFactorTypes(proofs);
  if (given.size === 0 || listMfaFactorTypes(proofs).size > 1 || !canBeNotified(user, settings)) return false;
  const { existing } = findAccountFactorTypes(binding, ANY_APPLICATION, at);
  return [...existing].every((kind) => given.has(kind)) && !(await isPrivilegedUser(ports, user));
}

/**
 * Returns the progress of a login to which a credential was added. A credential that was created as second factor counts as a
 * proof.
 */
export function withAddedCredential(
  { login, application }: Pick<LoginContext, 'login' | 'application'>,
  enrols: boolean,
  progress: LoginProgress,
  bound: Pick<MethodUse, 'method' | 'credential' | 'at'>,
): LoginProgress {
  // A user who signs up has given no consent before.
  const isFirst = isSigningUp({ ...login, request: applyConsent(login, undefined) });
  if (!isFirst && !enrols) return progress;
  // The new factor is valid in this application only. Other applications have not agreed that one factor is enough to create a
  // second one.
  const use: MethodUse = isFirst
    ? { ...bound, worth: 'proven', scope: TENANT_WIDE }
    : { ...bound, worth: 'enrolled', scope: application.applicationId };
  return { ...progress, proven: [...progress.proven, use] };
}

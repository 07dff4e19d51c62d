import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { useOf } from '../../shared/domain/credentials/authentication-proof.ts';
import { bindsInTenant } from '../../shared/domain/credentials/fresh-login.ts';
import { IN_TENANT } from '../../shared/domain/credentials/good-at.ts';
import { withOffer, withPasskey } from '../../shared/domain/hosted-login/login-passkey.ts';
import { type LoginProgress, saveProgress } from '../../shared/domain/hosted-login/login-transaction.ts';
import { awakeAs, hasWaking, markAsleep } from '../../shared/domain/identifiers/sleep.ts';
import { passkeyArtifacts } from '../../shared/domain/passkeys/passkey-artifacts.ts';
import {
  type CheckedPasskey,
  checkPasskey,
  consumePasskey,
  requireNamedUser,
  requirePresented,
  type SoughtPasskey,
  seekPasskey,
} from '../../shared/domain/passkeys/passkey-login.ts';
import { refusedPasskey } from '../../shared/domain/passkeys/passkey-refusal.ts';
import { findRegistration, verifyNewPasskey } from '../../shared/domain/passkeys/passkey-registration.ts';
import { storePasskey } from '../../shared/domain/passkeys/passkey-storage.ts';
import { relyingPartyOf } from '../../shared/domain/passkeys/relying-party.ts';
import { readAuthentication, readRegistration } from '../../shared/domain/passkeys/webauthn-result.ts';
import type { NewUserPorts } from '../../shared/domain/users/create-user.ts';
import { storeWithNewUser } from '../../shared/domain/users/external-user.ts';
import { requireLoginUser } from '../../shared/domain/users/login-user.ts';
import { requirePublicSignup } from '../../shared/domain/users/sign-up.ts';
import type { ErrorKey } from '../../shared/errors/catalogue.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { currentState } from '../../shared/flows/hosted-login/login-state.ts';
import type { AuditContext } from '../../shared/operation.ts';
import type { MethodUse } from '../../shared/ports/flows.ts';
import type { User } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import type { ProofOutcome } from './resolve.ts';

type LoginPorts = Using<
  | 'webauthnChallenges.consume'
  | 'webauthnChallenges.find'
  | 'passkeys.find'
  | 'passkeys.findOwner'
  | 'passkeys.listOf'
  | 'passkeys.recordUse'
  | 'sessions.find'
  | 'users.find'
  | 'loginTransactions.advance'
>;
type RegistrationPorts = NewUserPorts &
  Using<
    | 'identifiers'
    | 'passkeys.findOwner'
    | 'passkeys.listOf'
    | 'webauthnChallenges.consume'
    | 'webauthnChallenges.find'
    | 'passkeyRecords.reserve'
    | 'passkeyRecords.put'
    | 'rpIds'
    | 'users.find'
    | 'loginTransactions.advance'
  >;

/** Failures that the user can correct with another passkey or another method. */
const REFUSALS: readonly ErrorKey[] = [
  'system_invalid_input',
  'passkey_invalid',
  'passkey_taken',
  'identifier_taken',
  'public_signup_off',
  'login_user_gone',
  'user_not_active',
];

function rejectedPasskey(error: unknown, shown: PageError): ProofOutcome {
  if (!(error instanceof ServiceError) || !REFUSALS.includes(error.key)) throw error;
  const note: AuditContext = { ...error.detail.audit, method: 'webauthn', result: error.key };
  return { error: shown, note };
}

/** Whether a login makes a passkey that a client has bound good in the tenant. It takes what binding a new one takes. */
async function mayConfirm(
  ports: Using<'passkeys.listOf'>,
  { tenant, application, settings, now: at }: LoginContext,
  { passkey, limit }: CheckedPasskey,
  user: User,
  proofs: readonly MethodUse[],
): Promise<boolean> {
  if (limit === undefined || !hasWaking(proofs)) return false;
  const known = await ports.passkeys.listOf(user.userId);
  const { rpId } = relyingPartyOf(application, settings);
  const passkeys = known.filter(({ credentialId }) => credentialId !== passkey.credentialId);
  return bindsInTenant({ user, tenant, application, rpId, passkeys, proofs, at });
}

async function addFactor(
  ports: LoginPorts,
  context: LoginContext,
  earlier: readonly MethodUse[],
  credential: string,
  sought: SoughtPasskey | undefined,
): Promise<ProofOutcome> {
  const { tenant, application, settings, login, now } = context;
  const { progress, transaction } = login;
  const result = readAuthentication(credential);
  if (!sought) throw refusedPasskey();
  const presented = requirePresented(context, result, sought, { loginHash: transaction.hash });
  const relyingParty = relyingPartyOf(application, settings);
  const [checked, user] = await awaitAll(
    // First: without a signature the answer must tell nothing about the user.
    checkPasskey(ports, { tenant, application, relyingParty }, presented),
    requireLoginUser(ports, tenant.tenantId, presented.userId),
  );
  requireNamedUser(tenant, presented, user);
  // Both factors must belong to one user.
  const { userId } = user;
  if (progress.userId !== undefined && progress.userId !== userId)
    throw refusedPasskey({ audit: { userId } });
  const confirms = await mayConfirm(ports, context, checked, user, [...earlier, ...progress.proven]);
  const proof = await consumePasskey(ports, checked, now, confirms);
  const { passkey } = checked;
  const use = markAsleep(user, passkey, passkey.credentialId, useOf(proof));
  const proven = withPasskey(progress, user, use, passkey.credentialId, passkeyArtifacts(checked));
  const [next, current] = await awaitAll(
    saveProgress(ports, context, proven),
    currentState(ports, { ...context, login: { ...login, progress: proven } }),
  );
  return next ? { login: next, current, note: { userId, method: proof.method } } : { movedOn: true };
}

/** What a credential names, read beside the login that it comes to. Undefined for what no passkey signed to log in. */
export async function seekCredential(
  ports: Using<'webauthnChallenges.find' | 'passkeys.findOwner'>,
  credential: string,
  now: number,
): Promise<SoughtPasskey | undefined> {
  try {
    return await seekPasskey(ports, readAuthentication(credential), now);
  } catch (error) {
    if (error instanceof ServiceError && error.key === 'system_invalid_input') return undefined;
    throw error;
  }
}

/** Checks a passkey as a factor of this login. `earlier` are the proofs of the session that it steps up. */
export async function verifyPasskey(
  ports: LoginPorts,
  context: LoginContext,
  earlier: readonly MethodUse[],
  credential: string,
  sought: SoughtPasskey | undefined,
): Promise<ProofOutcome> {
  try {
    return await addFactor(ports, context, earlier, credential, sought);
  } catch (error) {
    return rejectedPasskey(error, { key: 'passkey_invalid' });
  }
}

async function register(
  ports: RegistrationPorts,
  context: LoginContext,
  userId: string,
  earlier: readonly MethodUse[],
  credential: string,
): Promise<ProofOutcome> {
  const { tenant, application, settings, login, now } = context;
  const { tenantId, applicationId, hash } = login.transaction;
  const result = readRegistration(credential);
  const challenge = await findRegistration(
    ports,
    { tenantId, applicationId, userId },
    result.sessionId,
    now,
    hash,
  );
  const userExists = login.progress.sealedSignUp === undefined;
  const { newUser } = login.request.enrolment ?? {};
  const relyingParty = relyingPartyOf(application, settings);
  const proofs = [...earlier, ...login.progress.proven];
  let isBoundHere = !hasWaking(proofs);
  if (newUser) requirePublicSignup(application);
  else if (userExists) {
    const [user, passkeys] = await awaitAll(
      requireLoginUser(ports, tenantId, userId),
      ports.passkeys.listOf(userId),
    );
    const { rpId } = relyingParty;
    isBoundHere = !bindsInTenant({ user, tenant, application, rpId, passkeys, proofs, at: now });
  }
  const goodAt = isBoundHere ? applicationId : IN_TENANT;
  const marks = { goodAt, ...awakeAs(login.progress.wokenAt) };
  const open = { challenge, userId };
  const passkey = await verifyNewPasskey(ports, { relyingParty }, open, result, marks, now);
  const offered = withOffer(login.progress, passkey);
  if (newUser) {
    const { user, isCreated } = await storeWithNewUser(ports, context, passkey, newUser, now);
    const next = await saveProgress(ports, context, isCreated ? { ...offered, userCreated: true } : offered);
    const events = isCreated ? (['passkey.added', 'user.created'] as const) : (['passkey.added'] as const);
    return next ? { login: next, note: { userId: user.userId, events } } : { movedOn: true };
  }
  // During sign-up there is no user yet: the passkey waits in the login's progress.
  if (userExists) await storePasskey(ports, application, passkey);
  const next = await saveProgress(ports, context, offered);
  return next
    ? { login: next, note: userExists ? { userId, events: ['passkey.added'] } : {} }
    : { movedOn: true };
}

function requireUserId({ userId }: LoginProgress): string {
  if (userId === undefined) throw new Error('a passkey is registered after the first factor');
  return userId;
}

/** Registers a new passkey for the user of this login. */
export async function registerPasskey(
  ports: RegistrationPorts,
  context: LoginContext,
  earlier: readonly MethodUse[],
  credential: string,
): Promise<ProofOutcome> {
  try {
    return await register(ports, context, requireUserId(context.login.progress), earlier, credential);
  } catch (error) {
    const taken = error instanceof ServiceError && error.key === 'passkey_taken';
    return rejectedPasskey(error, { key: taken ? 'passkey_exists' : 'passkey_not_saved' });
  }
}

/** The same for an offer after a login: whatever fails, the login goes on without the passkey. */
export async function registerOffered(
  ports: RegistrationPorts,
  context: LoginContext,
  earlier: readonly MethodUse[],
  credential: string,
): Promise<ProofOutcome> {
  const { progress } = context.login;
  try {
    return await register(ports, context, requireUserId(progress), earlier, credential);
  } catch (cause) {
    const next = await saveProgress(ports, context, withOffer(progress, undefined));
    return next ? { login: next, note: { cause } } : { movedOn: true };
  }
}

import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { AUTHORIZATION_CODE_SECONDS, LOGIN_TRANSACTION_SECONDS } from '../../shared/domain/basis/limits.ts';
import { withOffer, withPasskey } from '../../shared/domain/hosted-login/login-passkey.ts';
import { type LoginProgress, saveProgress } from '../../shared/domain/hosted-login/login-transaction.ts';
import { findLoginUser } from '../../shared/domain/hosted-login/undo-login.ts';
import { passkeyArtifacts } from '../../shared/domain/passkeys/passkey-artifacts.ts';
import {
  type ChallengeAndOwner,
  checkPasskey,
  findChallengeAndOwner,
  requireNamedUser,
  requireOwnChallenge,
  usePasskey,
} from '../../shared/domain/passkeys/passkey-login.ts';
import { invalidPasskeyError } from '../../shared/domain/passkeys/passkey-refusal.ts';
import { findRegistration, verifyNewPasskey } from '../../shared/domain/passkeys/passkey-registration.ts';
import { storePasskey } from '../../shared/domain/passkeys/passkey-storage.ts';
import { toRelyingParty } from '../../shared/domain/passkeys/relying-party.ts';
import { readAuthentication, readRegistration } from '../../shared/domain/passkeys/webauthn-result.ts';
import { createPageTrust, createVouchedTrust } from '../../shared/domain/trust/binding.ts';
import { recordFactorEnrolment } from '../../shared/domain/trust/changes.ts';
import { hasFactorProof } from '../../shared/domain/trust/factor-types.ts';
import {
  currentGeneration,
  FIRST_GENERATION,
  hasEnded,
  TENANT_WIDE,
  UNPROVEN_GENERATIONS,
} from '../../shared/domain/trust/generations.ts';
import { createCredentialProof } from '../../shared/domain/trust/proofs.ts';
import { computeProofsAfterLogin } from '../../shared/domain/trust/trust-gains.ts';
import { changeUser, createReplaceAttempt } from '../../shared/domain/users/change-user.ts';
import type { NewUserPorts } from '../../shared/domain/users/create-user.ts';
import { storeWithNewUser } from '../../shared/domain/users/external-user.ts';
import { requireLoginUser } from '../../shared/domain/users/login-user.ts';
import { requirePublicSignup } from '../../shared/domain/users/sign-up.ts';
import type { ErrorKey } from '../../shared/errors/catalogue.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { type CurrentState, deriveCurrentState } from '../../shared/flows/hosted-login/login-state.ts';
import { withAddedCredential } from '../../shared/flows/hosted-login/new-factor.ts';
import type { Feedback } from '../../shared/flows/hosted-login/show-page.ts';
import type { AuditContext } from '../../shared/operation.ts';
import type { MethodUse } from '../../shared/ports/flows.ts';
import type { Passkey } from '../../shared/ports/people.ts';
import type { Trust } from '../../shared/ports/trust.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import type { ProofOutcome } from './resolve.ts';

type LoginPorts = PortsWith<
  | 'consents.find'
  | 'webauthnChallenges.consume'
  | 'webauthnChallenges.find'
  | 'webauthnChallenges.undoConsume'
  | 'passkeys.find'
  | 'passkeys.findOwner'
  | 'passkeys.listOf'
  | 'passkeys.recordUse'
  | 'sessions.find'
  | 'users.find'
  | 'membershipRecords.listOfUser'
  | 'loginTransactions.advance'
>;
type LoginPasskeys = Pick<LoginPorts['passkeys'], 'find' | 'recordUse'>;
type RegistrationPorts = NewUserPorts &
  PortsWith<
    | 'identifiers'
    | 'passkeys.findOwner'
    | 'passkeys.listOf'
    | 'webauthnChallenges.consume'
    | 'webauthnChallenges.find'
    | 'passkeyRecords.reserve'
    | 'passkeyRecords.put'
    | 'rpIds'
    | 'userRecords.replace'
    | 'users.find'
    | 'loginTransactions.advance'
  >;

/** Errors that the user can correct by using another passkey or another method. */
const CORRECTABLE_ERRORS: readonly ErrorKey[] = [
  'system_invalid_input',
  'passkey_invalid',
  'passkey_taken',
  'identifier_taken',
  'public_signup_off',
  'login_user_gone',
  'user_not_active',
];

/** Converts an error into a rejected proof with the given page error. Rethrows errors that the user cannot correct. */
function rejectedPasskey(error: unknown, shown: PageError): NonNullable<ProofOutcome> {
  if (!(error instanceof ServiceError) || !CORRECTABLE_ERRORS.includes(error.key)) throw error;
  const note: AuditContext = { ...error.detail.audit, method: 'webauthn', result: error.key };
  return { error: shown, note };
}

/**
 * Verifies a passkey and saves it as a factor of the login. A login that undoes a credential change also accepts a passkey that
 * this change removed.
 */
async function addFactor(
  ports: LoginPorts,
  context: LoginContext,
  credential: string,
  sought: ChallengeAndOwner | undefined,
): Promise<ProofOutcome> {
  const { tenant, application, settings, login, now } = context;
  const { progress, transaction } = login;
  const result = readAuthentication(credential);
  if (!sought) throw invalidPasskeyError();
  const presented = requireOwnChallenge(context, result, sought, { loginHash: transaction.hash });
  const relyingParty = toRelyingParty(application, settings);
  const finding = findLoginUser(ports.users, context, presented.userId);
  const mayBeRemoved = login.request.undo !== undefined;
  const passkeys: LoginPasskeys = {
    find: async (userId, credentialId) =>
      ports.passkeys.find(userId, credentialId, mayBeRemoved ? (await finding).restorable : []),
    recordUse: (use) => ports.passkeys.recordUse({ ...use, mayBeRemoved }),
  };
  const [checked, user] = await awaitAll(
    // This check comes first, so that its error is thrown: without a valid signature, the response must reveal nothing about
    // the user.
    checkPasskey({ passkeys }, { tenant, application, relyingParty }, presented),
    requireLoginUser(
      { users: { find: async () => (await finding).user } },
      tenant.tenantId,
      presented.userId,
    ),
  );
  requireNamedUser(tenant, presented, user);
  // Both factors must belong to one user.
  const { userId } = user;
  if (progress.userId !== undefined && progress.userId !== userId)
    throw invalidPasskeyError({ audit: { userId } });
  const { passkey } = checked;
  return usePasskey({ ...ports, passkeys }, checked, now, async (proof) => {
    const use = createCredentialProof(
      user,
      { trust: passkey, credential: passkey.credentialId },
      application,
      proof,
    );
    const proven = withPasskey(progress, user, use, passkeyArtifacts(checked));
    const [next, current] = await awaitAll(
      saveProgress(ports, context, proven),
      deriveCurrentState(ports, { ...context, login: { ...login, progress: proven } }),
    );
    return next && { login: next, current, note: { userId, method: proof.method } };
  });
}

/**
 * Looks up the challenge and owner of a presented passkey. Returns undefined if the input does not have the form of an
 * authentication result.
 */
export async function lookUpCredential(
  ports: PortsWith<'webauthnChallenges.find' | 'passkeys.findOwner'>,
  credential: string,
  now: number,
): Promise<ChallengeAndOwner | undefined> {
  try {
    return await findChallengeAndOwner(ports, readAuthentication(credential), now);
  } catch (error) {
    if (error instanceof ServiceError && error.key === 'system_invalid_input') return undefined;
    throw error;
  }
}

/**
 * Returns a credential that the authenticator should stop offering, because no user has it. Ignores credentials used with the
 * challenge of another login: tenants share the RP ID, and a login to one tenant must not make a passkey of another tenant
 * disappear.
 */
function unknownCredential(
  { login }: LoginContext,
  credential: string,
  [challenge, ownerId]: ChallengeAndOwner | [] = [],
): Feedback['unknown'] {
  if (challenge?.loginHash !== login.transaction.hash || ownerId !== undefined) return undefined;
  return { rpId: challenge.rpId, credentialId: readAuthentication(credential).credentialId };
}

/** Verifies a passkey as a factor of this login. */
export async function verifyPasskey(
  ports: LoginPorts,
  context: LoginContext,
  credential: string,
  sought: ChallengeAndOwner | undefined,
): Promise<ProofOutcome> {
  try {
    return await addFactor(ports, context, credential, sought);
  } catch (error) {
    // If the challenge has expired, the passkey may be valid: its signature was not checked.
    const isExpired = sought !== undefined && sought[0] === undefined;
    const rejected = rejectedPasskey(error, { key: isExpired ? 'passkey_expired' : 'passkey_invalid' });
    return { ...rejected, unknown: unknownCredential(context, credential, sought) };
  }
}

/**
 * Returns the trust in a passkey that is registered during this login. The trust depends on the factors used in the login.
 * @throws `login_user_gone` if another proof has superseded this login
 */
async function readTrust(
  ports: RegistrationPorts,
  { application, login, now: at }: LoginContext,
  userId: string,
  { proofs, userExists }: { readonly proofs: readonly MethodUse[]; readonly userExists: boolean },
): Promise<Trust> {
  // Without an existing user, either an address was verified in the sign-up, or a client has requested the passkey and vouches
  // for the user.
  if (!userExists)
    return hasFactorProof(proofs)
      ? { standing: 'proven', scope: TENANT_WIDE, generation: FIRST_GENERATION, since: at }
      : createVouchedTrust({ generations: UNPROVEN_GENERATIONS }, application, at);
  const [user, passkeys] = await awaitAll(
    requireLoginUser(ports, login.transaction.tenantId, userId),
    ports.passkeys.listOf(userId),
  );
  const given = computeProofsAfterLogin({ user, passkeys, application, proofs, at }, proofs, []);
  const trust = createPageTrust({ user, passkeys, application, proofs: given, at });
  // If another address was verified for the first time since the login began, the login's generation has ended.
  if (hasEnded(user, login.progress)) throw new ServiceError('login_user_gone');
  return trust;
}

type RegisteringState = Pick<CurrentState, 'earlier' | 'isEnrolling'>;

/**
 * Records a passkey as the new second factor of the user. The user gets a notice with a link that removes the passkey.
 * @throws `login_user_gone`
 */
async function enrol(
  ports: RegistrationPorts,
  { login, now }: LoginContext,
  passkey: Passkey,
): Promise<Passkey> {
  const noted = createReplaceAttempt(ports, (user) => {
    if (hasEnded(user, login.progress)) throw new ServiceError('login_user_gone');
    return recordFactorEnrolment(user, { credentialId: passkey.credentialId }, now);
  });
  return { ...passkey, generation: currentGeneration(await changeUser(ports, passkey, noted)) };
}

/** Verifies and stores a new passkey: for an existing user, for a new user whom a client requested, or during sign-up. */
async function register(
  ports: RegistrationPorts,
  context: LoginContext,
  current: RegisteringState,
  credential: string,
): Promise<ProofOutcome> {
  const { application, settings, login, now } = context;
  const userId = requireUserId(login.progress);
  const { tenantId, applicationId, hash: loginHash } = login.transaction;
  const result = readRegistration(credential);
  const owner = { tenantId, applicationId, userId, loginHash };
  const challenge = await findRegistration(ports, owner, result.sessionId, now);
  const userExists = login.progress.sealedSignUp === undefined;
  const { newUser } = login.request.enrolment ?? {};
  const relyingParty = toRelyingParty(application, settings);
  const proofs = [...current.earlier, ...login.progress.proven];
  if (newUser) requirePublicSignup(application);
  const trust = await readTrust(ports, context, userId, { proofs, userExists: userExists && !newUser });
  const open = { challenge, userId, trust };
  const passkey = await verifyNewPasskey(ports, { relyingParty, now }, open, result);
  const offered = withOffer(login.progress, passkey);
  if (newUser) {
    const { user, isCreated } = await storeWithNewUser(ports, context, { passkey, wanted: newUser }, now);
    const next = await saveProgress(ports, context, isCreated ? { ...offered, userCreated: true } : offered);
    const events = isCreated ? (['passkey.added', 'user.created'] as const) : (['passkey.added'] as const);
    return next && { login: next, note: { userId: user.userId, events } };
  }
  // During sign-up there is no user yet: the passkey stays in the login's progress until the user is created.
  const made = current.isEnrolling ? await enrol(ports, context, passkey) : passkey;
  if (userExists) await storePasskey(ports, application, made);
  const { credentialId } = passkey;
  const bound = { method: 'webauthn', credential: credentialId, at: now } as const;
  // The passkey's ID stays reserved until the sign-up ends. A login with this passkey before then must not make the device
  // delete it as unknown.
  const heldUntil = now + LOGIN_TRANSACTION_SECONDS + AUTHORIZATION_CODE_SECONDS;
  const [next] = await awaitAll(
    saveProgress(ports, context, withAddedCredential(context, current.isEnrolling, offered, bound)),
    userExists ? Promise.resolve() : ports.passkeyRecords.reserve(credentialId, userId, now, heldUntil),
  );
  return next && { login: next, note: userExists ? { userId, events: ['passkey.added'] } : {} };
}

function requireUserId({ userId }: LoginProgress): string {
  if (userId === undefined) throw new Error('a passkey is registered after the first factor');
  return userId;
}

/** Registers a new passkey for the user of this login. A failure is shown on the page. */
export async function registerPasskey(
  ports: RegistrationPorts,
  context: LoginContext,
  current: RegisteringState,
  credential: string,
): Promise<ProofOutcome> {
  try {
    return await register(ports, context, current, credential);
  } catch (error) {
    const taken = error instanceof ServiceError && error.key === 'passkey_taken';
    return rejectedPasskey(error, { key: taken ? 'passkey_exists' : 'passkey_not_saved' });
  }
}

/** Registers a passkey that was offered after a login. If the registration fails, the login continues without the passkey. */
export async function registerOfferedPasskey(
  ports: RegistrationPorts,
  context: LoginContext,
  current: RegisteringState,
  credential: string,
): Promise<ProofOutcome> {
  const { progress } = context.login;
  try {
    return await register(ports, context, current, credential);
  } catch (cause) {
    const next = await saveProgress(ports, context, withOffer(progress, undefined));
    return next && { login: next, note: { cause } };
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Identifier, Passkey, Profile, UpstreamAccount, User } from '../../ports/people.ts';
import type { Trust } from '../../ports/trust.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { type AddressType, addressTypes } from '../../records/channels.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { seal, unseal } from '../basis/sealing.ts';
import { findUserByIdentifier } from '../identifiers/find-user.ts';
import { identityIdentifier, normaliseIdentifier, unknownUserError } from '../identifiers/identifier.ts';
import { FIRST_GENERATION, PROVEN_GENERATIONS } from '../trust/generations.ts';
import { identityName } from '../trust/names.ts';
import { isFactorIn } from '../trust/prove-address.ts';
import { buildBlankUser, type NewUserPorts, putUser } from './create-user.ts';
import { requireActive } from './user-status.ts';

const NO_USER_AUDIT = { audit: { refusal: 'no_user' } } as const;
const publicSignUpOff = () => new ServiceError('public_signup_off', NO_USER_AUDIT);

/**
 * Builds the error for an unknown user in a backend flow (SPEC A). Such a flow never creates users, even if the application
 * allows sign-ups.
 */
export function unknownBackendUserError(application: Application, identifier: Identifier): ServiceError {
  return application.publicSignup ? unknownUserError(identifier) : publicSignUpOff();
}

const PURPOSE = 'pending-sign-up';

/** Account at a social provider of a user who is about to sign up. */
export interface PendingIdentity extends Profile {
  readonly type: 'identity';
  readonly identity: UpstreamAccount;
  /** Email address of the account. Absent unless the provider has verified the address and is trusted to verify addresses. */
  readonly email?: string;
}

/**
 * Data of a pending sign-up: the address or account that was proven. The user is created only when the tokens are retrieved.
 */
export type PendingSignUp = (PendingIdentity | { readonly type: AddressType; readonly value: string }) & {
  /** Phone number in E.164 that was verified in addition to an email address. */
  readonly phoneNumber?: string | undefined;
  /** Passkey that was created during the sign-up. It is stored together with the user. */
  readonly passkey?: Passkey | undefined;
};

/** Encrypts a pending sign-up with the code that the browser presents later, so that short-lived records contain no address. */
export function sealSignUp(code: string, signUp: PendingSignUp): string {
  return seal(code, PURPOSE, JSON.stringify(signUp));
}

/** Rejects a sign-up if the application has closed its public sign-up in the meantime. Errors: `public_signup_off`. */
export function requirePublicSignup(application: Application): void {
  if (!application.publicSignup) throw new ServiceError('public_signup_off');
}

/**
 * Rejects an address that belongs to no user, unless a sign-up is requested and possible. Errors: `user_not_found` if the
 * request does not ask for a sign-up, `public_signup_off`.
 */
export function requireSignUp(application: Application, wanted: boolean | undefined): void {
  if (!wanted) throw new ServiceError('user_not_found', NO_USER_AUDIT);
  requirePublicSignup(application);
}

/** Adds the proven address or account to a new user. Addresses were already normalised when the code was sent. */
function withProvenCredential(blank: User, signUp: PendingSignUp, trust: Trust): User {
  if (signUp.type !== 'identity')
    return { ...blank, [addressTypes[signUp.type].attribute]: { value: signUp.value, ...trust } };
  const { identity, email, firstName, lastName, picture, language } = signUp;
  return omitUndefined<User>({
    ...blank,
    identities: [{ ...identity, ...trust }],
    email: email === undefined ? undefined : { value: email, ...trust },
    firstName,
    lastName,
    picture,
    language,
  });
}

function buildUser(blank: User, signUp: PendingSignUp, scope: string): User {
  const { phoneNumber } = signUp;
  const trust: Trust = { standing: 'proven', scope, generation: FIRST_GENERATION, since: blank.createdAt };
  const user = withProvenCredential(blank, signUp, trust);
  return phoneNumber === undefined ? user : { ...user, phoneNumber: { value: phoneNumber, ...trust } };
}

/** Builds the error for a sign-up whose address or account another user has taken. The sign-up must not log in as that user. */
export const takenMeanwhileError = () =>
  new ServiceError('invalid_grant', {
    message: 'The address or account now belongs to another user: log in again',
  });

function openSignUp(code: string, sealed: string): PendingSignUp {
  const opened = unseal(code, PURPOSE, sealed);
  if (opened === undefined) throw new ServiceError('invalid_grant');
  return JSON.parse(opened) as PendingSignUp;
}

/** Pending sign-up, encrypted with the code that the browser presents later. */
export interface SealedSignUp {
  readonly code: string;
  readonly sealed: string;
}

async function findHolder(
  ports: PortsWith<'identifiers' | 'users.find'>,
  tenant: Tenant,
  wanted: PendingSignUp,
): Promise<User | undefined> {
  const identifier =
    wanted.type === 'identity'
      ? identityIdentifier(wanted.identity)
      : normaliseIdentifier(wanted.type, wanted.value);
  const holder = identifier && (await findUserByIdentifier(ports, tenant, identifier));
  return holder && requireActive(holder);
}

/**
 * Finds the user who now has the proven address or account. Two codes may have been sent for one sign-up, or a backend may have
 * created the user in the meantime. The code then logs that user in. Returns undefined for a sign-up in which a phone number
 * was also verified, because that user may not have the number. Errors: `invalid_grant`, `user_not_active`.
 */
export async function findSignedUp(
  ports: PortsWith<'identifiers' | 'users.find'>,
  tenant: Tenant,
  pending: SealedSignUp,
): Promise<User | undefined> {
  const wanted = openSignUp(pending.code, pending.sealed);
  return wanted.phoneNumber === undefined ? findHolder(ports, tenant, wanted) : undefined;
}

/** Delays before each lookup of a user whom another exchange is creating, in milliseconds. */
const LOOKUP_DELAYS_MS = [0, 50, 100, 200, 400];

/**
 * Waits for the user whom another exchange is creating with the proven address or account. The address is reserved before the
 * user is stored, so the user may not exist yet. Errors: `invalid_grant` if no such user appears, `user_not_active`.
 */
export async function awaitSignedUp(
  ports: PortsWith<'identifiers' | 'users.find'>,
  tenant: Tenant,
  pending: SealedSignUp,
): Promise<User> {
  const wanted = openSignUp(pending.code, pending.sealed);
  for (const milliseconds of LOOKUP_DELAYS_MS) {
    await delay(milliseconds);
    const user = await findHolder(ports, tenant, wanted);
    if (user) return user;
  }
  throw takenMeanwhileError();
}

/** Pending sign-up with the authentication methods of its login. */
export type ProvenSignUp = SealedSignUp & { readonly methods: readonly MethodUse[] };

/** Returns true if the sign-up verified anything other than a single address. */
export function hasFurtherProofs({ code, sealed, methods }: ProvenSignUp): boolean {
  const { type, phoneNumber } = openSignUp(code, sealed);
  return type === 'identity' || phoneNumber !== undefined || methods.length > 1;
}

/** Returns the trust that the sign-up's proven address or account has for the user, or undefined if the user has another. */
function ownCredential(user: User, wanted: PendingSignUp): Trust | undefined {
  if (wanted.type !== 'identity') return user[addressTypes[wanted.type].attribute];
  const name = identityName(wanted.identity);
  return user.identities.find((own) => identityName(own) === name);
}

/**
 * Rejects a sign-up unless every credential verified in it belongs to the user created in the meantime, and these credentials
 * are enough to log in to the application. The sign-up then becomes a login of that user and changes nothing. A passkey of the
 * sign-up was created for another user ID, so the passkey proves nothing about this user. Errors: `invalid_grant`.
 */
export function requireSameProofs(
  user: User,
  application: Application,
  { code, sealed, methods }: ProvenSignUp,
): void {
  const wanted = openSignUp(code, sealed);
  const { phoneNumber: number } = wanted;
  const { phoneNumber } = user;
  const first = ownCredential(user, wanted);
  const isSameNumber = number === undefined || number === phoneNumber?.value;
  const proven = [first, ...(number === undefined ? [] : [phoneNumber])];
  const isTheirs = proven.every((each) => each && isFactorIn(user, each, application));
  const isByPasskey = methods.some(({ method }) => method === 'webauthn');
  if (!isTheirs || !isSameNumber || isByPasskey || phoneNumber?.risk) throw takenMeanwhileError();
}

/**
 * Creates the user of a pending sign-up, with the ID that was chosen when the code was sent. `scope` says where the proof is
 * valid. Returns undefined if another user has taken the address or account in the meantime. Errors: `invalid_grant` if the
 * sign-up was encrypted with another code.
 */
export async function signUp(
  ports: NewUserPorts,
  {
    tenant,
    applicationId,
    scope,
  }: { readonly tenant: Tenant; readonly applicationId: string; readonly scope: string },
  pending: SealedSignUp & { readonly userId: string },
  at: number,
): Promise<{ readonly user: User; readonly passkey?: Passkey | undefined } | undefined> {
  const wanted = openSignUp(pending.code, pending.sealed);
  const made = { applications: [applicationId], generations: PROVEN_GENERATIONS };
  const user = buildUser(buildBlankUser(tenant, pending.userId, at, made), wanted, scope);
  try {
    return { user: await putUser(ports, user), passkey: wanted.passkey };
  } catch (error) {
    // Either this exchange created the user and its response was lost, or an earlier exchange created the user and then failed.
    const made = await ports.userRecords.find(user.userId);
    if (made) return { user: requireActive(made), passkey: wanted.passkey };
    if (error instanceof ServiceError && error.key === 'identifier_taken') return undefined;
    throw error;
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { Identifier, Passkey, Profile, UpstreamAccount, User } from '../../ports/people.ts';
import type { Trust } from '../../ports/trust.ts';
import type { Using } from '../../ports/uses.ts';
import { type AddressType, addressTypes } from '../../records/channels.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';
import { seal, unseal } from '../basis/sealing.ts';
import {
  findHolderId,
  findOwner,
  identityIdentifier,
  normaliseIdentifier,
  noSuchUser,
} from '../identifiers/identifier.ts';
import { begun, FIRST } from '../trust/generations.ts';
import { identityName } from '../trust/names.ts';
import { isPlain } from '../trust/prove-address.ts';
import { blankUser, type NewUserPorts, putUser } from './create-user.ts';
import { requireActive } from './user-status.ts';

const NO_USER = { audit: { refusal: 'no_user' } } as const;
const signUpOff = () => new ServiceError('public_signup_off', NO_USER);

/** The error for an unknown user in section A: a backend flow never creates a user, whatever the application allows. */
export function unknownUser(application: Application, identifier: Identifier): ServiceError {
  return application.publicSignup ? noSuchUser(identifier) : signUpOff();
}

const PURPOSE = 'pending-sign-up';

/** A new user's account at a social provider. */
export interface PendingIdentity extends Profile {
  readonly type: 'identity';
  readonly identity: UpstreamAccount;
  /** Only one that the provider has verified and is trusted for. */
  readonly email?: string;
}

/** Who a user will be that is made only when tokens are retrieved: what was proven by then. */
export type PendingSignUp = (PendingIdentity | { readonly type: AddressType; readonly value: string }) & {
  /** A number in E.164 that was proven beside an email address. */
  readonly phoneNumber?: string | undefined;
  /** A passkey that was made during the sign-up; it is stored when the user is. */
  readonly passkey?: Passkey | undefined;
};

/** Sealed under the code that the browser brings back: short-lived records hold no address. */
export function sealSignUp(code: string, signUp: PendingSignUp): string {
  return seal(code, PURPOSE, JSON.stringify(signUp));
}

/** Errors: `public_signup_off` when the application has closed public sign-up since. */
export function requirePublicSignup(application: Application): void {
  if (!application.publicSignup) throw new ServiceError('public_signup_off');
}

/** No user has the address. Errors: `user_not_found` unless sign-up is wanted, `public_signup_off`. */
export function requireSignUp(application: Application, wanted: boolean | undefined): void {
  if (!wanted) throw new ServiceError('user_not_found', NO_USER);
  requirePublicSignup(application);
}

/** Addresses are normal already: they were read when the code was sent. */
function named(blank: User, signUp: PendingSignUp, trust: Trust): User {
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

function userOf(blank: User, signUp: PendingSignUp, scope: string): User {
  const { phoneNumber } = signUp;
  const trust: Trust = { standing: 'proven', scope, generation: FIRST, since: blank.createdAt };
  const user = named(blank, signUp, trust);
  return phoneNumber === undefined ? user : { ...user, phoneNumber: { value: phoneNumber, ...trust } };
}

/** The error for a sign-up whose user cannot be made, and that is no login of the user who has the address or account. */
export const takenMeanwhile = () =>
  new ServiceError('invalid_grant', {
    message: 'The address or account belongs to another user by now: log in again',
  });

function openSignUp(code: string, sealed: string): PendingSignUp {
  const opened = unseal(code, PURPOSE, sealed);
  if (opened === undefined) throw new ServiceError('invalid_grant');
  return JSON.parse(opened) as PendingSignUp;
}

/** A sign-up, sealed under its code. */
export interface SealedSignUp {
  readonly code: string;
  readonly sealed: string;
}

async function findHolder(
  ports: Using<'identifiers' | 'users.find'>,
  tenant: Tenant,
  wanted: PendingSignUp,
): Promise<User | undefined> {
  const identifier =
    wanted.type === 'identity'
      ? identityIdentifier(wanted.identity)
      : normaliseIdentifier(wanted.type, wanted.value);
  const holderId = identifier && (await findHolderId(ports, tenant, identifier));
  const holder =
    identifier && holderId !== undefined && (await findOwner(ports, tenant, identifier, holderId));
  return holder ? requireActive(holder) : undefined;
}

/**
 * Finds the user who has the proven address or account by now: of two codes of one sign-up the second logs the same person in, and
 * so does one whose user the backend has made meanwhile. Undefined for a sign-up that proved a number beside it, which that user
 * may not have. Errors: `invalid_grant`, `user_not_active`.
 */
export async function findSignedUp(
  ports: Using<'identifiers' | 'users.find'>,
  tenant: Tenant,
  pending: SealedSignUp,
): Promise<User | undefined> {
  const wanted = openSignUp(pending.code, pending.sealed);
  return wanted.phoneNumber === undefined ? findHolder(ports, tenant, wanted) : undefined;
}

/** Milliseconds before each look for a user whom another exchange is making. */
const LOOKS_MS = [0, 50, 100, 200, 400];

/**
 * Finds the user whom another exchange has made with the proven address or account. Waits for it: the address is reserved before the
 * user is stored. Errors: `invalid_grant` when no such user comes, `user_not_active`.
 */
export async function awaitSignedUp(
  ports: Using<'identifiers' | 'users.find'>,
  tenant: Tenant,
  pending: SealedSignUp,
): Promise<User> {
  const wanted = openSignUp(pending.code, pending.sealed);
  for (const milliseconds of LOOKS_MS) {
    await delay(milliseconds);
    const user = await findHolder(ports, tenant, wanted);
    if (user) return user;
  }
  throw takenMeanwhile();
}

/** A sign-up with the methods of its login. */
export type ProvenSignUp = SealedSignUp & { readonly methods: readonly MethodUse[] };

/** Returns true if the sign-up proved anything but one address by a code or a link. */
export function provedMore({ code, sealed, methods }: ProvenSignUp): boolean {
  const { type, phoneNumber } = openSignUp(code, sealed);
  return type === 'identity' || phoneNumber !== undefined || methods.length > 1;
}

/** The first credential of a sign-up as the user has it. */
function ownCredential(user: User, wanted: PendingSignUp): Trust | undefined {
  if (wanted.type !== 'identity') return user[addressTypes[wanted.type].attribute];
  const name = identityName(wanted.identity);
  return user.identities.find((own) => identityName(own) === name);
}

/**
 * Checks that all that the sign-up proved belongs to the user who was made meanwhile, and logs in at the application by itself. The
 * sign-up is then a login of that user, and changes nothing of them. A passkey of the sign-up was made for another user ID, so it
 * proves nothing of this user. Errors: `invalid_grant`.
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
  const isTheirs = proven.every((each) => each && isPlain(user, each, application));
  const isByPasskey = methods.some(({ method }) => method === 'webauthn');
  if (!isTheirs || !isSameNumber || isByPasskey || phoneNumber?.risk) throw takenMeanwhile();
}

/**
 * Makes the user of a pending sign-up, under the ID that was chosen when the code was sent. `scope`: where the proof is good.
 * Undefined when another user has taken the address or the account meanwhile. Errors: `invalid_grant` when the seal is not of this
 * code.
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
  const made = { applications: [applicationId], generations: begun };
  const user = userOf(blankUser(tenant, pending.userId, at, made), wanted, scope);
  try {
    return { user: await putUser(ports, user), passkey: wanted.passkey };
  } catch (error) {
    // This exchange has made the user and lost the answer, or an earlier one has and then failed.
    const made = await ports.userRecords.find(user.userId);
    if (made) return { user: requireActive(made), passkey: wanted.passkey };
    if (error instanceof ServiceError && error.key === 'identifier_taken') return undefined;
    throw error;
  }
}

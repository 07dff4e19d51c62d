import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { ExternalId, Identifier, UpstreamAccount, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { type EmailAddress, normaliseEmail, readEmail } from './email-address.ts';
import { normalisePhoneNumber } from './phone-number.ts';

export const BUILT_IN_TYPES = ['email', 'phone_number', 'user_id', 'username'] as const;

const emailIdentifier = (email: EmailAddress | undefined): Identifier | undefined =>
  email && { type: 'email', value: email.key };

/** The identifier of an address that is stored. */
export const storedEmail = (value: string): Identifier | undefined => emailIdentifier(normaliseEmail(value));

function normalUsername(value: string): Identifier | undefined {
  const name = value.trim().normalize('NFC').toLowerCase();
  return name === '' ? undefined : { type: 'username', value: name };
}

/**
 * The one normal form of an identifier; undefined when it cannot be one. Email and usernames are compared without case, phone
 * numbers in E.164, user IDs and custom types exactly.
 */
export function normaliseIdentifier(type: string, value: string): Identifier | undefined {
  switch (type) {
    case 'email':
      return emailIdentifier(readEmail(value));
    case 'phone_number': {
      const number = normalisePhoneNumber(value);
      return number === undefined ? undefined : { type, value: number };
    }
    case 'username':
      return normalUsername(value);
    default:
      return value === '' ? undefined : { type, value };
  }
}

/**
 * An account at a social provider as an identifier: its type is none that a caller can name. The subject is unique at its
 * issuer alone, so an issuer that the application has set is part of it.
 */
export function identityIdentifier({ provider, issuer, subject }: UpstreamAccount): Identifier {
  return { type: `social:${provider}`, value: issuer === undefined ? subject : `${issuer} ${subject}` };
}

/**
 * The ID of the user in the system of a backend. Each application has its own name space, because the client of another could
 * claim an ID first. Several users may have the same one; it leads to the first of them.
 */
export function externalIdentifier({ applicationId, value }: ExternalId): Identifier {
  return { type: `external:${applicationId}`, value };
}

export const externalIdentifiersOf = ({ externalIds }: Pick<User, 'externalIds'>): readonly Identifier[] =>
  externalIds.map(externalIdentifier);

/** Every identifier that is the user's alone, normalised, except the user ID. */
export function identifiersOf(user: User): readonly Identifier[] {
  const given: readonly (Identifier | undefined)[] = [
    user.email && storedEmail(user.email.value),
    // Stored in E.164: no library of numbers is needed.
    user.phoneNumber && { type: 'phone_number', value: user.phoneNumber.value },
    user.username === undefined ? undefined : normalUsername(user.username),
    ...user.customIdentifiers,
    ...user.identities.map(identityIdentifier),
  ];
  return given.filter((identifier) => identifier !== undefined);
}

export function hasIdentifier(user: User, { type, value }: Identifier): boolean {
  if (type === 'user_id') return user.userId === value;
  return [...identifiersOf(user), ...externalIdentifiersOf(user)].some(
    (own) => own.type === type && own.value === value,
  );
}

/** The identifier that a caller named, or `system_invalid_input` when it cannot be one. */
export function readIdentifier(type: string, value: string): Identifier {
  const identifier = normaliseIdentifier(type, value);
  if (!identifier) throw invalidInput(`identifier: is not a valid ${type}`);
  return identifier;
}

/** For callers that may know. A type that is not built in may be one that was written otherwise. */
export function noSuchUser({ type }: Identifier): ServiceError {
  const isBuiltIn = (BUILT_IN_TYPES as readonly string[]).includes(type);
  const message = `User not found: identifier_type is none of ${BUILT_IN_TYPES.join(', ')}, and no user has this identifier by a custom type`;
  const audit = { refusal: 'no_user' } as const;
  return new ServiceError('user_not_found', isBuiltIn ? { audit } : { message, audit });
}

/** The user who reserved the identifier; `findOwner` tells whether they still have it. */
export async function findHolderId(
  ports: Using<'identifiers'>,
  tenant: Pick<Tenant, 'tenantId'>,
  identifier: Identifier,
): Promise<string | undefined> {
  if (identifier.type === 'user_id') return identifier.value;
  return ports.identifiers.find(tenant.tenantId, identifier);
}

/** The user who has the identifier; undefined when the holder of the reservation is gone, foreign or renamed. */
export async function findOwner(
  ports: Using<'users.find'>,
  tenant: Pick<Tenant, 'tenantId'>,
  identifier: Identifier,
  userId: string,
): Promise<User | undefined> {
  const user = await ports.users.find(userId);
  return user && user.tenantId === tenant.tenantId && hasIdentifier(user, identifier) ? user : undefined;
}

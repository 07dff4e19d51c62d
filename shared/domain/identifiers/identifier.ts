import { invalidInput, ServiceError } from '../../errors/service-error.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { ExternalId, Identifier, UpstreamAccount, User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { ADDRESS_TYPES, type AddressType } from '../../records/channels.ts';
import { readEmail } from './email-address.ts';
import { normalisePhoneNumber } from './phone-number.ts';
import { listAddresses, storedIdentifier } from './stored-address.ts';

export const BUILT_IN_TYPES = [...ADDRESS_TYPES, 'user_id', 'username'] as const;

function normalUsername(value: string): string | undefined {
  return value.trim().normalize('NFC').toLowerCase() || undefined;
}

const NORMAL: Readonly<Record<AddressType | 'username', (given: string) => string | undefined>> = {
  email: (given) => readEmail(given)?.key,
  phone_number: normalisePhoneNumber,
  username: normalUsername,
};
const hasNormalForm = (type: string): type is keyof typeof NORMAL => Object.hasOwn(NORMAL, type);

/**
 * Returns the normal form of an identifier, or undefined if it is invalid. Email addresses and usernames are compared
 * case-insensitively, phone numbers in E.164 form, and user IDs and custom identifiers exactly.
 */
export function normaliseIdentifier(type: string, value: string): Identifier | undefined {
  const normal = hasNormalForm(type) ? NORMAL[type](value) : value;
  return normal ? { type, value: normal } : undefined;
}

/** Detects the type of an address and returns its identifier. Returns undefined if the text is not an address. */
export const readAnyAddress = (text: string): Identifier | undefined =>
  ADDRESS_TYPES.map((type) => normaliseIdentifier(type, text)).find((identifier) => identifier !== undefined);

/**
 * Returns the identifier of an account at a social provider. API callers cannot use this identifier type. A subject is unique
 * only at its issuer, so the identifier contains an issuer that the application has set. It does not contain the name that an
 * application has given to its own OpenID provider, because the same account may log in to other applications of the tenant.
 */
export function identityIdentifier({ provider, issuer, subject }: UpstreamAccount): Identifier {
  const [kind] = provider.split('/');
  return { type: `social:${kind}`, value: issuer === undefined ? subject : `${issuer} ${subject}` };
}

/**
 * Returns the identifier of a user's ID in the system of a backend. Each application has a separate name space, because a
 * client of another application could otherwise claim an ID first. If several users have the same ID, a look-up finds the first
 * of them.
 */
export function externalIdentifier({ applicationId, value }: ExternalId): Identifier {
  return { type: `external:${applicationId}`, value };
}

export const listExternalIdentifiers = ({ externalIds }: Pick<User, 'externalIds'>): readonly Identifier[] =>
  externalIds.map(externalIdentifier);

function readUsername({ username = '' }: User): Identifier | undefined {
  const value = normalUsername(username);
  return value === undefined ? undefined : { type: 'username', value };
}

/** Returns the normalised identifiers that no other user may have, not including the user ID. */
export function listIdentifiers(user: User): readonly Identifier[] {
  const given: readonly (Identifier | undefined)[] = [
    ...listAddresses(user).map(({ type, address }) => storedIdentifier(type, address.value)),
    readUsername(user),
    ...user.customIdentifiers,
    ...user.identities.map(identityIdentifier),
  ];
  return given.filter((identifier) => identifier !== undefined);
}

export function hasIdentifier(user: User, { type, value }: Identifier): boolean {
  if (type === 'user_id') return user.userId === value;
  return [...listIdentifiers(user), ...listExternalIdentifiers(user)].some(
    (own) => own.type === type && own.value === value,
  );
}

/** Reads the identifier of a request. Errors: `system_invalid_input` if it is invalid. */
export function readIdentifier(type: string, value: string): Identifier {
  const identifier = normaliseIdentifier(type, value);
  if (!identifier) throw invalidInput(`identifier: is not a valid ${type}`);
  return identifier;
}

/**
 * Returns the error for an unknown user, with a hint if the type is not built in. Use it only for callers who may learn that no
 * such user exists.
 */
export function unknownUserError({ type }: Identifier): ServiceError {
  const isBuiltIn = (BUILT_IN_TYPES as readonly string[]).includes(type);
  const message = `User not found: identifier_type is none of ${BUILT_IN_TYPES.join(', ')}, and no user has this identifier under a custom type`;
  const audit = { refusal: 'no_user' } as const;
  return new ServiceError('user_not_found', isBuiltIn ? { audit } : { message, audit });
}

/**
 * Finds the ID of the user who has reserved an identifier. Unlike `findOwner`, does not check that the user still has the
 * identifier.
 */
export async function findHolderId(
  ports: PortsWith<'identifiers'>,
  tenant: Pick<Tenant, 'tenantId'>,
  identifier: Identifier,
): Promise<string | undefined> {
  if (identifier.type === 'user_id') return identifier.value;
  return ports.identifiers.find(tenant.tenantId, identifier);
}

/** Finds the user who reserved an identifier, if they still exist in the tenant and still have the identifier. */
export async function findOwner(
  ports: PortsWith<'users.find'>,
  tenant: Pick<Tenant, 'tenantId'>,
  identifier: Identifier,
  userId: string,
): Promise<User | undefined> {
  const user = await ports.users.find(userId);
  return user && user.tenantId === tenant.tenantId && hasIdentifier(user, identifier) ? user : undefined;
}

import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { deriveId } from '../../shared/domain/basis/random.ts';
import { findHolderId, findOwner } from '../../shared/domain/identifiers/identifier.ts';
import { identifierHash } from '../../shared/domain/identifiers/identifier-hash.ts';
import { recipientHash } from '../../shared/domain/rate-limits/send-window.ts';
import { type Recipient, toTestUserFields } from '../../shared/domain/sending/delivery.ts';
import { isSuperseded } from '../../shared/domain/trust/generations.ts';
import { canLogInAt } from '../../shared/domain/users/test-user.ts';
import { isBlocked } from '../../shared/domain/users/user-status.ts';
import { allowsSignUp, type LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type { CodeUser } from '../../shared/ports/flows.ts';
import type { Address, Identifier, User } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { addressTypes, isAddressType } from '../../shared/records/channels.ts';

/**
 * User whose address was typed on a login page, and recipient of the messages to that address. The page looks the same whether
 * or not a user has the address. Without a user or sign-up, no message is sent.
 */
export interface HostedAddressee extends CodeUser {
  readonly recipient: Recipient & { readonly ownHash: string };
  /** Key under which rate limits count the messages to this address. */
  readonly quotaHash: string;
  /** ID of the address's user, even if that user may not log in. Used only for the log. */
  readonly knownId?: string;
  readonly isDisabled?: true;
  /** True if the user has deleted the account and can still cancel the deletion. */
  readonly isDeletionPending?: boolean;
  /** True if the address is verified to belong to the user. */
  readonly isVerified: boolean;
  /** True if the address is superseded, so that it can no longer be used to log in to the account. */
  readonly isSuperseded?: boolean;
}

const readOwnAddress = (user: User, { type }: Identifier) =>
  isAddressType(type) ? user[addressTypes[type].attribute] : undefined;

/** Returns true if a user's own pending deletion is the only reason why they cannot log in. */
const isLeaving = (user: User, application: Application) => {
  const { erasure, ...rest } = user;
  return erasure?.hasBegun === false && !isBlocked(rest) && canLogInAt(user, application);
};

const isProvenOwn = (address: Address | undefined): address is Address =>
  address !== undefined && address.standing !== 'claimed';

function findRecipient(user: User, identifier: Identifier, ownHash: string): HostedAddressee['recipient'] {
  const own = readOwnAddress(user, identifier);
  const { undeliverable, risk } = own ?? {};
  return {
    address: own?.value ?? identifier.value,
    ownHash,
    ...(undeliverable && { undeliverable }),
    ...(risk && { risk }),
    ...toTestUserFields(user),
  };
}

/**
 * Finds the user whose address was typed, or prepares a sign-up if the application allows it. Makes the same calls for an
 * unknown address, because neither the page nor its response time may reveal if a user exists (N122).
 */
export async function findAddressee(
  ports: PortsWith<'identifiers' | 'users.find'>,
  context: LoginContext,
  identifier: Identifier,
): Promise<HostedAddressee> {
  const { tenant, application, login } = context;
  const ownHash = identifierHash(tenant, identifier);
  // Two forms sent concurrently derive the same user ID, so that the code from either form matches the record that the other
  // stored.
  const freshId = deriveId(login.loginId, ownHash);
  const holderId = (await findHolderId(ports, tenant, identifier)) ?? freshId;
  const user = await findOwner(ports, tenant, identifier, holderId);
  const own = user && readOwnAddress(user, identifier);
  if (user && !isBlocked(user) && canLogInAt(user, application))
    return {
      kind: 'known',
      userId: user.userId,
      knownId: user.userId,
      recipient: findRecipient(user, identifier, ownHash),
      quotaHash: recipientHash(tenant, user.userId, identifier),
      isVerified: isProvenOwn(own),
      isSuperseded: isProvenOwn(own) && isSuperseded(user, own),
    };
  const recipient = { address: identifier.value, ownHash };
  const kind = !user && allowsSignUp(context) ? 'signUp' : 'unknown';
  const quotaHash = recipientHash(tenant, undefined, identifier);
  const known =
    user &&
    ({ knownId: user.userId, isDisabled: true, isDeletionPending: isLeaving(user, application) } as const);
  return { kind, userId: freshId, recipient, quotaHash, isVerified: false, ...known };
}

/**
 * Returns the user of this login as the recipient of a message to an address. The user wants to add the address, or had it
 * before the change that this login undoes. A reported risk of a phone number remains: receiving a text does not prove that no
 * attacker also receives it.
 */
export async function findAddingUser(
  ports: PortsWith<'identifiers' | 'users.find'>,
  { tenant, login }: LoginContext,
  identifier: Identifier,
): Promise<HostedAddressee> {
  const { userId } = login.progress;
  if (userId === undefined) throw new Error('an address is added after the first factor only');
  // Another user may have the address. Messages to it are then counted as messages to that user.
  const [user, holderId] = await awaitAll(ports.users.find(userId), findHolderId(ports, tenant, identifier));
  const own = user && readOwnAddress(user, identifier);
  const risk = own?.value === identifier.value ? own.risk : undefined;
  const ownHash = identifierHash(tenant, identifier);
  const recipient = {
    address: identifier.value,
    ownHash,
    ...(risk && { risk }),
    ...(user && toTestUserFields(user)),
  };
  const quotaHash = recipientHash(tenant, holderId, identifier);
  return { kind: 'known', userId, knownId: userId, recipient, quotaHash, isVerified: false };
}

import { newId } from '../../shared/domain/basis/random.ts';
import { findCarrier, findClaimedUserId } from '../../shared/domain/identifiers/identifier.ts';
import { identifierHash } from '../../shared/domain/identifiers/identifier-hash.ts';
import type { Recipient } from '../../shared/domain/sending/delivery.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import type { Identifier, User } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';

/** Whom an address leads to. Everybody gets the same page; only who may log in gets a message. */
export interface Addressee {
  readonly userId: string;
  readonly recipient: Recipient & { readonly ownHash: string };
  /** Somebody new, who will be made when the code is exchanged. */
  readonly signUp: boolean;
  /** Nobody who may log in: nothing is sent, and no digits are right. */
  readonly nobody: boolean;
}

function recipientOf(user: User, { type, value }: Identifier, ownHash: string): Addressee['recipient'] {
  const own = type === 'email' ? user.email : user.phoneNumber;
  const { undeliverable, risk } = own ?? {};
  return {
    address: own?.value ?? value,
    ownHash,
    ...(undeliverable && { undeliverable }),
    ...(risk && { risk }),
  };
}

/**
 * Finds who has the address that was typed. Somebody new may be allowed to sign up; nobody else is told that there is
 * nobody, neither by the page nor by the calls that were made for it (N122).
 */
export async function findAddressee(
  ports: Using<'identifiers' | 'users.find'>,
  { tenant, application, login }: LoginContext,
  identifier: Identifier,
): Promise<Addressee> {
  const ownHash = identifierHash(tenant, identifier);
  const freshId = newId();
  const claimedBy = (await findClaimedUserId(ports, tenant, identifier)) ?? freshId;
  const user = await findCarrier(ports, tenant, identifier, claimedBy);
  if (user && user.status !== 'Disabled') {
    const recipient = recipientOf(user, identifier, ownHash);
    return { userId: user.userId, recipient, signUp: false, nobody: false };
  }
  const signUp = !user && login.request.createNewUser && application.publicSignup;
  return { userId: freshId, recipient: { address: identifier.value, ownHash }, signUp, nobody: !signUp };
}

/**
 * The person who is logging in already, with a number that will be theirs when they have proven to hold it. One of theirs
 * that is at risk stays so: nobody proves by a text that texts reach them alone.
 */
export async function findHolder(
  ports: Using<'users.find'>,
  { tenant, login }: LoginContext,
  identifier: Identifier,
): Promise<Addressee> {
  const { userId } = login.progress;
  if (userId === undefined) throw new Error('a number is added to somebody who has given a factor');
  const own = (await ports.users.find(userId))?.phoneNumber;
  const risk = own?.value === identifier.value ? own.risk : undefined;
  const ownHash = identifierHash(tenant, identifier);
  const recipient = { address: identifier.value, ownHash, ...(risk && { risk }) };
  return { userId, recipient, signUp: false, nobody: false };
}

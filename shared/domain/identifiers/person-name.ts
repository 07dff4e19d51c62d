import type { User } from '../../ports/people.ts';

const DIRECTION_MARKS = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Removes the marks that change the direction of text, because they can make one name look like another. */
export const personName = (given: string): string => given.replace(DIRECTION_MARKS, '');

/** Returns the first and last name of a user, or undefined if the user has neither. */
export function findFullName(user: Pick<User, 'firstName' | 'lastName'>): string | undefined {
  const parts = [user.firstName, user.lastName].filter((part) => part);
  return parts.join(' ') || undefined;
}

/** Returns the identifier by which people recognize a user. Authenticators show passkeys under it. */
export function findUserName(user: Pick<User, 'userId' | 'username' | 'email' | 'phoneNumber'>): string {
  return user.username ?? user.email?.value ?? user.phoneNumber?.value ?? user.userId;
}

import { awaitAll } from '../../domain/basis/await-all.ts';
import { findBrowserSession } from '../../domain/basis/browser.ts';
import { isHalfLogin } from '../../domain/credentials/mfa.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { maskEmail, maskName, maskPhoneNumber } from '../../templates/mask.ts';

/** Somebody else is logged in in this browser: who would give way to whom, masked. */
export interface OtherUser {
  readonly userId: string;
  readonly from: string;
  readonly to: string;
}

function masked({ email, phoneNumber, username }: User): string {
  if (email) return maskEmail(email.value);
  return phoneNumber ? maskPhoneNumber(phoneNumber.value) : maskName(username ?? '');
}

function replacing(holder: User | undefined, person: User | undefined): OtherUser | undefined {
  return holder && person && { userId: holder.userId, from: masked(holder), to: masked(person) };
}

/** Half a login is none that could be lost. */
const isAnother = (held: Session | undefined, userId: string): held is Session =>
  held !== undefined && held.userId !== userId && !isHalfLogin(held);

/**
 * Who would lose the login of this browser to the person of a code. They are to be asked: the code may be a stranger's, whom
 * they would go on as without noticing (login CSRF).
 */
export async function otherUser(
  ports: Using<'users.find'>,
  held: Session | undefined,
  person: User | undefined,
): Promise<OtherUser | undefined> {
  if (!person || !isAnother(held, person.userId)) return undefined;
  return replacing(await ports.users.find(held.userId), person);
}

/** The same for a code that only is looked at. */
export async function findOtherUser(
  ports: Using<'sessions.find' | 'users.find'>,
  tenant: Tenant,
  { userId }: AuthorizationCode,
  cookies: Readonly<Record<string, string>>,
): Promise<OtherUser | undefined> {
  const held = await findBrowserSession(ports, tenant, cookies);
  if (!isAnother(held, userId)) return undefined;
  const [holder, person] = await awaitAll(ports.users.find(held.userId), ports.users.find(userId));
  return replacing(holder, person);
}

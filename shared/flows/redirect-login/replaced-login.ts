import { awaitAll } from '../../domain/basis/await-all.ts';
import { type Cookies, findBrowserSession } from '../../domain/basis/browser.ts';
import { isIncompleteLogin } from '../../domain/credentials/mfa.ts';
import { listAddresses } from '../../domain/identifiers/stored-address.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { maskName, masks } from '../../templates/mask.ts';

/** Login of another user in this browser, which a login by a code would replace. */
export interface ReplacedLogin {
  /** ID of the user who is logged in. */
  readonly userId: string;
  /** Masked name of the user who is logged in. */
  readonly from: string;
  /** Masked name of the user whose code was opened in this browser. */
  readonly to: string;
}

function maskUser(user: User): string {
  const [own] = listAddresses(user);
  return own ? masks[own.type](own.address.value) : maskName(user.username ?? '');
}

function toReplacedLogin(before: User | undefined, after: User | undefined): ReplacedLogin | undefined {
  return before && after && { userId: before.userId, from: maskUser(before), to: maskUser(after) };
}

/** Returns true if the browser is logged in as another user. A login that still lacks its second factor is ignored. */
const isOtherUsers = (held: Session | undefined, userId: string): held is Session =>
  held !== undefined && held.userId !== userId && !isIncompleteLogin(held);

/**
 * Returns the login that a login of `user` would replace in this browser. The page must ask before replacing a login.
 * Otherwise, an attacker could send a code to a victim, who would then continue in the attacker's account without noticing
 * (login CSRF).
 */
export async function findLoginReplacedBy(
  ports: PortsWith<'users.find'>,
  held: Session | undefined,
  user: User | undefined,
): Promise<ReplacedLogin | undefined> {
  if (!user || !isOtherUsers(held, user.userId)) return undefined;
  return toReplacedLogin(await ports.users.find(held.userId), user);
}

/** Finds the login of this browser that a code would replace. The page asks the user before the code is consumed. */
export async function findReplacedLogin(
  ports: PortsWith<'sessions.find' | 'users.find'>,
  tenant: Tenant,
  { userId }: AuthorizationCode,
  { cookies, now }: { readonly cookies: Cookies; readonly now: number },
): Promise<ReplacedLogin | undefined> {
  const held = await findBrowserSession(ports, tenant, cookies, now);
  if (!isOtherUsers(held, userId)) return undefined;
  const [before, after] = await awaitAll(ports.users.find(held.userId), ports.users.find(userId));
  return toReplacedLogin(before, after);
}

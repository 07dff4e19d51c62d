import { awaitAll } from '../../domain/basis/await-all.ts';
import { type Cookies, findBrowserSession } from '../../domain/basis/browser.ts';
import { isHalfLogin } from '../../domain/credentials/mfa.ts';
import { addressesOf } from '../../domain/identifiers/stored-address.ts';
import type { AuthorizationCode } from '../../ports/authorization.ts';
import type { Tenant } from '../../ports/directory.ts';
import type { Session } from '../../ports/flows.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { maskName, masks } from '../../templates/mask.ts';

/** The login of another user in this browser, which the login by a code would replace. */
export interface ReplacedLogin {
  /** Of the user who is logged in. */
  readonly userId: string;
  /** Masked name of the user who is logged in. */
  readonly from: string;
  /** Masked name of the user of the code. */
  readonly to: string;
}

function masked(user: User): string {
  const [own] = addressesOf(user);
  return own ? masks[own.type](own.address.value) : maskName(user.username ?? '');
}

function replacing(before: User | undefined, after: User | undefined): ReplacedLogin | undefined {
  return before && after && { userId: before.userId, from: masked(before), to: masked(after) };
}

/** A login with one of two factors may go without a question. */
const isAnother = (held: Session | undefined, userId: string): held is Session =>
  held !== undefined && held.userId !== userId && !isHalfLogin(held);

/**
 * The login that `user` would replace in this browser. Ask before: the code may come from an attacker, and the person would
 * go on in the attacker's account without noticing (login CSRF).
 */
export async function replacedLogin(
  ports: Using<'users.find'>,
  held: Session | undefined,
  user: User | undefined,
): Promise<ReplacedLogin | undefined> {
  if (!user || !isAnother(held, user.userId)) return undefined;
  return replacing(await ports.users.find(held.userId), user);
}

/** The login of this browser that a code would replace, for a page that asks before the code is consumed. */
export async function findReplacedLogin(
  ports: Using<'sessions.find' | 'users.find'>,
  tenant: Tenant,
  { userId }: AuthorizationCode,
  { cookies, now }: { readonly cookies: Cookies; readonly now: number },
): Promise<ReplacedLogin | undefined> {
  const held = await findBrowserSession(ports, tenant, cookies, now);
  if (!isAnother(held, userId)) return undefined;
  const [before, after] = await awaitAll(ports.users.find(held.userId), ports.users.find(userId));
  return replacing(before, after);
}

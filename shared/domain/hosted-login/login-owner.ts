import { ServiceError } from '../../errors/service-error.ts';
import type { Browser } from '../basis/browser.ts';
import { equalSecrets } from '../basis/random.ts';

/**
 * A login that was found by its secret, in the browser that began it. In any other browser it cannot be gone on with: an
 * address that is sent to somebody else leads nowhere (login CSRF). Errors: `login_not_found`, `login_elsewhere`.
 */
export function requireOwner<T extends { readonly browserHash: string }>(
  login: T | undefined,
  browser: Browser,
): T {
  if (!login) throw new ServiceError('login_not_found');
  if (!equalSecrets(login.browserHash, browser.hash)) throw new ServiceError('login_elsewhere');
  return login;
}

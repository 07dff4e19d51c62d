// Login that the operator console has begun. Only the browser stores it, in a cookie.

export const CONSOLE_LOGIN_COOKIE = '__Host-console-login';

/** Lifetime of the login cookie in seconds: longer than the maximum duration of a login. */
export const CONSOLE_LOGIN_SECONDS = 1800;

export interface ConsoleLogin {
  /** Random `state` value (256 bits in base64url) that the authorization response must return with the code. */
  readonly state: string;
  /** PKCE code verifier (RFC 7636 §4.1). */
  readonly verifier: string;
  /** Path in the console to which the login returns the browser. */
  readonly target: string;
}

const FORM = /^([\w-]{43})\.([\w-]{43})\.([\w-]*)$/;

export const consoleLoginValue = ({ state, verifier, target }: ConsoleLogin): string =>
  [state, verifier, Buffer.from(target).toString('base64url')].join('.');

/** Reads the cookie of a console login. Returns undefined if it is malformed. */
export function readConsoleLogin(value = ''): ConsoleLogin | undefined {
  const [, state = '', verifier = '', target] = FORM.exec(value) ?? [];
  if (target === undefined) return undefined;
  return { state, verifier, target: Buffer.from(target, 'base64url').toString('utf8') };
}

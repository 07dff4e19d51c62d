/** A login that the console has begun: held by its browser alone, in a cookie. */

export const CONSOLE_LOGIN_COOKIE = '__Host-console-login';

/** Longer than a login may take. */
export const CONSOLE_LOGIN_SECONDS = 1800;

export interface ConsoleLogin {
  /** 256 bits in base64url: the code has to come back with it. */
  readonly state: string;
  /** RFC 7636 §4.1. */
  readonly verifier: string;
  /** Where it leads to: a path of the console. */
  readonly target: string;
}

const FORM = /^([\w-]{43})\.([\w-]{43})\.([\w-]*)$/;

export const consoleLoginValue = ({ state, verifier, target }: ConsoleLogin): string =>
  [state, verifier, Buffer.from(target).toString('base64url')].join('.');

/** Undefined for what is none. */
export function readConsoleLogin(value = ''): ConsoleLogin | undefined {
  const [, state, verifier, target] = FORM.exec(value) ?? [];
  if (!state || !verifier || target === undefined) return undefined;
  return { state, verifier, target: Buffer.from(target, 'base64url').toString('utf8') };
}

import type { JsonWebKey } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Stored login of a person at one service. */
export interface Login {
  /** Private key to which the tokens are bound (RFC 9449). */
  readonly key: JsonWebKey;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Time at which the access token expires, in epoch seconds. */
  readonly expiresAt: number;
}

type Logins = Readonly<Record<string, Login>>;

const loginsPath = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'otl', 'logins.json');

function readAll(): Logins {
  try {
    return JSON.parse(readFileSync(loginsPath(), 'utf8')) as Logins;
  } catch {
    return {};
  }
}

export const hasLogins = (): boolean => Object.keys(readAll()).length > 0;

/** Returns the stored login to the service with this base URL. */
export const findLogin = (baseUrl: string): Login | undefined => readAll()[baseUrl];

/**
 * Stores or removes a login. Writes a new file and renames it, so that a crash leaves the old file intact. Other users of the
 * machine cannot read the file.
 */
export function keepLogin(baseUrl: string, login: Login | undefined): void {
  const { [baseUrl]: _, ...others } = readAll();
  const path = loginsPath();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(login ? { ...others, [baseUrl]: login } : others), { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

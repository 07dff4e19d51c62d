import { devNull } from 'node:os';
import { TIMELINE_DAYS } from '../../shared/domain/basis/limits.ts';
import { MAC_KEY_ID, WEBHOOK_KEY_ID } from './demo.ts';
import { LOCAL_EDGE_SECRET_HASH } from './edge.ts';

export interface Addresses {
  readonly baseUrl: string;
  readonly browserOrigin: string;
  readonly issuer: string;
  /** On another port; a proxy before the service stands before the service alone. */
  readonly consoleOrigin: string;
}

/** @param publicOrigin what browsers and clients see, where a proxy stands before this server */
export function addressesOf(
  port: number,
  consolePort: number,
  publicOrigin = `http://localhost:${port}`,
): Addresses {
  const browserOrigin = publicOrigin;
  const baseUrl = `${browserOrigin}/cis`;
  return {
    browserOrigin,
    baseUrl,
    issuer: `${baseUrl}/oidc`,
    consoleOrigin: `http://localhost:${consolePort}`,
  };
}

export const TABLE_VARIABLES = {
  DIRECTORY_TABLE: 'directory',
  PEOPLE_TABLE: 'people',
  FLOWS_TABLE: 'flows',
} as const;

/** Begins the name of every secret of a social provider. */
export const PROVIDER_SECRETS = 'local/providers';

/** The sender of every mail. */
const LOCAL_MAIL_FROM = 'no-reply@login.example';

/** The environment variables that a deployed function has, for functions in this process. */
export function functionEnvironment(
  addresses: Addresses,
  options: { readonly version: string; readonly rateLimits: 'on' | 'off' },
): Record<string, string> {
  return {
    ...TABLE_VARIABLES,
    BASE_URL: addresses.baseUrl,
    BROWSER_ORIGIN: addresses.browserOrigin,
    CONSOLE_ORIGIN: addresses.consoleOrigin,
    VENDOR: 'cis',
    MAIL_FROM: LOCAL_MAIL_FROM,
    MAC_KEY_ID,
    MAC_KEY_NUMBER: '1',
    EDGE_SECRET_HASHES: LOCAL_EDGE_SECRET_HASH,
    PROVIDER_SECRETS,
    LOOPBACK: 'on',
    EVENT_BUS: 'local',
    TIMELINE_DAYS: String(TIMELINE_DAYS),
    WEBHOOK_KEY_ID,
    SMS_COUNTRIES: 'any',
    ES256: 'on',
    // An application still has to be set to it.
    TEST_IDENTITIES: 'on',
    RATE_LIMITS: options.rateLimits,
    VERSION: options.version,
    // All functions share one thread here: a busy laptop must not look like a database that hangs.
    DATABASE_PATIENCE: '10',
    // Ignores the developer's own profiles and endpoints for AWS.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
}

/** Sets variables of this process; the returned function restores them. */
export function setEnvironment(variables: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
}

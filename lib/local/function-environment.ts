import { devNull } from 'node:os';
import { type DeployedAreas, hasArea } from '../../shared/domain/basis/areas.ts';
import { TIMELINE_DAYS } from '../../shared/domain/basis/limits.ts';
import { MAC_KEY_ID, WEBHOOK_KEY_ID } from './demo.ts';
import { LOCAL_EDGE_SECRET_HASH } from './edge.ts';

export interface Addresses {
  readonly baseUrl: string;
  readonly browserOrigin: string;
  readonly issuer: string;
  /** Origin of the operator console. A proxy set by `PUBLIC_ORIGIN` does not apply to the console. */
  readonly consoleOrigin: string;
}

/**
 * Computes the URLs of the local server.
 * @param publicOrigin Origin that browsers and clients use if a reverse proxy is in front of the server.
 * @param consoleOrigin Origin that browsers use if a reverse proxy is in front of the console.
 */
export function computeAddresses(
  port: number,
  consolePort: number,
  publicOrigin = `http://localhost:${port}`,
  consoleOrigin = `http://localhost:${consolePort}`,
): Addresses {
  const browserOrigin = publicOrigin;
  const baseUrl = `${browserOrigin}/cis`;
  return {
    browserOrigin,
    baseUrl,
    issuer: `${baseUrl}/oidc`,
    consoleOrigin,
  };
}

export const TABLE_VARIABLES = {
  DIRECTORY_TABLE: 'directory',
  PEOPLE_TABLE: 'people',
  FLOWS_TABLE: 'flows',
} as const;

/** Common name prefix of the secrets that contain social providers' client secrets. */
export const PROVIDER_SECRETS = 'local/providers';

const LOCAL_MAIL_FROM = 'no-reply@login.example';

/** Returns the environment variables of the deployed functions, with local values. */
export function functionEnvironment(
  addresses: Addresses,
  options: {
    readonly version: string;
    readonly rateLimits: 'on' | 'off';
    /** Areas of the service that run. Default: all areas. */
    readonly areas?: DeployedAreas;
  },
): Record<string, string> {
  const { areas = 'all' } = options;
  return {
    ...TABLE_VARIABLES,
    BASE_URL: addresses.baseUrl,
    BROWSER_ORIGIN: addresses.browserOrigin,
    AREAS: areas === 'all' ? '' : areas.join(','),
    CONSOLE_ORIGIN: hasArea({ areas }, 'console') ? addresses.consoleOrigin : '',
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
    // Test identities also require a setting of the application.
    TEST_IDENTITIES: 'on',
    RATE_LIMITS: options.rateLimits,
    VERSION: options.version,
    // All functions share one thread, so calls can be slow on a busy machine. Longer time-outs avoid false failures.
    DATABASE_PATIENCE: '10',
    // Empty files keep the AWS SDK from using the developer's own profiles and endpoints.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
}

/** Sets environment variables of this process. Returns a function that restores the previous values. */
export function setEnvironment(variables: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  return () => {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  };
}

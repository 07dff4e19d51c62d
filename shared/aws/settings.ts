import { readAreas } from '../domain/basis/areas.ts';
import { JOB_CALL_SECONDS } from '../domain/basis/limits.ts';
import type { Settings } from '../operation.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export function requireVariable(env: Environment, name: string): string {
  const value = env[name];
  if (value === undefined || value === '') throw new Error(`the environment variable ${name} is not set`);
  return value;
}

/** Reads the hashes of the CloudFront secrets. The value `off` disables the check. Throws if the variable is missing. */
function readEdgeSecretHashes(env: Environment): Settings['edgeSecretHashes'] {
  const value = requireVariable(env, 'EDGE_SECRET_HASHES');
  return value === 'off' ? 'off' : value.split(',');
}

const splitList = (text: string): readonly string[] => text.split(',').filter((each) => each !== '');

export const readSmsCountries = (env: Environment): Settings['smsCountries'] =>
  env.SMS_COUNTRIES === 'any' ? 'any' : splitList(env.SMS_COUNTRIES ?? '');

/** Reads the ID of the only application that sends magic links. Undefined if all applications may send them. */
export const readLinkApplication = (env: Environment): string | undefined =>
  env.LINK_APPLICATION || undefined;

export const readEs256 = (env: Environment): boolean => env.ES256 === 'on';

const baseUrlIn = (env: Environment): string => requireVariable(env, 'BASE_URL').replace(/\/$/, '');

/** Derives the issuer from the configured base URL, not from the `Host` header of a request, which an attacker could choose. */
export const readIssuer = (env: Environment): string => `${baseUrlIn(env)}/oidc`;

export function readSettings(env: Environment): Settings {
  const issuer = readIssuer(env);
  const identityVerificationResource = env.IDENTITY_VERIFICATION_RESOURCE;
  const linkApplicationId = readLinkApplication(env);
  return {
    baseUrl: baseUrlIn(env),
    issuer,
    browserOrigin: requireVariable(env, 'BROWSER_ORIGIN').replace(/\/$/, ''),
    defaultAudience: env.DEFAULT_AUDIENCE || issuer,
    areas: readAreas(env),
    consoleOrigin: env.CONSOLE_ORIGIN ?? '',
    vendor: env.VENDOR || 'cis',
    version: env.VERSION || 'unknown',
    ...(identityVerificationResource ? { identityVerificationResource } : {}),
    ...(linkApplicationId === undefined ? {} : { linkApplicationId }),
    mailFrom: env.MAIL_FROM ?? '',
    smsCountries: readSmsCountries(env),
    rateLimits: env.RATE_LIMITS === 'off' ? 'off' : 'on',
    edgeSecretHashes: readEdgeSecretHashes(env),
    deviceBinding: (env.DEVICE_BINDING || 'offered') as Settings['deviceBinding'],
    es256: readEs256(env),
    loopback: env.LOOPBACK === 'on',
    jobCallSeconds: Number(env.JOB_CALL_SECONDS || JOB_CALL_SECONDS),
  };
}

import { CALLER_ALGORITHMS } from '../domain/basis/key-algorithms.ts';
import { ServiceError } from '../errors/service-error.ts';

/** How a request presents an access token: alone (RFC 6750 §2.1), or with a proof of its key (RFC 9449 §7.1). */
export type TokenScheme = 'Bearer' | 'DPoP';

export function schemeOf({ dpopJkt }: { readonly dpopJkt?: string }): TokenScheme {
  return dpopJkt === undefined ? 'Bearer' : 'DPoP';
}

export function challenge(scheme: TokenScheme, error: string, parameters = ''): string {
  return `${scheme} error="${error}"${parameters}${scheme === 'DPoP' ? `, algs="${CALLER_ALGORITHMS.join(' ')}"` : ''}`;
}

/** RFC 6750 §3, RFC 9449 §7.1. */
export function invalidToken(scheme: TokenScheme = 'Bearer'): ServiceError {
  return new ServiceError('invalid_token', {
    headers: { 'www-authenticate': challenge(scheme, 'invalid_token') },
  });
}

/** RFC 9470 §3: `acr_values` only when a second factor is missing. `maxAge` is in seconds. */
export function insufficientLogin(
  scheme: TokenScheme,
  lack: 'login' | 'second-factor',
  maxAge: number,
): ServiceError {
  const acr = lack === 'second-factor' ? ', acr_values="mfa"' : '';
  const header = challenge(scheme, 'insufficient_user_authentication', `${acr}, max_age=${maxAge}`);
  return new ServiceError('insufficient_user_authentication', { headers: { 'www-authenticate': header } });
}

export function insufficient(scheme: TokenScheme = 'Bearer'): ServiceError {
  return new ServiceError('insufficient_permission', {
    headers: { 'www-authenticate': challenge(scheme, 'insufficient_scope') },
  });
}

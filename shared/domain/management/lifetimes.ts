import { invalidInput } from '../../errors/service-error.ts';
import {
  RESOURCE_ACCESS_TTL_MAX_SECONDS,
  RESOURCE_REFRESH_TTL_MAX_SECONDS,
  RESOURCE_TTL_MIN_SECONDS,
} from '../basis/limits.ts';

const MAX_SECONDS = {
  access_token_ttl: RESOURCE_ACCESS_TTL_MAX_SECONDS,
  refresh_token_ttl: RESOURCE_REFRESH_TTL_MAX_SECONDS,
  max_refresh_rotate: RESOURCE_REFRESH_TTL_MAX_SECONDS,
};

/**
 * Validates a token lifetime in seconds and rounds it down, because SPEC E1 allows fractions. Errors: `system_invalid_input`.
 */
function readTokenLifetime(name: keyof typeof MAX_SECONDS, seconds: number): number {
  if (seconds >= RESOURCE_TTL_MIN_SECONDS && seconds <= MAX_SECONDS[name]) return Math.floor(seconds);
  throw invalidInput(`${name}: must be a number from ${RESOURCE_TTL_MIN_SECONDS} to ${MAX_SECONDS[name]}`);
}

/** Validators of the token lifetimes that clients and resources can set. */
export const tokenLifetimes = {
  accessTokenSeconds: (seconds: number) => readTokenLifetime('access_token_ttl', seconds),
  refreshTokenSeconds: (seconds: number) => readTokenLifetime('refresh_token_ttl', seconds),
  maxRefreshRotateSeconds: (seconds: number) => readTokenLifetime('max_refresh_rotate', seconds),
};

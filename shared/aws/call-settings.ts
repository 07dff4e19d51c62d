/**
 * Settings of AWS clients. All calls have a short time-out, because a user can repeat a login that fails quickly, but not a
 * login that hangs.
 */
export const CALL_SETTINGS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
} as const;

/**
 * Settings of AWS clients. Every call has a short time-out, because users can repeat a login that fails quickly, but not one
 * that hangs.
 */
export const CALL_SETTINGS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
} as const;

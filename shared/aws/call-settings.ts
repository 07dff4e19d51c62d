/** Settings of AWS clients. Every call has a short time-out: a user can repeat a failed login, but not a login that hangs. */
export const CALL_SETTINGS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
} as const;

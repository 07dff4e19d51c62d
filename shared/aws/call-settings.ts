/** Settings of AWS clients. Every call has time-outs, because a quick "try again" is better than a login that hangs. */
export const CALL_SETTINGS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
} as const;

/** Every AWS call has time-outs: a prompt "try again" is better than a login that hangs, all calls of which share a budget. */
export const CALL_SETTINGS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
} as const;

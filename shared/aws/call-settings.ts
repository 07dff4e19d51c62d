/** Time-outs of every AWS call: a login that hangs is worse than one that says "try again". */
export const CALL_SETTINGS = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 3000, throwOnRequestTimeout: true },
} as const;

import type { Usage } from './prices.ts';

/** What one login uses. Measured by `npm run cost` on the local server in November 2026; a test measures it again. */
export const LOGINS = {
  'Passcode by email': {
    requests: 2,
    behind: 3,
    writeUnits: 13,
    readUnits: 7,
    kmsCalls: 2,
    mails: 1,
    events: 1,
    lambdaGbSeconds: 0.172,
    logBytes: 1900,
  },
  'Passcode by SMS': {
    requests: 2,
    behind: 3,
    writeUnits: 17,
    readUnits: 8,
    kmsCalls: 2,
    mails: 0,
    events: 1,
    lambdaGbSeconds: 0.212,
    logBytes: 2520,
  },
  'Link by email': {
    requests: 3,
    behind: 3,
    writeUnits: 12,
    readUnits: 9,
    kmsCalls: 2,
    mails: 1,
    events: 1,
    lambdaGbSeconds: 0.185,
    logBytes: 2520,
  },
  Passkey: {
    requests: 2,
    behind: 1,
    writeUnits: 9,
    readUnits: 6,
    kmsCalls: 2,
    mails: 0,
    events: 1,
    lambdaGbSeconds: 0.066,
    logBytes: 1320,
  },
  Refresh: {
    requests: 1,
    behind: 0,
    writeUnits: 2,
    readUnits: 3,
    kmsCalls: 2,
    mails: 0,
    events: 0,
    lambdaGbSeconds: 0.03,
    logBytes: 660,
  },
} as const satisfies Readonly<Record<string, Usage>>;

export type LoginName = keyof typeof LOGINS;

import type { Usage } from './prices.ts';

/** What one login uses. Measured by `npm run cost` on the local server in November 2026; a test measures it again. */
export const LOGINS = {
  'Passcode by email': {
    ...{ requests: 2, writeUnits: 10, readUnits: 3, kmsCalls: 2, mails: 1, events: 2 },
    ...{ lambdaGbSeconds: 0.185, logBytes: 1900, transferBytes: 3000 },
  },
  'Passcode by SMS': {
    ...{ requests: 2, writeUnits: 13, readUnits: 3, kmsCalls: 2, mails: 0, events: 2 },
    ...{ lambdaGbSeconds: 0.225, logBytes: 2040, transferBytes: 3000 },
  },
  'Link by email': {
    ...{ requests: 3, writeUnits: 7, readUnits: 5, kmsCalls: 2, mails: 1, events: 2 },
    ...{ lambdaGbSeconds: 0.198, logBytes: 2520, transferBytes: 4500 },
  },
  Passkey: {
    ...{ requests: 2, writeUnits: 6, readUnits: 4, kmsCalls: 2, mails: 0, events: 1 },
    ...{ lambdaGbSeconds: 0.079, logBytes: 1320, transferBytes: 3000 },
  },
  Refresh: {
    ...{ requests: 1, writeUnits: 2, readUnits: 3, kmsCalls: 2, mails: 0, events: 0 },
    ...{ lambdaGbSeconds: 0.03, logBytes: 660, transferBytes: 1500 },
  },
} as const satisfies Readonly<Record<string, Usage>>;

export type LoginName = keyof typeof LOGINS;

/** Two tokens, each an RSA operation of KMS. */
export const SIGNATURES_PER_LOGIN = 2;

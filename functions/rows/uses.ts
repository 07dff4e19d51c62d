/** Verbs that rows of several files use together. */

/** Who asks: client, application and tenant. */
export const DIRECTORY = ['clients', 'applications', 'tenants'] as const;

/** What a user's token is checked with: neither user, session nor token is gone. */
export const OWN_USER = ['users.find', 'sessions.find', 'revokedTokens.isRevoked'] as const;

/** A session that a login begins, or joins. */
export const SESSION = ['sessions.start', 'sessions.find', 'sessions.join'] as const;

/** What the first proof of an address takes away: all that was there before it. */
export const RECLAIM = [
  'userRecords.find',
  'userRecords.replace',
  'identifierClaims.release',
  'passkeyRecords.listOf',
  'passkeyRecords.remove',
  'deviceKeys.listOf',
  'deviceKeys.remove',
] as const;

/** A try with the digits of a passcode, which may switch them off. */
export const TRY_PASSCODE = [
  'otps.find',
  'otps.countTry',
  'otps.refundTry',
  'otps.consume',
  'codeMac',
  'users.find',
  'users.switchPasscodesOff',
  'windows.pay',
] as const;

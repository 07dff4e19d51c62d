import type { PortMethod } from './uses.ts';

// Lists of port methods that operation rows of several areas share in `uses`. A row may name each method only once, so the
// lists that a row combines must not overlap.

/** Port methods that an operation needs to read a client, its application and its tenant. */
export const DIRECTORY = ['clients', 'applications', 'tenants'] as const satisfies readonly PortMethod[];

/** Port methods that an operation needs to authenticate the user to whom an access token was issued. */
export const OWN_USER = [
  'clients',
  'users.find',
  'sessions.find',
  'revokedTokens.isRevoked',
] as const satisfies readonly PortMethod[];

/** Port methods that `changeUser` needs to change a user's record. */
export const CHANGE_USER = [
  'userRecords.find',
  'userRecords.replace',
] as const satisfies readonly PortMethod[];

/** Port methods that an operation needs to change a user's identifiers. */
export const MOVE_IDENTIFIERS = [
  'identifierReservations.reserve',
  'identifierReservations.takeOver',
  'identifierReservations.release',
] as const satisfies readonly PortMethod[];

/** Port methods that an operation needs to change a client's record and make functions reload it. */
export const CHANGE_CLIENT = [
  'clientRecords.find',
  'clientRecords.replace',
  'windowRecords.announce',
] as const satisfies readonly PortMethod[];

/** Port methods that `putUser` needs to create a user. */
export const NEW_USER = [
  'userRecords.put',
  'userRecords.find',
  ...MOVE_IDENTIFIERS,
] as const satisfies readonly PortMethod[];

/** Port methods that `runJob` needs to run a job and record its progress. */
export const RUN_JOB = ['jobs.note', 'jobs.remove'] as const satisfies readonly PortMethod[];

/** Port methods that `removeApplicationData` needs to remove the data of a deleted application. */
export const REMOVE_APPLICATION = [
  'applicationRecords.find',
  'clientRecords.list',
  'clientRecords.remove',
  'windowRecords.announce',
  'resourceRecords.list',
  'resourceRecords.remove',
  'resourceRecords.releaseUri',
  'uriOwners.reserveUntil',
  'webhookRecords.list',
  'webhookRecords.remove',
] as const satisfies readonly PortMethod[];

/** Port methods that `eraseUser` needs to erase a user. */
export const ERASE_USER = [
  ...CHANGE_USER,
  'userRecords.remove',
  'identifierReservations.release',
  'identifierReservations.releaseAllOf',
  'applicationRecords.list',
  'formerApplications.listOf',
  'otps.removeAllOf',
  'testCodes.forget',
  'guesses.clearAllOf',
  'windowRecords.forget',
  'knownDeviceRecords',
  'passkeyRecords.forgetAllOf',
  'sessions.eraseAllOf',
  'timeline.erase',
  'timeline.eraseMessages',
  ...RUN_JOB,
  'jobs.put',
] as const satisfies readonly PortMethod[];

/** Port methods that the export of a user needs to read all of the user's data, except the user's record. */
export const EXPORT_USER = [
  'membershipRecords.listOfUser',
  'passkeyRecords.listOf',
  'deviceKeys.listOf',
  'consents.listOf',
  'sessions.listOf',
  'timeline.listWithMessages',
  'timeline.listChanges',
] as const satisfies readonly PortMethod[];

/** Port methods that `completeLogin` needs to complete a login and issue tokens. */
export const COMPLETE_LOGIN = [
  'resources',
  'users.find',
  'users.recordLogin',
  'memberships',
  'organizations',
  'sessions.start',
  'sessions.find',
  'sessions.join',
  'sessions.endFamily',
  'sessions.end',
  'guesses.clear',
  'passkeys.listOf',
  'signingKeys',
  'signer',
] as const satisfies readonly PortMethod[];

/** Port methods that an operation needs to show the current page of a browser login. */
export const SHOW_LOGIN = [
  ...DIRECTORY,
  'loginTransactions.find',
  'loginTransactions.findStart',
  'sessions.find',
  'users.find',
  'passkeys.listOf',
  'membershipRecords.listOfUser',
  'consents.find',
] as const satisfies readonly PortMethod[];

/** Port methods that `finishLogin` needs to complete a browser login and issue a code. */
export const FINISH_LOGIN = [
  'loginTransactions.find',
  'loginTransactions.findStart',
  'loginTransactions.advance',
  'loginTransactions.finish',
  'loginTransactions.reopen',
  'sessions.start',
  'sessions.find',
  'sessions.join',
  'sessions.releaseBrowser',
  'users.find',
  'users.recordLogin',
  'memberships',
  'organizations',
  'passkeys.listOf',
  'membershipRecords.listOfUser',
  'consents.find',
  'consents.listOf',
  'consents.grant',
  'knownDevices.remember',
  'codes.put',
] as const satisfies readonly PortMethod[];

/** Port methods that `storeProvenCredentials` needs to update the trust of credentials proven in a browser login. */
export const UPDATE_TRUST = [...CHANGE_USER, 'passkeys.updateTrust'] as const satisfies readonly PortMethod[];

/** Port methods that an operation needs to send a passcode to an existing or new user. */
export const SEND_PASSCODE = [
  'identifiers',
  'users.find',
  'windows.count',
  'windows.uncount',
  'codeMac',
  'otps.put',
  'otps.restore',
  'testCodes.put',
] as const satisfies readonly PortMethod[];

/** Port methods that `one-time-code.ts` needs to count, compare and consume a passcode. */
export const CHECK_PASSCODE = [
  'otps.countAttempt',
  'otps.refundAttempt',
  'otps.consume',
  'otps.undoConsume',
  'guesses.count',
  'guesses.clearBelow',
  'codeMac',
  'windows.confirm',
  'users.noteWrongGuess',
] as const satisfies readonly PortMethod[];

/** Port methods that an operation needs to verify a passkey at login. */
export const CHECK_PASSKEY = [
  'webauthnChallenges.find',
  'webauthnChallenges.consume',
  'webauthnChallenges.undoConsume',
  'passkeys.find',
  'passkeys.findOwner',
  'passkeys.recordUse',
] as const satisfies readonly PortMethod[];

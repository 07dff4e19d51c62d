// Sentences about events, such as logins, without their details.

const SENTENCES: Readonly<Record<string, string>> = {
  'login.succeeded': 'Logged in',
  'login.failed': 'Login failed',
  'login.locked': 'Codes were locked after wrong ones',
  'login.new_device': 'This device was new for the person',
  'session.moved': 'Moved a session from the previous system',
  'session.ended': 'Logged out, or the session was ended',
  'session.binding_failed': 'A copied session was ended, because the device did not have its key',
  'logout.failed': 'An application could not be told about a logout',
  'token.revoked': 'An application revoked a token',
  'token.reused': 'A token was used twice, so its session was ended',
  'token.repeated': 'An application repeated a refresh',
  'user.created': 'The account was created',
  'user.updated': 'The record was changed',
  'user.email_added': 'An email address was added',
  'user.email_changed': 'The email address was changed',
  'user.email_restored': 'The owner of the previous address undid its change',
  'user.phone_added': 'A phone number was added',
  'user.phone_changed': 'The phone number was changed',
  'user.phone_risk_set': 'The phone number was reported at risk',
  'user.phone_risk_cleared': 'The risk of the phone number was cleared',
  'user.suspended': 'The account was disabled',
  'user.unlocked': 'Codes were unlocked',
  'user.undo_requested': 'An undo of a change was requested',
  'user.recovery_requested': 'A recovery was requested',
  'user.recovery_granted': 'A recovery was granted',
  'user.recovery_cancelled': 'A recovery was cancelled',
  'user.erasure_requested': 'The person deleted the account',
  'user.erasure_cancelled': 'The deletion of the account was undone',
  'user.erasure_reminded': 'The person was reminded that the account will be deleted',
  'user.reclaimed': 'An address was verified for the first time, which superseded earlier credentials',
  'passkey.added': 'A passkey was added',
  'passkey.removed': 'A passkey was removed',
  'device_key.added': 'A device key was added',
  'device_key.removed': 'A device key was removed',
  'identity.added': 'An account at a provider was linked',
  'identity.removed': 'An account at a provider was disconnected',
  'grant.given': 'Access was given to an agent',
  'grant.new_client': 'Access was given to an agent for the first time',
  'grant.ended': 'The access of an agent was ended',
  'operator.acted': 'An operator acted',
  'operator.viewed_user': 'An operator looked at this page',
  'webhook.tested': 'A test event was sent',
};

/** Returns a sentence about an event, by the type of the event. */
export const describeEventType = (type: string): string => {
  if (Object.hasOwn(SENTENCES, type)) return SENTENCES[type] ?? '';
  const words = type.replaceAll(/[._]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

// Sentences about the events of a person other than messages, such as logins.

import { describeEvent } from '../../../shared/domain/support/event-words.ts';
import type { TimelineRecord } from '../../../shared/domain/users/timeline-record.ts';
import { deviceName } from '../../../shared/templates/device-name.ts';
import { toWords } from '../engine/values.ts';

/** Endings of a sentence about a login, by the name of the login method in the event. */
const METHODS: Readonly<Record<string, string>> = {
  eotp: 'with a code by mail',
  eml: 'with a link by mail',
  email: 'with a code by mail',
  sms: 'with a code by text message',
  link: 'with a link by mail',
  otp: 'with a code from the backend',
  direct: 'with a code from the backend',
  webauthn: 'with a passkey',
  social: 'with an account at a provider',
  moved: 'with a session of the previous system',
};

/** Beginnings of the sentences about events, by event type. The method and the device are appended. */
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
};

const readText = (value: string | number | undefined): string => (value === undefined ? '' : String(value));

/** Returns the login method of an event in words, such as `with a passkey`; empty if the event names none. */
export function describeMethod({ method, channel }: TimelineRecord): string {
  const name = readText(method ?? channel);
  return Object.hasOwn(METHODS, name) ? (METHODS[name] ?? '') : name && `with ${name}`;
}

/** Returns the device and network address of an event, such as `Firefox on Windows, 203.0.113.9`; empty if unknown. */
export function describeOrigin({ user_agent, ip_address, source_address }: TimelineRecord): string {
  const device = user_agent === undefined ? undefined : deviceName('en', String(user_agent));
  return [device, ip_address ?? source_address].filter((part) => part !== undefined).join(', ');
}

/** Returns a sentence about an event: what happened, how, and, if something failed, why. */
export function describeTimelineEvent(event: TimelineRecord): string {
  const { type } = event;
  if (type.startsWith('message.')) return describeEvent(event);
  const sentence = Object.hasOwn(SENTENCES, type) ? SENTENCES[type] : toWords(type.replaceAll('.', ' '));
  const how = type.startsWith('login.') ? describeMethod(event) : '';
  // The description of a failed login ends with its reason, after two spaces.
  const why = type === 'login.failed' ? describeEvent(event).split('  ').at(-1) : undefined;
  return `${[sentence, how].filter(Boolean).join(' ')}${why ? `: ${why}` : ''}`;
}

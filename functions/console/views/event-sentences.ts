// Sentences about the events of a person other than messages, such as logins.

import { describeEvent } from '../../../shared/domain/support/event-words.ts';
import type { TimelineRecord } from '../../../shared/domain/users/timeline-record.ts';
import { deviceName } from '../../../shared/templates/device-name.ts';
import { describeEventType } from '../words/events.ts';

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
  const sentence = describeEventType(type);
  const how = type === 'login.succeeded' || type === 'login.failed' ? describeMethod(event) : '';
  // The description of a failed login ends with its reason, after two spaces.
  const why = type === 'login.failed' ? describeEvent(event).split('  ').at(-1) : undefined;
  return `${[sentence, how].filter(Boolean).join(' ')}${why ? `: ${why}` : ''}`;
}

import type { OTHER_FUNCTIONS } from '../lib/build/bundle.ts';
import type { Use, Using } from '../shared/ports/uses.ts';

/** What the functions beside the operations call, as `uses` of a row: their ports and their policies are made from it. */
export const otherUses = {
  'first-signing-key': ['signingKeyRecords.list', 'signingKeyRecords.put'],
  'edge-records': [],
  'sms-settings': [],
  'mail-events': ['identifiers', 'users.find', 'users.markUndeliverable'],
  'event-forwarder': [
    'timeline.add',
    'timeline.erase',
    'seenDevices',
    'users.find',
    'sessions.listOf',
    'sessions.end',
  ],
  webhooks: ['webhooks.find', 'webhooks.listOf', 'webhookMac'],
  notices: ['users.find', 'applications', 'tenants', 'replays', 'windows.count', 'mailer'],
} as const satisfies Readonly<Record<(typeof OTHER_FUNCTIONS)[number], readonly Use[]>>;

/** The ports of such a function. */
export type OtherPorts<Name extends keyof typeof otherUses> = Using<(typeof otherUses)[Name][number]>;

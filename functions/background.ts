import type { PortMethod, PortsWith } from '../shared/ports/uses.ts';
import { CHANGE_USER, DIRECTORY, ERASE_USER, REMOVE_APPLICATION } from '../shared/ports/verbs.ts';

interface BackgroundFunction {
  /** Path of the file below functions/ that exports `create`, without its extension. */
  readonly file: string;
  /** Store operations that the function uses, from which its ports, its bundle and its IAM policy are derived. */
  readonly uses: readonly PortMethod[];
}

/** Functions without a route: custom resources of a deployment, consumers of events, and scheduled functions. */
export const background = {
  'first-signing-key': {
    file: 'deployment/first-signing-key',
    uses: ['signingKeyRecords.list', 'signingKeyRecords.put'],
  },
  'edge-records': { file: 'deployment/edge-records', uses: ['tenantRecords.list'] },
  'sms-settings': { file: 'deployment/sms-settings', uses: [] },
  'mail-events': {
    file: 'events/mail-events',
    uses: [
      'identifiers',
      'users.find',
      'users.markUndeliverable',
      'timeline.addMessage',
      'timeline.eraseMessages',
    ],
  },
  'sms-events': {
    file: 'events/sms-events',
    uses: ['users.find', 'timeline.findText', 'timeline.addMessage', 'timeline.eraseMessages'],
  },
  'event-forwarder': {
    file: 'events/event-forwarder',
    uses: [
      ...CHANGE_USER,
      'timeline.add',
      'statistics.count',
      'timeline.addChange',
      'timeline.addMessage',
      'timeline.rememberText',
      'timeline.erase',
      'seenDevices',
      'sessions.review',
      'sessions.markClientsNotified',
      'sessions.end',
      'users.find',
      'webhooks.listOf',
      'clients',
      'clientRecords.find',
      'clientRecords.replace',
    ],
  },
  jobs: {
    file: 'events/jobs',
    uses: [
      ...ERASE_USER,
      'jobs.list',
      'tenants',
      'organizationRecords.find',
      'membershipRecords.listOfOrganization',
      'membershipRecords.remove',
      ...REMOVE_APPLICATION,
    ],
  },
  webhooks: {
    file: 'events/webhooks',
    uses: [
      ...(['webhooks.find', 'webhooks.listOf', 'webhookMac'] as const),
      ...(['webhookDeliveries.note', 'webhookDeliveries.find'] as const),
      ...(['clients', 'signingKeys', 'signer'] as const),
    ],
  },
  watch: { file: 'events/watch', uses: [] },
  notices: {
    file: 'events/notices',
    uses: [
      ...DIRECTORY,
      'users.find',
      'passkeys.find',
      'replays',
      'windows.count',
      'noticeLinks.put',
      'operatorRecords.find',
      'operatorRecords.replace',
      'operatorRecords.list',
      'mailer',
      'smsSender',
      'timeline.addMessage',
      'timeline.rememberText',
    ],
  },
} as const satisfies Readonly<Record<string, BackgroundFunction>>;

export type BackgroundName = keyof typeof background;

export const backgroundNames = Object.keys(background) as readonly BackgroundName[];

/** Ports of a background function, limited to the operations that it declares. */
export type BackgroundPorts<Name extends BackgroundName> = PortsWith<
  (typeof background)[Name]['uses'][number]
>;

/** Creates the handler of a background function, once per container. `env` contains the function's environment variables. */
export type CreateBackground<Name extends BackgroundName, Event> = (
  ports: BackgroundPorts<Name>,
  env: Readonly<Record<string, string | undefined>>,
) => (event: Event) => Promise<unknown>;

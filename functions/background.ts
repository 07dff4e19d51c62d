import type { Use, Using } from '../shared/ports/uses.ts';

interface BackgroundFunction {
  /** The file below functions/ that exports `create`, without its ending. */
  readonly file: string;
  /** The verbs of ports that it calls: all that its ports, bundle and policy hold. */
  readonly uses: readonly Use[];
}

/** The functions without a route: custom resources of a deployment, and consumers of events. */
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
      ...(['identifiers', 'users.find', 'users.markUndeliverable'] as const),
      ...(['timeline.addMessage', 'timeline.eraseMessages'] as const),
    ],
  },
  'sms-events': {
    file: 'events/sms-events',
    uses: ['users.find', 'timeline.findText', 'timeline.addMessage', 'timeline.eraseMessages'],
  },
  'event-forwarder': {
    file: 'events/event-forwarder',
    uses: [
      ...([
        'timeline.add',
        'timeline.addMessage',
        'timeline.rememberText',
        'timeline.erase',
        'seenDevices',
        'sessions.listOf',
        'sessions.listEnded',
        'sessions.noteTold',
        'sessions.end',
      ] as const),
      ...(['users.find', 'userRecords.find', 'userRecords.replace', 'webhooks.listOf', 'clients'] as const),
    ],
  },
  erasures: {
    file: 'events/erasures',
    uses: [
      ...(['pendingErasures.listDue', 'pendingErasures.remove', 'tenants'] as const),
      ...(['userRecords.find', 'userRecords.replace', 'userRecords.remove'] as const),
      ...(['identifierReservations.release', 'identifierReservations.releaseAllOf'] as const),
      ...(['applicationRecords.list', 'formerApplications.listOf', 'otps.removeAllOf'] as const),
      ...(['testCodes.forget', 'guesses.clearAllOf', 'windowRecords.forget'] as const),
      ...(['passkeyRecords.forgetAllOf', 'knownDeviceRecords'] as const),
      ...(['sessions.eraseAllOf', 'timeline.erase', 'timeline.eraseMessages'] as const),
    ],
  },
  webhooks: {
    file: 'events/webhooks',
    uses: ['webhooks.find', 'webhooks.listOf', 'webhookMac', 'clients', 'signingKeys', 'signer'],
  },
  notices: {
    file: 'events/notices',
    uses: [
      ...(['users.find', 'clients', 'applications', 'tenants', 'replays', 'windows.count'] as const),
      ...(['noticeLinks.put', 'mailer', 'smsSender'] as const),
      ...(['timeline.addMessage', 'timeline.rememberText'] as const),
    ],
  },
} as const satisfies Readonly<Record<string, BackgroundFunction>>;

export type BackgroundName = keyof typeof background;

export const backgroundNames = Object.keys(background) as readonly BackgroundName[];

/** The ports of a background function. */
export type BackgroundPorts<Name extends BackgroundName> = Using<(typeof background)[Name]['uses'][number]>;

/** Makes the handler, once per container. `env` is the function's environment. */
export type CreateBackground<Name extends BackgroundName, Event> = (
  ports: BackgroundPorts<Name>,
  env: Readonly<Record<string, string | undefined>>,
) => (event: Event) => Promise<unknown>;

import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { Identifier } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import type { QuotaWindow } from '../../ports/windows.ts';
import { CHANNELS } from '../../records/channels.ts';
import { inBatches } from '../basis/await-all.ts';
import {
  DAY_SECONDS,
  KNOWN_BROWSER_EXTRA_SHARE,
  MINUTE_SECONDS,
  NETWORK_SENDS_SHARE,
  PARALLEL_WRITES,
  SENDS_PER_DAY,
  SENDS_PER_MINUTE,
  UNKNOWN_BROWSER_NETWORK_SHARE,
  UNKNOWN_BROWSER_SENDS_SHARE,
  UNKNOWN_BROWSER_WINDOW_SECONDS,
} from '../basis/limits.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';

const SENT_CHANNELS = [...CHANNELS, 'direct'] as const;
type SentChannel = (typeof SENT_CHANNELS)[number];

const toWindowKey = (applicationId: string, channel: SentChannel, recipient: string) =>
  `send#${applicationId}#${channel}#${recipient}`;

/**
 * Returns the hash under which messages to a mailbox or phone are counted, regardless of the identifier in the request. A user
 * has one address of each type, so messages are counted for the user. Messages to an address without a user are counted for the
 * address.
 */
export function recipientHash(tenant: Tenant, holderId: string | undefined, address: Identifier): string {
  return identifierHash(tenant, holderId === undefined ? address : { type: 'user_id', value: holderId });
}

/** Origin of a request for a message: a browser or a backend. */
export type MessageRequester =
  /** Browser that the user has logged in from before, or in which a factor was verified in this login. */
  | { readonly kind: 'known' }
  /** Browser from which the user has not logged in before, and in which no factor was verified in this login. */
  | { readonly kind: 'stranger'; readonly network: string }
  /** Backend, with the network of its user if the backend is trusted to report it. */
  | { readonly kind: 'backend'; readonly network?: string | undefined };

/**
 * Returns the rate-limit windows for a message. Unrecognised browsers on our pages get a part of the quota, and each of their
 * networks a smaller part per six hours and per day. Known browsers get more than all other browsers together. Unrecognised
 * browsers therefore lock out neither the user nor each other (NIST SP 800-63B-4 §3.2.2).
 */
function windowsFor(requester: MessageRequester, perMinute: number, perDay: number): readonly QuotaWindow[] {
  const { network } = { network: undefined, ...requester };
  const part = (seconds: number, ofAll: number, share: number, of?: string): QuotaWindow => ({
    seconds,
    max: Math.ceil(ofAll * share),
    ...(of !== undefined && { subKey: of }),
  });
  const isStranger = requester.kind === 'stranger';
  const share = requester.kind === 'known' ? 1 + KNOWN_BROWSER_EXTRA_SHARE : 1;
  const ofNetwork = isStranger ? UNKNOWN_BROWSER_SENDS_SHARE : 1;
  return [
    part(MINUTE_SECONDS, perMinute, share),
    ...(isStranger
      ? [
          part(MINUTE_SECONDS, perMinute, UNKNOWN_BROWSER_SENDS_SHARE, 'strangers'),
          part(DAY_SECONDS, perDay, UNKNOWN_BROWSER_SENDS_SHARE, 'strangers'),
          part(
            UNKNOWN_BROWSER_WINDOW_SECONDS,
            perDay,
            UNKNOWN_BROWSER_SENDS_SHARE * UNKNOWN_BROWSER_NETWORK_SHARE,
            requester.network,
          ),
        ]
      : []),
    ...(network === undefined ? [] : [part(DAY_SECONDS, perDay, ofNetwork * NETWORK_SENDS_SHARE, network)]),
    part(DAY_SECONDS, perDay, share),
  ];
}

/** Maximum number of rate-limit windows that one call of `windowRecords.forget` clears. */
const WINDOWS_AT_ONCE = 50;

/** Clears the rate-limit windows for messages to recipients. Each recipient is given together with its application. */
export async function forgetSends(
  ports: PortsWith<'windowRecords.forget'>,
  places: readonly (readonly [applicationId: string, recipient: string])[],
  now: number,
): Promise<void> {
  const keys = places.flatMap(([applicationId, recipient]) =>
    SENT_CHANNELS.map((channel) => toWindowKey(applicationId, channel, recipient)),
  );
  const calls = Array.from({ length: Math.ceil(keys.length / WINDOWS_AT_ONCE) }, (_, n) =>
    keys.slice(n * WINDOWS_AT_ONCE, (n + 1) * WINDOWS_AT_ONCE),
  );
  await inBatches(calls, PARALLEL_WRITES, (some) => ports.windowRecords.forget(some, DAY_SECONDS, now));
}

/** Application that a message is sent for. */
export interface Sender {
  readonly application: Application;
  readonly settings: { readonly rateLimits: 'on' | 'off' };
  /** Time of the request in epoch seconds. */
  readonly now: number;
}

interface CountedSend {
  readonly channel: SentChannel;
  readonly recipient: string;
  readonly requester: MessageRequester;
}

/**
 * Limits the messages to one recipient per minute and per day, separately for each channel. Floods of emails annoy the
 * recipient, and floods of SMS cost the application money. Throws `rate_limited` with the seconds to wait.
 */
export async function countSend(
  ports: PortsWith<'windows.count'>,
  { application, settings, now }: Sender,
  { channel, recipient, requester }: CountedSend,
): Promise<void> {
  if (settings.rateLimits === 'off') return;
  const { sendsPerMinute = SENDS_PER_MINUTE, sendsPerDay = SENDS_PER_DAY } = application.rateLimits ?? {};
  const outcome = await ports.windows.count(
    toWindowKey(application.applicationId, channel, recipient),
    windowsFor(requester, sendsPerMinute, sendsPerDay),
    now,
  );
  if (!outcome.admitted)
    throw new ServiceError('rate_limited', {
      retryAfterSeconds: outcome.retryAfterSeconds,
      audit: { refusal: 'recipient_limit' },
    });
}

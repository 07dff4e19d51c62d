import { ServiceError } from '../../errors/service-error.ts';
import type { Application, Tenant } from '../../ports/directory.ts';
import type { Identifier } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import type { SendWindow } from '../../ports/windows.ts';
import { CHANNELS } from '../../records/channels.ts';
import { inBatches } from '../basis/await-all.ts';
import {
  DAY_SECONDS,
  MINUTE_SECONDS,
  PARALLEL_WRITES,
  SENDS_OF_NETWORK,
  SENDS_OF_STRANGERS,
  SENDS_PER_DAY,
  SENDS_PER_MINUTE,
  SENDS_RESERVE,
  STRANGER_WINDOW_SECONDS,
  STRANGERS_OF_NETWORK,
} from '../basis/limits.ts';
import { identifierHash } from '../identifiers/identifier-hash.ts';

const SENT_CHANNELS = [...CHANNELS, 'direct'] as const;
type SentChannel = (typeof SENT_CHANNELS)[number];

const windowOf = (applicationId: string, channel: SentChannel, recipient: string) =>
  `send#${applicationId}#${channel}#${recipient}`;

/**
 * Returns the hash under which messages to a mailbox or phone are counted, whichever identifier led there. A user has one
 * address of each type, so messages are counted for the user. An address without a user is counted for itself.
 */
export function recipientHash(tenant: Tenant, holderId: string | undefined, address: Identifier): string {
  return identifierHash(tenant, holderId === undefined ? address : { type: 'user_id', value: holderId });
}

/** Origin of a request for a message. */
export type Asker =
  /** Browser that the user has logged in from before, or that has proven a factor in this login. */
  | { readonly kind: 'known' }
  /** Browser that has no connection to the user yet. */
  | { readonly kind: 'stranger'; readonly network: string }
  /** Backend, with the network of its user if it is trusted to report it. */
  | { readonly kind: 'backend'; readonly network?: string | undefined };

/**
 * Returns the windows that limit a send. Unrecognised browsers on our pages get a part of the quota, and each of their networks
 * a smaller part per six hours and per day. Known browsers get more than all others together. So requests of strangers lock out
 * neither the user nor the next stranger (NIST SP 800-63B-4 §3.2.2).
 */
function windowsFor(asker: Asker, perMinute: number, perDay: number): readonly SendWindow[] {
  const { network } = { network: undefined, ...asker };
  const part = (seconds: number, ofAll: number, share: number, of?: string): SendWindow => ({
    seconds,
    max: Math.ceil(ofAll * share),
    ...(of !== undefined && { of }),
  });
  const isStranger = asker.kind === 'stranger';
  const share = asker.kind === 'known' ? 1 + SENDS_RESERVE : 1;
  const ofNetwork = isStranger ? SENDS_OF_STRANGERS : 1;
  return [
    part(MINUTE_SECONDS, perMinute, share),
    ...(isStranger
      ? [
          part(MINUTE_SECONDS, perMinute, SENDS_OF_STRANGERS, 'strangers'),
          part(DAY_SECONDS, perDay, SENDS_OF_STRANGERS, 'strangers'),
          part(STRANGER_WINDOW_SECONDS, perDay, SENDS_OF_STRANGERS * STRANGERS_OF_NETWORK, asker.network),
        ]
      : []),
    ...(network === undefined ? [] : [part(DAY_SECONDS, perDay, ofNetwork * SENDS_OF_NETWORK, network)]),
    part(DAY_SECONDS, perDay, share),
  ];
}

/** Maximum number of window keys in one call of `windowRecords.forget`. */
const WINDOWS_AT_ONCE = 50;

/** Clears the send windows of recipients, each of which is given with its application. */
export async function forgetSends(
  ports: Using<'windowRecords.forget'>,
  places: readonly (readonly [applicationId: string, recipient: string])[],
  now: number,
): Promise<void> {
  const keys = places.flatMap(([applicationId, recipient]) =>
    SENT_CHANNELS.map((channel) => windowOf(applicationId, channel, recipient)),
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
  readonly asker: Asker;
}

/**
 * Limits the messages to one recipient per minute and per day, separately for each channel. Floods of emails cost the victim's
 * patience, floods of SMS the application's money. Throws `rate_limited` with the seconds to wait.
 */
export async function countSend(
  ports: Using<'windows.count'>,
  { application, settings, now }: Sender,
  { channel, recipient, asker }: CountedSend,
): Promise<void> {
  if (settings.rateLimits === 'off') return;
  const { sendsPerMinute = SENDS_PER_MINUTE, sendsPerDay = SENDS_PER_DAY } = application.rateLimits ?? {};
  const outcome = await ports.windows.count(
    windowOf(application.applicationId, channel, recipient),
    windowsFor(asker, sendsPerMinute, sendsPerDay),
    now,
  );
  if (!outcome.admitted)
    throw new ServiceError('rate_limited', {
      retryAfterSeconds: outcome.retryAfterSeconds,
      audit: { refusal: 'recipient_limit' },
    });
}

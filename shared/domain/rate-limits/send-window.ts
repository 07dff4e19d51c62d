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
 * What the messages to a mailbox or phone are counted under, whatever name led there. A user has one address of each kind
 * and so stands for it; an address that no user has stands for itself.
 */
export function recipientHash(tenant: Tenant, holderId: string | undefined, address: Identifier): string {
  return identifierHash(tenant, holderId === undefined ? address : { type: 'user_id', value: holderId });
}

/** Who asks for a message. */
export type Asker =
  /** A browser that the user has logged in from, or that is logging in and has proven a factor. */
  | { readonly kind: 'known' }
  /** Any other browser. */
  | { readonly kind: 'stranger'; readonly network: string }
  /** A backend, with the network of its user where it is trusted to report it. */
  | { readonly kind: 'backend'; readonly network?: string | undefined };

/**
 * Strangers on our own pages get a part of the sends, one network of them a smaller part by six hours and by day; known
 * browsers get more than all others together. So requests of strangers keep neither the user nor the next stranger out (NIST SP 800-63B-4 §3.2.2).
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

/** Keys of windows that one call of `windowRecords.forget` takes. */
const WINDOWS_AT_ONCE = 50;

/** Clears the windows of recipients, each given with its application. */
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

/** The application that a message is sent for. */
export interface Sender {
  readonly application: Application;
  readonly settings: { readonly rateLimits: 'on' | 'off' };
  /** Epoch seconds. */
  readonly now: number;
}

interface Sent {
  readonly channel: SentChannel;
  readonly recipient: string;
  readonly asker: Asker;
}

/**
 * Limits the messages to one recipient per minute and per day, for each channel by itself: a mail bomb costs the victim's
 * patience, an SMS bomb the application's money. Errors: `rate_limited` with the seconds to wait.
 */
export async function countSend(
  ports: Using<'windows.count'>,
  { application, settings, now }: Sender,
  { channel, recipient, asker }: Sent,
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

import type { Application } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { PortsWith } from '../../ports/uses.ts';
import {
  type AddressAttribute,
  addressTypes,
  isBilled,
  type NoticeChannel,
  typeOfAttribute,
} from '../../records/channels.ts';
import { DAY_SECONDS, NOTICES_PER_DAY } from '../basis/limits.ts';
import { hashSecret } from '../basis/random.ts';
import { listAddresses } from '../identifiers/stored-address.ts';
import {
  canLinkUndo,
  type FormerAddress,
  formerAddresses,
  isNotified,
  reachesOwner,
} from '../trust/changes.ts';
import { isSuperseded } from '../trust/generations.ts';

/** Sender of a notice: the application or, if none is involved, the tenant with default settings. */
export type NoticeSender = Pick<Application, 'name' | 'language' | 'notices'>;

/** Message that delivers a notice to one address. */
export interface NoticeDelivery {
  readonly channel: NoticeChannel;
  readonly to: string;
  /** Former address of the user that the change has replaced or removed. */
  readonly former?: FormerAddress;
}

/**
 * Application setting that switches off each notice type. Notices that let the reader stop or undo something cannot be switched
 * off.
 */
const SWITCHES = {
  new_device: 'newDevice',
  binding_failed: 'newDevice',
  locked: 'locked',
  passkey_added: 'credentialsChanged',
  passkey_removed: 'credentialsChanged',
  device_key_added: 'credentialsChanged',
  device_key_removed: 'credentialsChanged',
  identity_added: 'credentialsChanged',
  identity_removed: 'credentialsChanged',
  client_connected: 'credentialsChanged',
  email_added: 'contactChanged',
  email_changed: 'contactChanged',
  email_restored: 'contactChanged',
  phone_added: 'contactChanged',
  phone_changed: 'contactChanged',
  reclaimed: undefined,
  undo_requested: undefined,
  recovery_requested: undefined,
  recovery_granted: undefined,
  recovery_cancelled: undefined,
  erasure_requested: undefined,
  erasure_cancelled: undefined,
  erasure_waits: undefined,
} as const satisfies Readonly<Record<string, keyof NonNullable<NoticeSender['notices']> | undefined>>;

/** Type of a notice by email or text message (OWASP ASVS 6.3.5, 6.3.7; NIST SP 800-63B-4 §4.6). */
export type NoticeType = keyof typeof SWITCHES;

/** Address attribute that a notice is about. The current address of this attribute was just added, so it gets no notice. */
const ABOUT: Partial<Readonly<Record<NoticeType, FormerAddress['attribute']>>> = {
  email_added: 'email',
  email_changed: 'email',
  email_restored: 'email',
  phone_added: 'phoneNumber',
  phone_changed: 'phoneNumber',
};

/** Notices that are never sent by SMS, because anyone can trigger them at our cost or an earlier SMS said the same. */
const NEVER_TEXTED: ReadonlySet<NoticeType> = new Set<NoticeType>([
  'new_device',
  'locked',
  'recovery_cancelled',
  'erasure_waits',
]);

/**
 * Notices that go to the phone number in addition to the email address. They report a recovery, an undo or an account deletion,
 * which an attacker who reads the mailbox may have requested.
 */
const TOLD_EVERYWHERE: ReadonlySet<NoticeType> = new Set<NoticeType>([
  'undo_requested',
  'recovery_requested',
  'recovery_granted',
  'erasure_requested',
]);

const toNoticeChannel = (attribute: AddressAttribute): NoticeChannel =>
  addressTypes[typeOfAttribute(attribute)].noticeChannel;

/**
 * Returns the notices to addresses that a change has removed from the user. They are sent even if the application has switched
 * notices off, so that no client can hide an account takeover.
 */
function toFormer(user: User, kind: NoticeType, at: number): readonly NoticeDelivery[] {
  if (kind === 'email_added' || kind === 'phone_added') return [];
  const isFinal = kind === 'email_restored';
  return formerAddresses(user)
    .filter(
      (each) =>
        each.attribute === ABOUT[kind] &&
        (each.attribute === 'phoneNumber' || each.isFinal === isFinal) &&
        each.until > at,
    )
    .map((former) => ({ channel: toNoticeChannel(former.attribute), to: former.value, former }));
}

/**
 * Returns the messages to the user's verified addresses: by email or, if no email is sent, by SMS. Unverified addresses get no
 * message, because they could belong to a victim.
 */
function toCurrent(
  user: User,
  kind: NoticeType,
  {
    isMailed,
    isForAll = TOLD_EVERYWHERE.has(kind),
  }: { readonly isMailed?: boolean; readonly isForAll?: boolean },
): readonly NoticeDelivery[] {
  const told = listAddresses(user)
    .filter(({ attribute, address }) => attribute !== ABOUT[kind] && isNotified(user, address))
    .map(({ attribute, address }) => ({ channel: toNoticeChannel(attribute), to: address.value }));
  const free = told.filter(({ channel }) => !isBilled(channel));
  const isEnough = (isMailed || free.length > 0) && !isForAll;
  return NEVER_TEXTED.has(kind) || isEnough ? free : told;
}

/** Returns the messages to addresses that the first verification of another address has superseded. */
const toShutOut = (user: User): readonly NoticeDelivery[] =>
  listAddresses(user)
    .filter(({ address }) => reachesOwner(address) && isSuperseded(user, address))
    .map(({ attribute, address }) => ({ channel: toNoticeChannel(attribute), to: address.value }));

/** Returns the messages that notify a user of an event. */
export function noticeDeliveries(
  { notices = {} }: NoticeSender,
  user: User,
  kind: NoticeType,
  at: number,
): readonly NoticeDelivery[] {
  if (kind === 'reclaimed') return toShutOut(user);
  const former = toFormer(user, kind, at);
  const isMailed = former.some(({ channel }) => !isBilled(channel));
  const name = SWITCHES[kind];
  const isOff = name !== undefined && notices[name] === false;
  return isOff ? former : [...former, ...toCurrent(user, kind, { isMailed })];
}

/** Returns messages about an event to all addresses of the user, regardless of the application's settings. */
export const deliveriesToAll = (user: User, kind: NoticeType, at: number): readonly NoticeDelivery[] => [
  ...toFormer(user, kind, at),
  ...toCurrent(user, kind, { isForAll: true }),
];

/**
 * Returns the messages about an address that an operator without the role admin has set or removed. The messages go to every
 * address that reaches the owner, and to former addresses that the notice link can restore without another factor. A phone
 * number whose risk was reported within the recovery delay (`delay`, in seconds) also gets a message, because the same operator
 * may have reported the risk.
 */
export function deliveriesAboutOperatorChange(
  user: User,
  delay: number,
  at: number,
): readonly NoticeDelivery[] {
  const riskSince = at - delay;
  const changes = user.changes.filter((change) => change.until > at && canLinkUndo(change, at));
  const former = formerAddresses({ changes }, riskSince).map((each) => ({
    channel: toNoticeChannel(each.attribute),
    to: each.value,
    former: each,
  }));
  const current = listAddresses(user)
    .filter(({ address }) => isNotified(user, address, riskSince))
    .map(({ attribute, address }) => ({ channel: toNoticeChannel(attribute), to: address.value }));
  const all: readonly NoticeDelivery[] = [...former, ...current];
  return all.filter(({ to }, index) => all.findIndex((other) => other.to === to) === index);
}

/**
 * Counts a notice on the day (UTC) of `at` and returns true if the user may still get it. Notices that cannot be switched off
 * are not limited. The counter's key is a hash, so that it does not name a user who is erased later.
 */
export async function countNotice(
  ports: PortsWith<'windows.count'>,
  userId: string,
  kind: NoticeType,
  at: number,
): Promise<boolean> {
  if (SWITCHES[kind] === undefined) return true;
  const day = [{ seconds: DAY_SECONDS, max: NOTICES_PER_DAY }];
  return (await ports.windows.count(`notice#${hashSecret(`${userId}#${kind}`)}`, day, at)).admitted;
}

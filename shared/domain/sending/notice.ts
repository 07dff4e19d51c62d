import type { Application } from '../../ports/directory.ts';
import type { User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import {
  type AddressAttribute,
  addressTypes,
  isBilled,
  type NoticeChannel,
  typeOfAttribute,
} from '../../records/channels.ts';
import { DAY_SECONDS, NOTICES_PER_DAY } from '../basis/limits.ts';
import { hashSecret } from '../basis/random.ts';
import { addressesOf } from '../identifiers/stored-address.ts';
import {
  type FormerAddress,
  formerAddresses,
  isTold,
  isUndoneByLink,
  reachesOwner,
} from '../trust/changes.ts';
import { isShutOut } from '../trust/generations.ts';

/** The sender of a notice: the application or, where none is involved, the tenant with the defaults. */
export type NoticeSender = Pick<Application, 'name' | 'language' | 'notices'>;

/** One message of a notice. */
export interface NoticeDelivery {
  readonly channel: NoticeChannel;
  readonly to: string;
  /** The address of the user that the change took away. */
  readonly former?: FormerAddress;
}

/** The switch of each kind. What each address must be able to stop or undo has none. */
const SWITCHES = {
  new_device: 'newDevice',
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

/** What users are told of by mail or text message (OWASP ASVS 6.3.5, 6.3.7; NIST SP 800-63B-4 §4.6). */
export type NoticeKind = keyof typeof SWITCHES;

/** The address that a kind is about: the one that the user has now is new, and its owner knows. */
const ABOUT: Partial<Readonly<Record<NoticeKind, FormerAddress['attribute']>>> = {
  email_added: 'email',
  email_changed: 'email',
  email_restored: 'email',
  phone_added: 'phoneNumber',
  phone_changed: 'phoneNumber',
};

/** Strangers can cause these, and a text message costs money; or the text before has said all. */
const NEVER_TEXTED: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  'new_device',
  'locked',
  'recovery_cancelled',
  'erasure_waits',
]);

/** These go to the number beside the mail: who asks for a recovery, or deletes the account after one, may read the mail. */
const TOLD_EVERYWHERE: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  'undo_requested',
  'recovery_requested',
  'recovery_granted',
  'erasure_requested',
]);

const channelOf = (attribute: AddressAttribute): NoticeChannel =>
  addressTypes[typeOfAttribute(attribute)].noticeChannel;

/** The addresses that a change took away. They are told whatever the application has switched off: no client hides a take-over. */
function toFormer(user: User, kind: NoticeKind, at: number): readonly NoticeDelivery[] {
  if (kind === 'email_added' || kind === 'phone_added') return [];
  const isFinal = kind === 'email_restored';
  return formerAddresses(user)
    .filter(
      (each) =>
        each.attribute === ABOUT[kind] &&
        (each.attribute === 'phoneNumber' || each.isFinal === isFinal) &&
        each.until > at,
    )
    .map((former) => ({ channel: channelOf(former.attribute), to: former.value, former }));
}

/** Mail to the proven address, and a text to the proven number where none goes out. An unproven address could be any victim's. */
function toCurrent(
  user: User,
  kind: NoticeKind,
  isMailed: boolean,
  isForAll = TOLD_EVERYWHERE.has(kind),
): readonly NoticeDelivery[] {
  const told = addressesOf(user)
    .filter(({ attribute, address }) => attribute !== ABOUT[kind] && isTold(user, address))
    .map(({ attribute, address }) => ({ channel: channelOf(attribute), to: address.value }));
  const free = told.filter(({ channel }) => !isBilled(channel));
  const isEnough = (isMailed || free.length > 0) && !isForAll;
  return NEVER_TEXTED.has(kind) || isEnough ? free : told;
}

/** The addresses that a first proof has shut out. */
const toShutOut = (user: User): readonly NoticeDelivery[] =>
  addressesOf(user)
    .filter(({ address }) => reachesOwner(address) && isShutOut(user, address))
    .map(({ attribute, address }) => ({ channel: channelOf(attribute), to: address.value }));

/** The messages that tell a user of an event. */
export function noticeDeliveries(
  { notices = {} }: NoticeSender,
  user: User,
  kind: NoticeKind,
  at: number,
): readonly NoticeDelivery[] {
  if (kind === 'reclaimed') return toShutOut(user);
  const former = toFormer(user, kind, at);
  const isMailed = former.some(({ channel }) => !isBilled(channel));
  const name = SWITCHES[kind];
  const isOff = name !== undefined && notices[name] === false;
  return isOff ? former : [...former, ...toCurrent(user, kind, isMailed)];
}

/** The messages of an event that each address is told of, whatever the application has switched off. */
export const deliveriesToAll = (user: User, kind: NoticeKind, at: number): readonly NoticeDelivery[] => [
  ...toFormer(user, kind, at),
  ...toCurrent(user, kind, false, true),
];

/**
 * The messages of an address that an operator below admin has set or removed: to every address that reaches the owner, those that
 * a change took away and its link alone brings back included. A number that was put at risk within the delay of a recovery
 * (seconds) is among them, because the same operator may have said so.
 */
export function deliveriesOfOperator(user: User, delay: number, at: number): readonly NoticeDelivery[] {
  const riskSince = at - delay;
  const changes = user.changes.filter((change) => change.until > at && isUndoneByLink(change, at));
  const former = formerAddresses({ changes }, riskSince).map((each) => ({
    channel: channelOf(each.attribute),
    to: each.value,
    former: each,
  }));
  const current = addressesOf(user)
    .filter(({ address }) => isTold(user, address, riskSince))
    .map(({ attribute, address }) => ({ channel: channelOf(attribute), to: address.value }));
  const all: readonly NoticeDelivery[] = [...former, ...current];
  return all.filter(({ to }, index) => all.findIndex((other) => other.to === to) === index);
}

/**
 * Counts a notice of this kind on the day (UTC) of `at`, and tells whether the user may still get it: always where the kind has
 * no switch. The key is a hash, which does not name a user who is erased later.
 */
export async function admitsNotice(
  ports: Using<'windows.count'>,
  userId: string,
  kind: NoticeKind,
  at: number,
): Promise<boolean> {
  if (SWITCHES[kind] === undefined) return true;
  const day = [{ seconds: DAY_SECONDS, max: NOTICES_PER_DAY }];
  return (await ports.windows.count(`notice#${hashSecret(`${userId}#${kind}`)}`, day, at)).admitted;
}

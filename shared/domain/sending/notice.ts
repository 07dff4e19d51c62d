import type { Application } from '../../ports/directory.ts';
import type { NoticeKind } from '../../ports/events.ts';
import type { FormerAddress, User } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { DAY_SECONDS, NOTICES_PER_DAY } from '../basis/limits.ts';
import { hashSecret } from '../basis/random.ts';
import { reachesOwner } from '../identifiers/former-addresses.ts';

/** The sender of a notice: the application or, where none is involved, the tenant with the defaults. */
export type NoticeSender = Pick<Application, 'name' | 'language' | 'notices'>;

/** One message of a notice. */
export interface NoticeDelivery {
  readonly channel: 'email' | 'sms';
  readonly to: string;
  /** The address of the user that the change took away. */
  readonly former?: FormerAddress;
}

/** The switch of each kind. */
const SWITCHES = {
  new_device: 'newDevice',
  locked: 'locked',
  passkey_added: 'credentialsChanged',
  passkey_removed: 'credentialsChanged',
  device_key_added: 'credentialsChanged',
  device_key_removed: 'credentialsChanged',
  identity_added: 'credentialsChanged',
  email_added: 'contactChanged',
  email_changed: 'contactChanged',
  email_restored: 'contactChanged',
  phone_added: 'contactChanged',
  phone_changed: 'contactChanged',
} as const satisfies Readonly<Record<NoticeKind, keyof NonNullable<NoticeSender['notices']>>>;

/** The address that a kind is about: the one that the user has now is new, and its owner knows. */
const ABOUT: Partial<Readonly<Record<NoticeKind, FormerAddress['attribute']>>> = {
  email_added: 'email',
  email_changed: 'email',
  email_restored: 'email',
  phone_added: 'phoneNumber',
  phone_changed: 'phoneNumber',
};

/** Strangers can cause these, and a text message costs money. */
const NEVER_TEXTED: ReadonlySet<NoticeKind> = new Set<NoticeKind>(['new_device', 'locked']);

const channelOf = { email: 'email', phoneNumber: 'sms' } as const;

/** The addresses that a change took away. They are told whatever the application has switched off: no client hides a take-over. */
function toFormer(user: User, kind: NoticeKind, at: number): readonly NoticeDelivery[] {
  if (kind === 'email_added' || kind === 'phone_added') return [];
  const isFinal = kind === 'email_restored';
  return (user.formerAddresses ?? [])
    .filter((each) => each.attribute === ABOUT[kind] && each.isFinal === isFinal && each.until > at)
    .map((former) => ({ channel: channelOf[former.attribute], to: former.value, former }));
}

/** Mail to the proven address, or a text to the proven number where no mail goes out. An unproven address could be any victim's. */
function toCurrent(user: User, kind: NoticeKind, isMailed: boolean): readonly NoticeDelivery[] {
  const { email, phoneNumber } = user;
  if (email && reachesOwner(email) && ABOUT[kind] !== 'email') return [{ channel: 'email', to: email.value }];
  const isTexted = !isMailed && !NEVER_TEXTED.has(kind) && ABOUT[kind] !== 'phoneNumber';
  return isTexted && phoneNumber && reachesOwner(phoneNumber)
    ? [{ channel: 'sms', to: phoneNumber.value }]
    : [];
}

/** The messages that tell a user of an event. */
export function noticeDeliveries(
  { notices = {} }: NoticeSender,
  user: User,
  kind: NoticeKind,
  at: number,
): readonly NoticeDelivery[] {
  const former = toFormer(user, kind, at);
  const isMailed = former.some(({ channel }) => channel === 'email');
  return notices[SWITCHES[kind]] === false ? former : [...former, ...toCurrent(user, kind, isMailed)];
}

/**
 * Counts a notice of this kind on the day (UTC) of `at`, and tells whether the user may still get it. The key is a hash, which
 * does not name a user who is erased later.
 */
export async function admitsNotice(
  ports: Using<'windows.count'>,
  userId: string,
  kind: NoticeKind,
  at: number,
): Promise<boolean> {
  const day = [{ seconds: DAY_SECONDS, max: NOTICES_PER_DAY }];
  return (await ports.windows.count(`notice#${hashSecret(`${userId}#${kind}`)}`, day, at)).admitted;
}

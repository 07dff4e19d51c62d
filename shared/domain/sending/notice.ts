import type { Application } from '../../ports/directory.ts';
import type { Address } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { DAY_SECONDS, NOTICES_PER_DAY } from '../basis/limits.ts';
import { hashSecret } from '../basis/random.ts';

/** The changes that users get a mail about (OWASP ASVS 6.3.4, 6.3.6). */
export type NoticeKind = 'new_device' | 'email_changed' | 'phone_changed' | 'locked';

/** The sender of a notice: the application or, where none is involved, the tenant with the defaults. */
export type NoticeSender = Pick<Application, 'name' | 'language' | 'notices'>;

/**
 * The address for a notice: it is proven and takes mail, and the application has not switched this kind off. An unproven address
 * could be any victim's.
 */
export function noticeAddress(
  { notices = {} }: NoticeSender,
  kind: NoticeKind,
  address: Address | undefined,
): string | undefined {
  const { newDevice = true, contactChanged = true, locked = true } = notices;
  const switches = {
    new_device: newDevice,
    locked,
    email_changed: contactChanged,
    phone_changed: contactChanged,
  };
  return switches[kind] && address?.verified && !address.undeliverable ? address.value : undefined;
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

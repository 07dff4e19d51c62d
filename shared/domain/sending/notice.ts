import type { Application } from '../../ports/directory.ts';
import type { Address } from '../../ports/people.ts';
import type { Using } from '../../ports/uses.ts';
import { DAY_SECONDS, NOTICES_PER_DAY } from '../basis/limits.ts';
import { hashSecret } from '../basis/random.ts';

/** Of what users are told by mail (OWASP ASVS 6.3.4, 6.3.6). */
export type NoticeKind = 'new_device' | 'email_changed' | 'phone_changed' | 'locked';

/** In whose name a user is told: the application's, or, where none is involved, the tenant's with the defaults. */
export type NoticeSender = Pick<Application, 'name' | 'language' | 'notices'>;

/**
 * Where a notice may go: an address that was proven and takes mail, unless the application has switched this kind off.
 * Whoever can make up an address must not have mail sent there.
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

/** Whether the user has not had so many notices of the kind on the day (UTC) of `at` already; counts this one. The key names nobody who is erased. */
export async function admitsNotice(
  ports: Using<'windows.count'>,
  userId: string,
  kind: NoticeKind,
  at: number,
): Promise<boolean> {
  const day = [{ seconds: DAY_SECONDS, max: NOTICES_PER_DAY }];
  return (await ports.windows.count(`notice#${hashSecret(`${userId}#${kind}`)}`, day, at)).admitted;
}

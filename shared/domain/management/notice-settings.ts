import type { NoticeSettings } from '../../ports/directory.ts';
import { changed, type Field } from '../basis/change-record.ts';
import { omitUndefined } from '../basis/omit-undefined.ts';

/** Of what users are told by mail, as operators see it. */
export interface NoticesRecord {
  readonly new_device: boolean;
  readonly contact_changed: boolean;
  readonly locked: boolean;
}

export type NoticesFields = { readonly [Name in keyof NoticesRecord]?: Field<boolean> };

/** What nobody has switched is on. */
export function noticesRecord(settings: NoticeSettings = {}): NoticesRecord {
  const { newDevice = true, contactChanged = true, locked = true } = settings;
  return { new_device: newDevice, contact_changed: contactChanged, locked };
}

/** The given switches in place of the former ones: null brings a default back, or, for all of them, every one. */
export function readNotices(
  current: NoticeSettings | undefined,
  given: Field<NoticesFields>,
): NoticeSettings | undefined {
  if (given === undefined) return current;
  if (given === null) return undefined;
  return omitUndefined<NoticeSettings>({
    newDevice: changed(current?.newDevice, given.new_device),
    contactChanged: changed(current?.contactChanged, given.contact_changed),
    locked: changed(current?.locked, given.locked),
  });
}

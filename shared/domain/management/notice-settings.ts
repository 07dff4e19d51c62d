import type { NoticeSettings } from '../../ports/directory.ts';
import type { ApplicationFields, ApplicationRecord } from '../../schemas/applications.ts';
import { changed } from '../basis/change-record.ts';
import { allFields } from '../basis/omit-undefined.ts';

/** Which notices users get by mail, as operators see it. The default is all. */
export function noticesRecord(settings: NoticeSettings = {}): ApplicationRecord['notices'] {
  const { newDevice = true, contactChanged = true, credentialsChanged = true, locked = true } = settings;
  return {
    new_device: newDevice,
    contact_changed: contactChanged,
    credentials_changed: credentialsChanged,
    locked,
  };
}

/** The given switches in place of the former ones; null brings a default back, for one switch or for all. */
export function readNotices(
  current: NoticeSettings | undefined,
  given: ApplicationFields['notices'],
): NoticeSettings | undefined {
  if (given === undefined) return current;
  if (given === null) return undefined;
  return allFields<NoticeSettings>({
    newDevice: changed(current?.newDevice, given.new_device),
    contactChanged: changed(current?.contactChanged, given.contact_changed),
    credentialsChanged: changed(current?.credentialsChanged, given.credentials_changed),
    locked: changed(current?.locked, given.locked),
  });
}

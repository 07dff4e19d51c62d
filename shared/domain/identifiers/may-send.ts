import type { Channel } from '../../records/channels.ts';
import { mayText, type SmsCountries } from './phone-number.ts';

const MAY_SEND: Readonly<Record<Channel, (settings: SmsCountries, to: string) => boolean>> = {
  email: () => true,
  link: () => true,
  sms: mayText,
};

/** Returns true if this environment may send messages of a channel to an address. */
export const maySend = (settings: SmsCountries, channel: Channel, to: string): boolean =>
  MAY_SEND[channel](settings, to);

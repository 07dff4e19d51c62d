import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { requireApplication } from '../../../shared/domain/management/applications.ts';
import { forgetSmsPrefix, toSmsPrefix } from '../../../shared/domain/rate-limits/sms-prefix-window.ts';
import { readCustomPhoneNumber } from '../../../shared/domain/sending/delivery.ts';
import type { Command } from '../engine/command.ts';

/** Command that unblocks a range of phone numbers after the limits against SMS pumping have blocked legitimate users. */
export const unblockSms: Command = {
  verb: 'unblock-sms',
  summary: 'Unblocks SMS to numbers with the prefix of this one by resetting their counters',
  changes: 'management.changed',
  id: 'required',
  required: { 'number <number>': 'a phone number in international form' },
  examples: ['0a1b2c --number +4915112345678'],
  run: async ({ ports, tenant, id, option, audit }) => {
    const number = readCustomPhoneNumber(option('number')) ?? '';
    const { applicationId, name } = await requireApplication(ports, await tenant(), id);
    audit({ applicationId });
    await forgetSmsPrefix(ports, applicationId, number, nowSeconds());
    return { done: `${name} can send SMS to ${toSmsPrefix(number)}… again, everywhere within a minute.` };
  },
};

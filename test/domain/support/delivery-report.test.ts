import { expect, test } from '@jest/globals';
import { reportDelivery } from '../../../functions/users/delivery-report.ts';
import type { NoticeChannel } from '../../../shared/records/channels.ts';
import { someAddress, someUser, T } from '../../support/server/records.ts';

test.each<[NoticeChannel, string, string | undefined, string, object, string | undefined]>([
  ['sms', 'delivered', 'Ok', 'delivered', { answer: 'Ok' }, undefined],
  ['sms', 'delivered', undefined, 'delivered', {}, undefined],
  ['sms', 'delayed', undefined, 'delayed', { delay: 'Undetermined' }, undefined],
  ['email', 'delayed', 'Off', 'delayed', { delay: 'Off' }, undefined],
  ['sms', 'bounced', 'Off', 'bounced', { answer: 'Off' }, undefined],
  ['email', 'delivered', 'Ok', 'delivered', {}, undefined],
  ['email', 'failed', undefined, 'bounced', { bounce: 'Transient' }, undefined],
  ['email', 'bounced', 'NoEmail', 'bounced', { bounce: 'Permanent', bounce_kind: 'NoEmail' }, 'bounce'],
  ['email', 'complained', undefined, 'complained', {}, 'complaint'],
])(
  'a delivery report (%s %s %s) is stored as the event message.%s with %j',
  async (sent, status, answer, type, detail, reason) => {
    const user = someUser({ email: someAddress('ann@example.com') });
    const { tenantId, userId } = user;
    const to = sent === 'sms' ? '+12015550123' : 'ann@example.com';
    const facts = { messageId: 'id', sent, to, tenantId, subject: { userId }, expiresAt: T + 99 };
    const calls: unknown[] = [];
    const noting =
      (name: string) =>
      async (...call: unknown[]) =>
        calls.push([name, ...call]) > 0;
    const ports = {
      deliveryTokens: { open: async () => facts },
      replays: { spend: noting('spend') },
      timeline: { addMessage: noting('add') },
      identifiers: { find: async () => userId },
      users: { find: async () => user, markUndeliverable: noting('mark') },
    } as never;
    const json = { token: 'token', status, answer };
    const input = { json, request: { now: T }, audit: noting('audit') } as never;
    expect(await reportDelivery(input, ports)).toEqual({ none: true });
    const recipient = sent === 'sms' ? '••• ••• ••23' : 'a•••@e•••.com';
    const event = {
      ...{ eventId: `id/${status}`, type: `message.${type}`, time: expect.any(String) },
      detail: { recipient, sent, message_id: 'id', ...detail },
    };
    const failure = type === 'bounced' || type === 'complained' ? { tenantId, userId } : undefined;
    expect(calls).toEqual([
      ['audit', { tenantId, messageId: 'id' }],
      ['spend', 'delivery', `id/${status}`, T + 2, T],
      ['add', userId, event, expect.any(Number), failure],
      ...(reason === undefined ? [] : [['mark', user, to, { reason, since: T }]]),
      ['spend', 'delivery', `id/${status}`, T + 99, T + 2],
    ]);
  },
);

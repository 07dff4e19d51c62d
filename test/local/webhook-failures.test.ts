import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from '@jest/globals';
import { type DeliveryPorts, deliver } from '../../functions/events/webhooks.ts';

test('the log line of a failed webhook delivery contains the name of the error but not its message', async () => {
  const lines: string[] = [];
  const listen = (line: unknown) => lines.push(String(line));
  subscribe('otl:log', listen);
  const ports = {
    webhooks: {
      listOf: () => Promise.reject(new TypeError('of ann@example.com')),
    },
  } as unknown as DeliveryPorts;
  const body = JSON.stringify({ detail: { id: 'e1', type: 'user.created', tenant_id: 't1' } });
  const message = {
    messageId: 'm1',
    receiptHandle: 'r1',
    body,
    attributes: { ApproximateReceiveCount: '1' },
  };
  expect(await deliver(ports, [message])).toEqual(['m1']);
  unsubscribe('otl:log', listen);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', event: 'webhook', message_id: 'm1', outcome: 'TypeError' },
  ]);
  expect(lines.join()).not.toContain('ann@example.com');
});

import type { TestCode, TestCodes } from '../../ports/flows.ts';
import { PASSCODE_CHANNELS } from '../../records/channels.ts';
import { codec, number, oneOf, text } from '../codec.ts';
import { testCodeKey } from '../keys.ts';
import type { Table } from '../table.ts';

const testCodeItem = codec<TestCode>({
  userId: text('user_id'),
  applicationId: text('application_id'),
  identifierHash: text('identifier_hash'),
  slot: text('slot'),
  code: text('code'),
  mac: text('mac'),
  channel: oneOf('channel', [...PASSCODE_CHANNELS, 'direct']),
  sentAt: number('sent_at'),
  expiresAt: number('expires_at'),
});

export function testCodes(table: Table): TestCodes {
  return {
    async put(code) {
      const item = { ...testCodeKey(code.userId), ...testCodeItem.toAttributes(code) };
      await table.put({ ...item, purge_at: code.expiresAt });
    },
    async find(userId, at) {
      const item = await table.get(testCodeKey(userId));
      const code = item && testCodeItem.read(item);
      return code && code.expiresAt > at ? code : undefined;
    },
    async forget(userId) {
      await table.remove(testCodeKey(userId));
    },
  };
}

import { expect, test } from '@jest/globals';
import { statistics } from '../../shared/dynamo/events/statistics.ts';
import { loginTransactions } from '../../shared/dynamo/flows/login-transactions.ts';
import { noticeLinks } from '../../shared/dynamo/flows/notice-links.ts';
import { sessions } from '../../shared/dynamo/flows/sessions.ts';
import type { TableName } from '../../shared/dynamo/keys.ts';
import { passkeyRecords } from '../../shared/dynamo/people/passkeys.ts';
import { userRecords, users } from '../../shared/dynamo/people/users.ts';
import type { Table } from '../../shared/dynamo/table.ts';
import { somePasskey } from '../support/fixtures/signing-records.ts';
import { someAddress, someUser, T, unique } from '../support/server/records.ts';
import { describeStore } from '../support/server/store.ts';

describeStore('responses to updates of items', (store) => {
  /** Returns a table that lists for each update whether its response contains the item. */
  function watch(name: TableName) {
    const table = store().table(name);
    const answers: ('nothing' | 'item')[] = [];
    const watching =
      <Result>(update: (...given: Parameters<Table['update']>) => Promise<Result>) =>
      (...given: Parameters<Table['update']>) => {
        answers.push(given[1].returnsNothing ? 'nothing' : 'item');
        return update(...given);
      };
    const { change, update, tryUpdate } = table;
    const watched: Table = {
      ...table,
      change: watching(change),
      update: watching(update),
      tryUpdate: watching(tryUpdate),
    };
    return { watched, answers };
  }

  test('updates for which IAM limits the attributes return no item', async () => {
    const { watched, answers } = watch('flows');
    const [sessionId, hash, at] = [`${unique('user')}.session`, unique('hash'), T];
    const opened = sessions(watched);
    await opened.end(sessionId, at);
    await opened.bind(sessionId, { secret: 'secret', key: 'key', at });
    await opened.countProof(sessionId, { key: 'key', proofs: 1, at });
    await loginTransactions(watched).bind(hash, { browserHash: 'b', request: 'r', expiresAt: T }, at);
    await noticeLinks(watched).extend(hash, T);
    await statistics(watched).count({ tenantId: unique('t'), quarter: T, batch: 'AAAA' }, {}, new Map());
    expect(answers).toEqual(Array.from({ length: 6 }, () => 'nothing'));
  });

  test('updates of passkeys and of undeliverable addresses return no item', async () => {
    const { watched, answers } = watch('people');
    const passkey = somePasskey();
    const { credentialId, userId } = passkey;
    const records = passkeyRecords(watched);
    await records.reserve(credentialId, userId, T);
    await records.put(passkey);
    await records.rename(userId, credentialId, 'Phone');
    expect(await records.remove(userId, credentialId, T + 60)).toBe(true);
    await records.restore(userId, credentialId);
    const user = someUser({ email: someAddress('ann@example.com') });
    await userRecords(store().table('people')).put(user);
    const mark = { reason: 'bounce', since: T } as const;
    expect(await users(watched).markUndeliverable(user, 'ann@example.com', mark)).toBe(true);
    expect(answers).toEqual(Array.from({ length: 7 }, () => 'nothing'));
  });
});

import { expect, test } from '@jest/globals';
import { consoleSessions } from '../../../shared/dynamo/console/console-sessions.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('console sessions', (store) => {
  const sessions = () => consoleSessions(store().table('flows'));
  const begin = async () => {
    const hash = unique('hash');
    await sessions().put({ hash, sealed: 'first', expiresAt: T + 60 });
    return hash;
  };

  test('an expired console session cannot be found', async () => {
    const hash = await begin();
    expect(await sessions().find(hash, T + 59)).toEqual({ hash, sealed: 'first', expiresAt: T + 60 });
    expect(await sessions().find(hash, T + 60)).toBeUndefined();
  });

  test('refreshing the tokens of a console session does not extend the session', async () => {
    const hash = await begin();
    expect(await sessions().keep({ hash, sealed: 'second' }, T + 59)).toBe(true);
    expect(await sessions().find(hash, T + 59)).toEqual({ hash, sealed: 'second', expiresAt: T + 60 });
    expect(await sessions().keep({ hash, sealed: 'third' }, T + 60)).toBe(false);
  });

  test('a token refresh that finishes after a logout does not restore the console session', async () => {
    const hash = await begin();
    await sessions().remove(hash);
    const kept = await atOnce(20, () => sessions().keep({ hash, sealed: 'second' }, T));
    expect(kept).not.toContain(true);
    expect(await sessions().find(hash, T)).toBeUndefined();
  });
});

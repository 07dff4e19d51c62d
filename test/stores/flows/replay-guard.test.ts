import { expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { replayGuard } from '../../../shared/dynamo/flows/replay-guard.ts';
import { replayKey } from '../../../shared/dynamo/keys.ts';
import { atOnce } from '../../support/server/at-once.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('single-use IDs', (store) => {
  const guard = () => replayGuard(store().table('flows'));

  test('only one of 40 concurrent callers can use the same single-use ID, such as a jti', async () => {
    const id = unique('jti');
    const wins = await atOnce(40, () => guard().spend('client', id, T + 60, T));
    expect(wins.filter(Boolean)).toHaveLength(1);
  });

  test('a second use of a single-use ID is rejected until the ID expires', async () => {
    const id = unique('jti');
    expect(await guard().spend('client', id, T + 60, T)).toBe(true);
    const key = replayKey(hashSecret(JSON.stringify(['client', id])));
    expect(await store().table('flows').get(key)).toMatchObject({ purge_at: T + 60 + 3600 });
    expect(await guard().spend('client', id, T + 90, T + 59)).toBe(false);
    const wins = await atOnce(20, () => guard().spend('client', id, T + 120, T + 60));
    expect(wins.filter(Boolean)).toHaveLength(1);
    expect(await guard().spend('client', id, T + 180, T + 119)).toBe(false);
  });

  test('a rejected use of a single-use ID does not extend its expiry', async () => {
    const id = unique('jti');
    await guard().spend('client', id, T + 60, T);
    await guard().spend('client', id, T + 900, T + 1);
    expect(await guard().spend('client', id, T + 120, T + 60)).toBe(true);
  });

  test('two clients can use equal single-use IDs', async () => {
    const id = unique('jti');
    const names = [
      ['client', id],
      ['dpop', id],
      ['client#', id],
      ['client', `#${id}`],
      [`client${id}`, ''],
      ['', `client${id}`],
      [`client","${id}`, ''],
    ] as const;
    for (const [scope, jti] of names) expect(await guard().spend(scope, jti, T + 60, T)).toBe(true);
    for (const [scope, jti] of names) expect(await guard().spend(scope, jti, T + 60, T)).toBe(false);
  });

  test('a single-use ID may contain any characters', async () => {
    const long = 'x'.repeat(100_000);
    for (const id of ['', '\ud800', '\udfff', '\ufffd', '%23', long, `${long}y`]) {
      const scope = unique('client');
      expect(await guard().spend(scope, id, T + 60, T)).toBe(true);
      expect(await guard().spend(scope, id, T + 60, T)).toBe(false);
    }
    const scope = unique('client');
    for (const id of ['\ud800', '\udfff', '\ufffd', long, `${long}y`])
      expect(await guard().spend(scope, id, T + 60, T)).toBe(true);
  });
});

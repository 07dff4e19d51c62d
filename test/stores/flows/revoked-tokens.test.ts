import { expect, test } from '@jest/globals';
import { revokedTokens } from '../../../shared/dynamo/flows/revoked-tokens.ts';
import { T, unique } from '../../support/server/records.ts';
import { describeStore } from '../../support/server/store.ts';

describeStore('revoked access tokens', (store) => {
  const revoked = () => revokedTokens(store().table('flows'));

  test('an access token stays revoked until it expires', async () => {
    const jti = unique('jti');
    expect(await revoked().isRevoked(jti, T)).toBe(false);
    await revoked().revoke(jti, T + 60);
    expect(await revoked().isRevoked(jti, T)).toBe(true);
    expect(await revoked().isRevoked(jti, T + 59)).toBe(true);
    expect(await revoked().isRevoked(jti, T + 60)).toBe(false);
    expect(await revoked().isRevoked(unique('jti'), T)).toBe(false);
  });

  test('revoking an access token a second time has no effect', async () => {
    const jti = unique('jti');
    await Promise.all([revoked().revoke(jti, T + 60), revoked().revoke(jti, T + 60)]);
    expect(await revoked().isRevoked(jti, T)).toBe(true);
  });

  test('an access token whose ID cannot be a DynamoDB key is not revoked', async () => {
    for (const jti of ['\ud800', 'x'.repeat(5000)]) expect(await revoked().isRevoked(jti, T)).toBe(false);
  });

  test("the record of a revoked access token is deleted one hour after the token's expiry", async () => {
    const jti = unique('jti');
    await revoked().revoke(jti, T + 60);
    const item = await store()
      .table('flows')
      .get({ pk: `revoked#${jti}`, sk: 'revoked' });
    expect(item).toMatchObject({ purge_at: T + 60 + 3600 });
  });
});

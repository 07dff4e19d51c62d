import { expect, test } from '@jest/globals';
import { decodeClaims, hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { newClaimsWithEmail, readLocation, useSocialLogin } from '../../support/providers/social.ts';
import { atOnce } from '../../support/server/at-once.ts';

const { server, social, browser } = useSocialLogin();

test('sign-ups with one provider account on many devices create only one user', async () => {
  const login = hostedLogin(server);
  const claims = newClaimsWithEmail();
  const targets: URL[] = [];
  for (let n = 0; n < 5; n += 1) {
    const jar = browser();
    const address = login.address({ acr_values: 'urn:cis:google_direct' });
    const authorization = await readLocation(await jar.request(address));
    targets.push(await social.comeBack(jar, authorization, { claims }));
  }
  const [late, ...together] = targets as [URL, ...URL[]];
  const answers = await atOnce(together.length, (n) => login.exchange(together[n] as URL));
  answers.push(await login.exchange(late));
  expect(answers.map(({ status }) => status)).toEqual(targets.map(() => 200));
  const tokens = answers.map(({ body }) => decodeClaims(body.id_token));
  expect(new Set(tokens.map(({ sub }) => sub)).size).toBe(1);
  for (const each of tokens) expect(each).toMatchObject({ amr: ['social'], email: claims.email });
  expect(tokens.filter(({ new_user }) => new_user)).toHaveLength(1);
});

import { beforeEach, expect, test } from '@jest/globals';
import { CACHED_SECONDS, withoutSignUp } from '../../support/fixtures/application.ts';
import { decodeClaims, hostedLogin } from '../../support/fixtures/hosted-login.ts';
import { newClaimsWithEmail, readLocation, useSocialLogin } from '../../support/providers/social.ts';
import { atOnce } from '../../support/server/at-once.ts';

const { server, social, browser } = useSocialLogin();

beforeEach(() => server.advanceClock(CACHED_SECONDS));

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

test('after a sign-up with a provider account, a second device can log in even if sign-up was disabled in the meantime', async () => {
  const login = hostedLogin(server);
  const claims = newClaimsWithEmail();
  const jar = browser();
  const address = login.address({ acr_values: 'urn:cis:google_direct' });
  const target = await social.comeBack(jar, await readLocation(await jar.request(address)), { claims });
  const first = await social.exchange(await social.logIn(browser(), claims));
  expect(first.status).toBe(200);
  await withoutSignUp(server, async () => {
    const { body } = await login.exchange(target);
    expect(decodeClaims(body.id_token)).toMatchObject({
      ...{ sub: decodeClaims(first.body.id_token).sub, new_user: false },
    });
  });
});

import { describe, expect, test } from '@jest/globals';
import { hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { givePasskey } from '../../support/fixtures/hosted-passkeys.ts';
import { registerPasskey } from '../../support/fixtures/passkeys.ts';
import { createUser, newEmail } from '../../support/fixtures/people.ts';
import { tokensBy } from '../../support/fixtures/tokens.ts';
import { answerAt, newClaimsWithEmail, useSocialLogin } from '../../support/providers/social.ts';

const { upstream, server, social, browser, tokensAt } = useSocialLogin();

const HELD_MS = 1500;

/** Erases the user while the store holds back the reservation of their account at the provider. */
async function eraseDuring<Answer>(
  userId: string,
  operation: string,
  link: () => Promise<Answer>,
): Promise<Answer> {
  const token = await server.clientToken();
  const held = { action: 'PutItem', effect: 'latency', latency_ms: HELD_MS, times: 1 } as const;
  await server.faults.inject({ service: 'dynamodb', operation, ...held });
  const linking = link();
  await server.faults.untilMet();
  expect((await server.delete(`/v1/users/${userId}`, { token })).status).toBe(204);
  return linking;
}

describe('an account at a provider that is linked while its user is erased is free at once', () => {
  test('by section B', async () => {
    const email = newEmail();
    const { user_id: userId } = await createUser(server, { email });
    const [jar, claims] = [browser(), newClaimsWithEmail(email)];
    const away = await social.leave(jar);
    const target = await eraseDuring(userId, 'finishSocialLogin', () =>
      social.comeBack(jar, away, { claims }),
    );
    expect(answerAt(target).error).toBe('access_denied');
    expect((await tokensAt(await social.logIn(browser(), claims))).is_user_created).toBe(true);
  });

  test('on the pages, after the passkey', async () => {
    const [login, jar, email] = [hostedLogin(server), browser(), newEmail()];
    const user = await createUser(server, { email });
    const tokens = await tokensBy(server, 'email', email);
    const passkey = await registerPasskey(server, { user, email, tokens });
    const claims = newClaimsWithEmail(email);
    const away = leftTo(await (await jar.open(login.address())).submit({ method: 'google' }));
    const page = await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
    const done = await eraseDuring(user.user_id, 'loginPasskey', () =>
      givePasskey(server, jar, page, passkey),
    );
    expect(answerAt(leftTo(done)).error).toBe('access_denied');
    expect((await tokensAt(await social.logIn(browser(), claims))).is_user_created).toBe(true);
  });
});

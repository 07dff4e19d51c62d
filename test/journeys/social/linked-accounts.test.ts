// Logins with accounts at identity providers that already belong to a user.
import { expect, test } from '@jest/globals';
import { decodeClaims, hostedLogin, leftTo } from '../../support/fixtures/hosted-login.ts';
import { replaceUser } from '../../support/fixtures/people.ts';
import { storeMember } from '../../support/fixtures/tenants.ts';
import { answerAt, newClaims, useSocialLogin } from '../../support/providers/social.ts';

const { upstream, server, social, browser, findUserId } = useSocialLogin();
const login = hostedLogin(server);

/** Creates a user by a login at the provider, whose credentials before generation 5 are superseded. */
async function createSuperseded(generation: number) {
  const claims = newClaims();
  const userId = await findUserId(await social.logIn(browser(), claims));
  await replaceUser(server, userId, ({ identities }) => ({
    identities: identities.map((identity) => ({ ...identity, generation })),
    generations: { valid: [5], highest: 5 },
  }));
  return { userId, claims };
}

test('a user whose earlier credentials are superseded can log in on the hosted pages with a valid account', async () => {
  const { userId, claims } = await createSuperseded(5);
  const jar = browser();
  const away = leftTo(await (await jar.open(login.address())).submit({ method: 'google' }));
  const target = leftTo(await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) })));
  expect(decodeClaims((await login.exchange(target)).body.id_token)).toMatchObject({
    ...{ sub: userId, amr: ['social'] },
  });
});

test('a superseded account cannot log its user in without another factor', async () => {
  const { claims } = await createSuperseded(1);
  expect(answerAt(await social.logIn(browser(), claims))).toEqual({
    error: 'access_denied',
    error_description: 'A second factor is required, and the user has none',
  });
});

test('an account cannot log its user in to an organization of which the user is not a member', async () => {
  const claims = newClaims();
  const userId = await findUserId(await social.logIn(browser(), claims));
  const { organizationId: org_id } = await storeMember(server, { userId });
  const { organizationId: other } = await storeMember(server, {});
  expect(answerAt(await social.logIn(browser(), claims, { org_id: other }))).toMatchObject({
    ...{ error: 'access_denied', error_description: 'User is not a member of the organization' },
  });
  expect(answerAt(await social.logIn(browser(), claims, { org_id }))).toEqual({ code: expect.any(String) });
});

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeClaims, leftTo } from '../../support/fixtures/hosted-login.ts';
import { newEmail } from '../../support/fixtures/people.ts';
import { ALLOW, createAgents } from '../../support/providers/agents.ts';
import { newClaimsWithEmail, useSocialLogin } from '../../support/providers/social.ts';

const { upstream, server, social, browser, tokensAt } = useSocialLogin();
const agents = createAgents(server);
beforeAll(agents.prepare);
afterAll(agents.stop);

test('a linked identity provider account can be the second factor that a scope requires', async () => {
  const [email, clientId, jar] = [newEmail(), agents.documents.publish(), browser()];
  const claims = newClaimsWithEmail(email);
  await tokensAt(await social.logIn(browser(), claims));
  const page = await agents.logInAt(jar, clientId, email, { scope: 'notes:burn' });
  const second = await page.submit({ scope: 'notes:burn', stay: 'yes' }, ALLOW);
  const away = leftTo(await second.submit({ method: 'google' }));
  const { left } = await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
  const { body } = await agents.exchange(clientId, left);
  expect(decodeClaims(body.access_token)).toMatchObject({ scope: 'notes:burn', acr: 'mfa' });
  const again = await agents.ask(jar, clientId, { scope: 'notes:burn' });
  expect(again.left?.searchParams.get('code')).toBeTruthy();
});

test('the consent page shows the masked address of a provider account that signs up', async () => {
  const [email, jar] = [newEmail(), browser()];
  const page = await agents.ask(jar, agents.documents.publish(), { createNewUser: 'true' });
  const away = leftTo(await page.submit({ method: 'google' }));
  const claims = newClaimsWithEmail(email);
  const consent = await jar.open(social.callback(away, { code: upstream.issue(away, { claims }) }));
  expect(consent.html).toContain(`<bdi>${email[0]}•••@`);
});

import { describe, expect, test } from '@jest/globals';
import { createUser, findUser, newEmail, newPhoneNumber, type WireUser } from '../support/fixtures/people.ts';
import { type TokenResponse, tokensBy } from '../support/fixtures/tokens.ts';
import { atOnce } from '../support/server/at-once.ts';
import { otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

/** Attacker: changes the email address of a user, by a stolen session on the profile page of an application. */

const server = useTestServer({ rateLimits: 'off', events: true });

const prove = (email: string) => tokensBy(server, 'email', email);

async function change(userId: string, fields: object): Promise<void> {
  const { status } = await server.put(`/v1/users/${userId}`, fields, { token: await server.clientToken() });
  expect(status).toBe(200);
}

/** The path of the newest link of an undo to an address. */
async function linkTo(email: string): Promise<string | undefined> {
  await server.settleEvents();
  const links = (await server.messages({ to: email })).flatMap((mail) => mail.links);
  const link = links.find((each) => each.includes('/notice?'));
  if (link === undefined) return undefined;
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}

const press = (path: string) => server.form<string>(path, {});
const headingIn = (html: unknown) => /<h1[^>]*>([^<]*)/.exec(String(html))?.[1];

async function victim(): Promise<WireUser & { readonly address: string; readonly tokens: TokenResponse }> {
  const address = newEmail('victim');
  const user = await createUser(server, { email: address });
  return { ...user, address, tokens: await prove(address) };
}

/** The attacker has the victim's account under an address of their own, and is logged in. */
async function takenOver() {
  const { user_id: userId, address } = await victim();
  const attackers = newEmail('attacker');
  await change(userId, { email: attackers });
  const tokens = await prove(attackers);
  return { userId, address, attackers, tokens, link: (await linkTo(address)) ?? '' };
}

const DONE = 'Your email address is back';
const OVER = 'This link was already used';

describe('D: the former address undoes the change', () => {
  test('the attacker’s address is told and has no link to change it back', async () => {
    const { attackers, link } = await takenOver();
    await press(link);
    expect(await linkTo(attackers)).toBeUndefined();
    const [mail] = await server.messages({ to: attackers });
    expect(mail?.subject).toBe('Your email address at Demo was changed back');
  });

  test('a number that was proven stays proven, and other fields stay', async () => {
    const number = newPhoneNumber();
    const { user_id: userId, address } = await victim();
    await change(userId, { phone_number: number, name: { first_name: 'Ann' } });
    await change(userId, { email: newEmail() });
    await press((await linkTo(address)) ?? '');
    expect(await findUser(server, userId)).toMatchObject({
      name: { first_name: 'Ann' },
      phone_number: { value: number },
    });
  });

  test('also where an operator changed it, and where the address was only removed', async () => {
    const { user_id: userId, address } = await victim();
    await change(userId, { phone_number: newPhoneNumber() });
    const { code } = await otlWith({ OTL_ENDPOINT: server.url }, ['user', 'update', userId, '--email', '']);
    expect(code).toBe(0);
    expect(headingIn((await press((await linkTo(address)) ?? '')).body)).toBe(DONE);
    expect((await findUser(server, userId)).email?.value).toBe(address);
  });
});

describe('D: the link is of no use to others', () => {
  test('opening it changes nothing: a mail scanner opens links', async () => {
    const { userId, attackers, link } = await takenOver();
    for (let times = 0; times < 2; times += 1) {
      const page = await server.get<string>(link, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
      expect(headingIn(page.body)).toBe('Bring your email address back at Demo?');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    }
    await server.get(link, { headers: { 'sec-purpose': 'prefetch' } });
    expect((await findUser(server, userId)).email?.value).toBe(attackers);
    expect(headingIn((await press(link)).body)).toBe(DONE);
  });

  test('it works once, also when it is pressed by many at once', async () => {
    const { userId, link } = await takenOver();
    const pressed = await atOnce(8, () => press(link));
    expect(pressed.filter(({ body }) => headingIn(body) === DONE)).toHaveLength(1);
    expect((await press(link)).status).toBe(400);
    // An old mail must not undo what the user changed since.
    const next = newEmail();
    await change(userId, { email: next });
    expect(headingIn((await press(link)).body)).toBe(OVER);
    expect((await findUser(server, userId)).email?.value).toBe(next);
  });
});

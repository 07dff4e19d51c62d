// The attacker changes a user's email address with a stolen session, a stolen user token or a client that can edit the user.
// The previous address receives an undo link, and users are notified of added and removed passkeys.
import { describe, expect, test } from '@jest/globals';
import { createNoticePages, findMainApplication } from '../stories/people.ts';
import { newPerson, type Person, registerPasskey } from '../support/fixtures/passkeys.ts';
import { changeUser, findUser, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { tokensBy } from '../support/fixtures/tokens.ts';
import { atOnce } from '../support/server/at-once.ts';
import { otlWith } from '../support/server/otl.ts';
import { useTestServer } from '../support/server/use-test-server.ts';

const server = useTestServer({ rateLimits: 'off', events: true });

const prove = (email: string) => tokensBy(server, 'email', email);

const change = (userId: string, fields: object) => changeUser(server, userId, { ...fields });
const { told, linkTo } = createNoticePages(server, findMainApplication(server));

const press = (path: string) => server.form<string>(path, {});
const headingIn = (html: unknown) => /<h1[^>]*>([^<]*)/.exec(String(html))?.[1];

/** Creates a user with a verified email address. */
async function victim(): Promise<Person & { readonly userId: string; readonly address: string }> {
  const person = await newPerson(server);
  return { ...person, userId: person.user.user_id, address: person.email };
}

/** Creates a victim, changes the email address to the attacker's and logs in the attacker. Also returns the undo link. */
async function takenOver() {
  const { userId, address } = await victim();
  const attackers = newEmail('attacker');
  await change(userId, { email: attackers });
  const tokens = await prove(attackers);
  return { userId, address, attackers, tokens, link: (await linkTo(address)) ?? '' };
}

const DONE = 'Your email address is restored';
const OVER = 'This link no longer works';

describe("undo link sent to a user's previous address", () => {
  test('the owner of the previous address can undo an address change that an operator made', async () => {
    const { userId, address } = await victim();
    await change(userId, { phone_number: newPhoneNumber() });
    const { code } = await otlWith({ OTL_ENDPOINT: server.url }, ['user', 'update', userId, '--email', '']);
    expect(code).toBe(0);
    expect(headingIn((await press((await linkTo(address)) ?? '')).body)).toBe(DONE);
    expect((await findUser(server, userId)).email?.value).toBe(address);
  });
});

describe('opening and using an undo link', () => {
  test('opening an undo link changes nothing, because mail scanners also open links', async () => {
    const { userId, attackers, link } = await takenOver();
    for (let times = 0; times < 2; times += 1) {
      const page = await server.get<string>(link, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
      expect(headingIn(page.body)).toBe('Restore your email address at Demo?');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    }
    await server.get(link, { headers: { 'sec-purpose': 'prefetch' } });
    expect((await findUser(server, userId)).email?.value).toBe(attackers);
    expect(headingIn((await press(link)).body)).toBe(DONE);
  });

  test('an undo link works only once, even if many requests use the link concurrently', async () => {
    const { userId, link } = await takenOver();
    const pressed = await atOnce(8, () => press(link));
    expect(pressed.filter(({ body }) => headingIn(body) === DONE)).toHaveLength(1);
    expect((await press(link)).status).toBe(400);
    // A used link cannot undo a later change by the user.
    const next = newEmail();
    await change(userId, { email: next });
    expect(headingIn((await press(link)).body)).toBe(OVER);
    expect((await findUser(server, userId)).email?.value).toBe(next);
  });
});

const passkeyPath = ({ user }: Person, id: Buffer) =>
  `/v1/users/${user.user_id}/webauthn-credentials/${id.toString('base64url')}`;

/** Returns the subjects of emails and the texts of SMS without a code that were sent to the address, oldest first. */
const toldTo = async (to: string) =>
  (await told(to)).map(({ subject, text }) => subject ?? text).toReversed();

const PASSKEY_ADDED = 'A passkey was added at Demo';
const PASSKEY_REMOVED = 'A passkey was removed at Demo';

describe('A4: notices about passkeys that were added or removed', () => {
  test('the owner of the mailbox receives a notice about each passkey that was added or removed', async () => {
    const victim = await newPerson(server);
    const { id } = await registerPasskey(server, victim);
    expect(await toldTo(victim.email)).toEqual([PASSKEY_ADDED]);
    await server.delete(passkeyPath(victim, id), { token: await server.clientToken() });
    expect(await toldTo(victim.email)).toEqual([PASSKEY_ADDED, PASSKEY_REMOVED]);
  });
});

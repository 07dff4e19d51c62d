// Pages that open from the links in notices, and the page that tells a user about a pending recovery.
import { expect, test } from '@jest/globals';
import { makeNoticeLink } from '../../../shared/domain/sending/notice-link.ts';
import { CONFIRM, DAY, HOUR, readSub, useTenant } from '../../stories/people.ts';
import { leftTo, readHeading } from '../../support/fixtures/hosted-login.ts';
import { newEmail, newPhoneNumber, replaceUser } from '../../support/fixtures/people.ts';

const tenant = useTenant();
const { server, main, withMail, withBoth, withPasskey, readRecord, asOperator } = tenant;
const { told, linkTo, press, lose, loseBehind, givePasskey, offersPasskey, replaceOnAccount, browser } =
  tenant;

const LOSS = 'A way to sign in was reported lost';
const TOLD = 'We’ve notified all your addresses';
const IMPOSSIBLE = 'This isn’t possible here';

/** Creates a user who has replaced the email address using both factors. Also returns the undo link sent to the old address. */
async function moved() {
  const person = await withBoth();
  const next = newEmail('next');
  await replaceOnAccount(await main.account(person.email), next, person.phone);
  return { ...person, next, link: await linkTo(person.email) };
}
const readMailbox = async (userId: string) =>
  ((await readRecord(userId)).email as { readonly value: string }).value;

test('each login shows a page about a pending recovery until the user cancels the recovery', async () => {
  const { email, phone } = await withBoth();
  // Moves on, because a login with the phone number in the same second as the report would cancel the recovery.
  await server.settleEvents();
  await lose(email);
  const shown = await main.onPages(email);
  expect(readHeading(shown)).toBe(LOSS);
  expect(shown.html).toContain('phone number');
  leftTo(await shown.submit({}, '/heard'));
  const again = await main.onPages(email);
  expect(readHeading(again)).toBe(LOSS);
  leftTo(await again.submit({}, '/stop'));
  expect((await told(email)).map(({ subject }) => subject)).toContain(
    'Recovery of your account at Demo was stopped',
  );
  leftTo(await main.onPages(email));
  // After the cancelled recovery, adding a passkey still requires both factors.
  await server.advanceClock(DAY + HOUR);
  expect((await main.bind((await main.byCode(email)).body)).status).toBe(401);
  expect((await main.bind((await main.byBoth(email, phone)).body)).status).toBe(200);
});

test('a user can undo a passkey removal with the link in the notice and the removed passkey', async () => {
  const { email, userId, passkey } = await withPasskey();
  const item = passkey.id.toString('base64url');
  const jar = browser();
  const first = await (await main.account(email, jar)).submit({ item }, 'passkeys/remove');
  await (await givePasskey(jar, first, passkey)).submit({ item }, 'passkeys/remove');
  expect((await main.byPasskey(passkey)).status).toBe(400);
  const later = await main.bind((await main.byCode(email)).body);
  if (!later.passkey) throw new Error('no passkey was bound');

  const link = await linkTo(email);
  const own = browser();
  const page = await press(link, own);
  expect([readHeading(page), offersPasskey(page)]).toEqual([CONFIRM, true]);
  expect(readHeading(await givePasskey(own, page, later.passkey))).toBe(CONFIRM);
  expect((await main.byPasskey(passkey)).status).toBe(400);
  const asked = await givePasskey(own, await press(link, own), passkey);
  const done = await asked.submit({}, '/notice');
  expect([done.status, readHeading(done)]).toEqual([200, 'The change is undone']);
  expect(done.html).toMatch(/<a class="button" href="[^"]+\/account\?client_id=[^"]+">Sign in</);
  expect(readSub(await main.byPasskey(passkey))).toBe(userId);
  expect((await main.byPasskey(later.passkey)).status).toBe(403);
  expect((await press(link)).status).toBe(400);
});

test('a user can request a recovery from an undo link only once a day', async () => {
  const owner = await moved();
  expect(readHeading(await loseBehind(owner.link))).toBe(TOLD);
  expect((await told(owner.next))[0]?.subject).toContain('asked to undo a change');
  expect((await told(owner.phone)).length).toBeGreaterThan(0);
  const stopped = await press(await linkTo(owner.next));
  expect([stopped.status, readHeading(stopped)]).toEqual([200, 'The recovery was stopped']);
  expect(readHeading(await loseBehind(owner.link))).toBe(CONFIRM);
  await server.advanceClock(DAY);
  expect(readHeading(await loseBehind(owner.link))).toBe(TOLD);
  await server.advanceClock(DAY - HOUR);
  expect(readHeading(await press(owner.link))).toBe(CONFIRM);
  await server.advanceClock(HOUR);
  expect((await press(owner.link)).status).toBe(200);
  expect(await readMailbox(owner.userId)).toBe(owner.email);
});

test("an undo link stays valid while the user's recovery that began with this link is pending", async () => {
  const late = await moved();
  await server.advanceClock(7 * DAY - HOUR);
  expect(readHeading(await loseBehind(late.link))).toBe(TOLD);
  await server.advanceClock(DAY);
  expect((await press(late.link)).status).toBe(200);
  expect(await readMailbox(late.userId)).toBe(late.email);

  const powerful = await moved();
  await asOperator(powerful.userId, { roles: ['buyer'] });
  expect(readHeading(await loseBehind(powerful.link))).toBe(IMPOSSIBLE);
});

test('a superseded passkey is reinstated by the link in the notice, the passkey itself and the new phone number', async () => {
  const [{ email, userId, passkey }, phone] = [await withPasskey(), newPhoneNumber()];
  await main.change(userId, { phone_number: phone });
  expect(readSub(await main.byCode(phone))).toBe(userId);
  // The mailbox received two notices: one has a link that undoes the added number, the other one reinstates the passkey.
  const mails = await told(email);
  const linkIn = (title: string) => {
    const { href, origin } = new URL(mails.find(({ subject }) => subject?.includes(title))?.links[0] ?? '');
    return href.slice(origin.length);
  };
  const undoes = await browser().open(linkIn('phone number was added'));
  expect(readHeading(undoes)).toBe('Undo the change at Demo?');
  const jar = browser();
  const asked = await givePasskey(jar, await press(linkIn('no longer sign in'), jar), passkey);
  expect(readHeading(asked)).toBe(CONFIRM);
  expect((await main.give(asked, phone)).status).toBe(200);
  expect(readSub(await main.byPasskey(passkey))).toBe(userId);
  expect((await main.byCode(email)).status).toBe(403);

  // The link in the notice becomes invalid once the user verifies another phone number.
  const other = await withMail();
  expect(readSub(await main.byCode(other.email))).toBe(other.userId);
  await main.change(other.userId, { phone_number: newPhoneNumber() });
  const { value } = (await readRecord(other.userId)).phone_number as { readonly value: string };
  expect(readSub(await main.byCode(value))).toBe(other.userId);
  const mail = (await told(other.email)).find(({ subject }) => subject?.includes('no longer sign in'));
  const former = mail?.links[0]?.slice(new URL(mail.links[0]).origin.length);
  const next = newPhoneNumber();
  await main.change(other.userId, { phone_number: next });
  expect(readSub(await main.byCode(next))).toBe(other.userId);
  expect((await press(former)).status).toBe(400);
});

test('an undo link is rejected if the user used the required factors for another undo link', async () => {
  const [owner, other] = [await moved(), await moved()];
  const { noticeLinks, users } = await server.ports(['noticeLinks', 'users']);
  const [change] = (await users.find(owner.userId))?.changes ?? [];
  const { tenant_id: tenantId } = server.environment;
  const secretIn = (link = '') => new URLSearchParams(link.split('?')[1]).get('link') ?? '';
  for (const provenFor of [secretIn(other.link), 'never made', '']) {
    const undoes = { kind: 'address', changeId: change?.changeId ?? '' } as const;
    const target = { userId: owner.userId, tenantId, provenFor, undoes };
    const made = await makeNoticeLink({ noticeLinks }, target, change?.until ?? 0, { browserOrigin: '' });
    expect((await press(made)).status).toBe(400);
  }
  expect(await readMailbox(owner.userId)).toBe(owner.next);
});

test('clearing the risk signal of a phone number does not cancel the recovery of a lost passkey', async () => {
  const owner = await withBoth();
  const { userRecords } = await server.ports(['userRecords']);
  const path = `/v1/users/${owner.userId}/phone-risk`;
  expect((await main.put(path, { signal: 'sim_swap' })).status).toBe(200);
  const { recovery } = (await userRecords.find(owner.userId)) ?? {};
  if (!recovery) throw new Error('nothing waits');
  await replaceUser(server, owner.userId, () => ({ recovery: { ...recovery, kinds: ['passkey', 'phone'] } }));
  const token = await server.adminToken();
  expect((await server.delete(path, { token })).status).toBe(204);
  expect((await userRecords.find(owner.userId))?.recovery).toEqual({
    ...recovery,
    cause: 'lost',
    kinds: ['passkey'],
  });
});

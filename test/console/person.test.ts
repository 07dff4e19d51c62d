import { describe, expect, test } from '@jest/globals';
import type { ScreenData } from '../../functions/console/engine/render.ts';
import { describeMethod } from '../../functions/console/views/event-sentences.ts';
import { FAILED, renderScreen, toText } from './support.ts';

// Screens "People" and "Person" of the console, rendered from given API responses.

const TIME = '2026-11-29T15:00:00.000Z';
const LATER = '2026-11-29T15:15:00.000Z';

describe('page of a user in the console', () => {
  const user = { user_id: 'u1', status: 'Active', last_auth: TIME, email: { value: 'ann@example.com' } };
  const login = {
    ...{ time: TIME, type: 'login.succeeded', method: 'webauthn', session_id: 's1' },
    ...{ application_id: 'shop', ip_address: '203.0.113.9' },
    user_agent: 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  const showPerson = (timeline: object, more: object = {}, change: Partial<ScreenData> = {}) =>
    renderScreen(
      'people/{userId}',
      {
        ...{
          getUser: { result: { ...user, ...more } },
          userTimeline: { result: [login], holds: [], ...timeline },
        },
        ...{ listSessions: { result: [] }, listPasskeys: { result: [] } },
      },
      { parameters: { userId: 'u1' }, ...change },
    );
  const actionsNow = (html: string) => {
    const part = html.split('What you can do')[1]?.split('More actions')[0] ?? '';
    return [...part.matchAll(/act=(\w+)/g)].map(([, id]) => id);
  };

  test('if a user can log in, the console page of the user begins with "Everything works"', async () => {
    const html = await showPerson({});
    expect(toText(html)).toMatch(/^ ?Everything works\. Last login 2026-11-29 15:00 UTC with a passkey\./);
    expect(actionsNow(html)).toEqual(['updateUser']);
  });

  test("if a user's codes are locked, the console page shows when the lock ends and offers to unlock the codes", async () => {
    const holds = [{ reason: 'wrong_codes', app_id: 'shop', until: LATER, tries: 3 }];
    const html = await showPerson({ holds });
    expect(toText(html)).toContain(
      'Locked until 2026-11-29 15:15 UTC after 3 wrong codes in the application shop .',
    );
    expect(toText(html)).not.toContain('Everything works');
    expect(actionsNow(html)).toEqual(['unlockUser', 'updateUser']);
    const [now = '', more = ''] = html.split('More actions');
    expect(now).not.toContain('bad-act');
    expect(more).toMatch(/class="act bad-act" href="[^"]*act=deleteUser/);
    expect([...more.matchAll(/act=(\w+)/g)].at(-1)?.[1]).toBe('deleteUser');
  });

  test.each([
    [{ last_auth: undefined }, [], 'Nothing prevents a login. Has not logged in yet.'],
    [
      { status: 'Disabled' },
      [],
      'The user is disabled. Last login 2026-11-29 15:00 UTC with a passkey. What',
    ],
    [
      { status: 'Disabled' },
      [{ reason: 'user_disabled' }],
      'The user is disabled, or has deleted their account . Last login ',
    ],
    [
      { status: 'Disabled' },
      [{ reason: 'wrong_codes' }],
      'The user is disabled. Codes are locked after wrong ones . Last login ',
    ],
    [{}, [{ reason: 'wrong_codes' }], 'Codes are locked after wrong ones . Last login '],
    [
      {},
      [{ reason: 'number_at_risk', until: LATER }],
      'No texts are sent, because the number is reported at risk. Clear the risk once you are sure of the owner until 2026-11-29 15:15 UTC . Last login ',
    ],
    [
      { test: true, recovery: { effective_at: TIME, ends_at: LATER } },
      [],
      'Everything works. Last login 2026-11-29 15:00 UTC with a passkey. This is a test user, who gets no messages. A recovery is under way from 2026-11-29 15:00 UTC until 2026-11-29 15:15 UTC . What',
    ],
    [{ recovery: {} }, [], 'with a passkey. A recovery is under way. What'],
  ])(
    'the console page of a user with %j and the holds %j describes the state',
    async (change, holds, words) => {
      expect(toText(await showPerson({ holds }, change))).toContain(words);
    },
  );

  test('the console page of a user shows ten events at once, and links to earlier ones', async () => {
    const logins = (count: number) => Array.from({ length: count }, () => login);
    expect(await showPerson({ result: logins(10) })).not.toMatch(/<summary>Show|Earlier events/);
    const html = await showPerson({ result: logins(11), next_cursor: 'next' });
    expect(html).toContain('<summary>Show 1 earlier event</summary>');
    expect(html).toContain('href="/tenant/people/u1?cursor=next">Earlier events</a>');
    const query = { cursor: 'next' };
    expect(await showPerson({ result: logins(12) }, {}, { query })).not.toContain('<summary>Show');
  });

  test('the console page of a user says if no event is about a message', async () => {
    const sent = { time: TIME, type: 'message.sent', sent: 'email' };
    const says = async (timeline: object) => (await showPerson(timeline)).includes('No message on this page');
    expect(await says({})).toBe(true);
    expect(await says({ result: [login, sent] })).toBe(false);
    expect(await says(FAILED)).toBe(false);
  });

  test('the console page of a user shows the error of a failed call, and nothing about the state', async () => {
    const answers = { getUser: { result: user }, userTimeline: FAILED };
    const text = toText(await renderScreen('people/{userId}', answers, { parameters: { userId: 'u1' } }));
    expect(text).toMatch(/^Last login 2026-11-29 15:00 UTC \. The service did not answer\. What you can do/);
    expect(toText(await renderScreen('people/{userId}', { getUser: FAILED }))).toBe(FAILED.message);
  });

  test('the failed login that locked the codes is shown without the advice to try again', async () => {
    const failed = { time: TIME, type: 'login.failed', method: 'email', result: 'auth_invalid_credentials' };
    const locked = { time: TIME, type: 'login.locked', method: 'email', request_id: 'r1' };
    const advised = async (result: object[]) =>
      toText(await showPerson({ result })).includes('can try again at once');
    expect(await advised([{ ...failed, request_id: 'r1' }])).toBe(true);
    expect(await advised([locked, { ...failed, request_id: 'r1' }])).toBe(false);
    expect(await advised([locked, { ...failed, request_id: 'r2' }])).toBe(true);
    expect(await advised([{ ...locked, request_id: undefined }, failed])).toBe(true);
  });

  test('the console page of a user shows no actions to an operator with the role viewer', async () => {
    const html = await showPerson({}, {}, { role: 'viewer' });
    expect(html).not.toMatch(/What you can do|act=/);
  });

  test('on the page of a user who has deleted the account, the console offers to undo the deletion', async () => {
    const html = await showPerson({ holds: [{ reason: 'user_disabled' }] }, { erasure_at: LATER });
    expect(toText(html)).toContain('Deleted by the person. Everything will be erased 2026-11-29 15:15 UTC');
    expect(actionsNow(html)).toContain('cancelErasure');
  });

  test('the console page of a user shows each session with the device, network address and login method', async () => {
    const session = { session_id: 's1', start_time: TIME, expiration_time: LATER };
    const sessions = { listSessions: { result: [session, { ...session, session_id: 's2' }] } };
    const answers = {
      ...{ getUser: { result: user }, userTimeline: { result: [login], holds: [] } },
      ...sessions,
    };
    const html = await renderScreen('people/{userId}', answers, { parameters: { userId: 'u1' } });
    const [, list = ''] = /<h2>Where they are logged in<\/h2>(.*?)<\/ul>/.exec(html) ?? [];
    expect(list.split('</li>').slice(0, -1).map(toText)).toEqual([
      'Firefox on Windows, 203.0.113.9 Logged in 2026-11-29 15:00 UTC with a passkey in shop . ends 2026-11-29 15:15 UTC without use',
      'Unknown device Logged in 2026-11-29 15:00 UTC . ends 2026-11-29 15:15 UTC without use',
    ]);
    const one = await renderScreen(
      'people/{userId}',
      { ...answers, listSessions: { result: [session] } },
      { parameters: { userId: 'u1' } },
    );
    expect(actionsNow(one)).toEqual(['updateUser', 'endSessions']);
  });

  test("the console page of a user describes events in sentences, marks problems and lists operators' views separately", async () => {
    const failed = {
      time: TIME,
      type: 'login.failed',
      method: 'eotp',
      result: 'passcode_not_found',
      request_id: 'r1',
    };
    const viewed = { time: LATER, type: 'operator.viewed_user', operator: 'op' };
    const html = await showPerson({ result: [viewed, failed, login] });
    const [story = '', views = ''] = html.split('Operators who looked at this page');
    expect([...story.matchAll(/aria-label="(Problem|Success)"/g)].map(([, mark]) => mark)).toEqual([
      ...['Problem', 'Success'],
    ]);
    expect(toText(story)).toContain('Login failed with a code by mail: passcode_not_found');
    expect(toText(story)).toContain('request ID: r1');
    expect(toText(story)).toContain('Logged in with a passkey');
    expect(story).not.toContain('An operator looked');
    expect(views).toContain('An operator looked at this page');
  });
});

test('the console describes the login method of an event, also one that it does not know', () => {
  const event = { type: 'login.succeeded', time: TIME };
  expect(['otp', 'fancy', undefined].map((method) => describeMethod({ ...event, method } as never))).toEqual([
    ...['with a code from the backend', 'with fancy', ''],
  ]);
});

describe('screen "People" of the console', () => {
  const ann = {
    ...{ user_id: 'u1', status: 'Pending', name: { first_name: 'Ann', last_name: 'Lee' }, username: 'ann' },
    ...{ email: { value: 'ann@example.com' }, phone_number: { value: '+12015550147' }, last_auth: TIME },
  };
  const bob = { user_id: 'u2', status: 'Active', email: { value: 'bob@example.com' } };
  const search = (beginning: string, answer: object = { result: [] }) =>
    renderScreen('people', { findUsers: answer }, { query: { beginning } });

  test('the screen "People" shows the addresses, user name, status and last login of each user', async () => {
    const html = await search('b', { result: [ann, bob] });
    expect([...html.matchAll(/<li>.*?<\/li>/g)].map(([item]) => toText(item))).toEqual([
      'Ann Lee Pending ann@example.com +12015550147 @ann last login 2026-11-29 15:00 UTC',
      'bob@example.com has not logged in yet',
    ]);
    expect(html).not.toContain('<bdi></bdi>');
  });

  test.each([
    [{}, 'No person yet.'],
    [{ status: 'Active' }, 'No person matches these filters.'],
    [{ app_id: 'shop' }, 'No person matches these filters.'],
    [{ has_problem: 'locked' }, 'No codes are locked now.'],
  ])('without users that match the filters %j, the screen "People" says "%s"', async (query, words) => {
    expect(toText(await renderScreen('people', { findUsers: { result: [] } }, { query }))).toContain(words);
  });

  test('a search without a result links to the messages to an address', async () => {
    const link = (to: string) => `<a class="act" href="/tenant/deliveries?to=${encodeURIComponent(to)}">`;
    expect(toText(await search('Ann'))).toMatch(/^No person found for “ Ann ”\./);
    expect(await search('Ann')).not.toContain('/deliveries');
    expect(await search('ann@')).toContain(link('ann@'));
    expect(await search('+1201')).toContain(link('+1201'));
    expect(toText(await search('Ann', FAILED))).toBe(FAILED.message);
  });
});

import { describe, expect, test } from '@jest/globals';
import type { ScreenData } from '../../functions/console/engine/render.ts';
import { completeQuery, renderView } from '../../functions/console/views/views.ts';
import { answered, createScreenData } from './support.ts';

// Texts at the top of the console's screens, rendered from given API responses.

type Answers = Readonly<Record<string, object>>;

/** Renders a screen whose API calls get the given responses. */
async function show(path: string, answers: Answers, change: Partial<ScreenData> = {}): Promise<string> {
  const all = new Map(Object.entries(answers).map(([read, json]) => [read, { ok: true, json } as const]));
  return renderView(await createScreenData(path, { answers: all as ScreenData['answers'], ...change })).html;
}
const toText = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

const TIME = '2026-11-29T15:00:00.000Z';
const LATER = '2026-11-29T15:15:00.000Z';

describe('screen "Deliveries" of the console', () => {
  const failure = {
    time: TIME,
    type: 'message.refused',
    refusal: 'mail_bounced',
    recipient: 'a•••@e•••.com',
  };

  test('the screen "Deliveries" shows recent failures, or all messages to an address that was searched', async () => {
    const { screen, now } = await createScreenData('deliveries', {});
    const since = new Date((now - 86_400) * 1000).toISOString();
    expect(completeQuery(screen, {}, now)).toMatchObject({ status: 'failed', since });
    const week = new Date((now - 7 * 86_400) * 1000).toISOString();
    expect(completeQuery(screen, { days: '7' }, now)).toMatchObject({ days: '7', since: week });
    expect(completeQuery(screen, { days: '9999' }, now)).toMatchObject({ since });
    expect(completeQuery(screen, { to: 'ann@example.com' }, now)).toEqual({ to: 'ann@example.com' });
  });

  test('the screen "Deliveries" shows for each failure the reason, the next support step and a link to the user', async () => {
    const html = await show('deliveries', { listDeliveries: { result: [{ ...failure, user_id: 'u/1' }] } });
    expect(toText(html)).toContain('Not sent to a•••@e•••.com: mail to this address came back');
    expect(toText(html)).toContain('Ask for another address, and set it.');
    expect(html).toContain('href="/tenant/people/u%2F1"');
    expect(toText(html)).toContain('Mail bounced 1');
  });

  test('the screen "Deliveries" shows no user link for a failed message to an address without a user', async () => {
    const html = await show('deliveries', { listDeliveries: { result: [failure] } });
    expect(html).not.toContain('/people/');
    expect(html).toContain('no person is known');
  });
});

describe('screen "Webhooks" of the console', () => {
  const delivered = {
    ...{ webhook_id: 'w1', url: 'https://a.example.com/', enabled: true, events: [] },
    health: { state: 'delivered', status: 204, last_attempt_at: LATER },
  };
  const failing = {
    ...{ webhook_id: 'w2', url: 'https://b.example.com/', enabled: true, events: ['login.*'] },
    health: { state: 'failing', error: 'ENOTFOUND', failing_since: TIME, last_attempt_at: LATER },
  };

  test('the screen "Webhooks" lists failing webhooks first, with the time of the first failure', async () => {
    const text = toText(await show('webhooks', { listWebhooks: { result: [delivered, failing] } }));
    expect(text).toMatch(/b\.example\.com.* Failing since 2026-11-29 15:00 UTC .*a\.example\.com/);
    expect(text).toContain('Last answer: the name does not exist, 2026-11-29 15:15 UTC');
    expect(text).toContain('Delivered Last answer: the receiver accepted the event (answered 204)');
  });

  test.each([
    [{ status: 404 }, 'the receiver has no such address (answered 404)'],
    [{ status: 300 }, 'the receiver redirects, which is not followed (answered 300)'],
    [{ status: 302 }, 'the receiver redirects, which is not followed (answered 302)'],
    [{ status: 503 }, 'the receiver has an error (answered 503)'],
    [{ status: 422 }, 'the receiver refuses the event (answered 422)'],
    [{ error: 'CERT_HAS_EXPIRED' }, 'its certificate has expired'],
    [{ error: 'AbortError' }, 'it did not answer within 5 seconds'],
    [{ error: 'constructor' }, 'no answer ( constructor )'],
    [{}, 'no answer'],
  ])('the console describes the last response of a webhook in words: %j', async (answer, words) => {
    const health = { ...failing.health, error: undefined, ...answer };
    const html = await show('webhooks', { listWebhooks: { result: [{ ...failing, health }] } });
    expect(toText(html)).toContain(`Last answer: ${words}`);
  });

  test('for a disabled or unused webhook, the console says how to enable or test the webhook', async () => {
    const off = { ...failing, enabled: false };
    const unused = { ...delivered, health: { state: 'unused' } };
    const text = toText(await show('webhooks', { listWebhooks: { result: [off, unused] } }));
    expect(text).toContain('Nothing is posted until it is enabled.');
    expect(text).toContain('Send a test event to try it.');
  });
});

test.each([
  [{ status: 204 }, false],
  [{ status: 410 }, false],
  [{ status: 503 }, true],
  [{ error: 'ENOTFOUND' }, true],
])(
  'after the attempt %j, the console says whether the event is sent again: %s',
  async (answer, isRetried) => {
    const delivery = { type: 'user.updated', time: TIME, attempts: [{ at: TIME, ...answer }] };
    const answers = {
      getWebhook: { result: { webhook_id: 'w1', url: 'https://a.example.com/', enabled: true } },
      listWebhookDeliveries: { result: [delivery] },
    };
    const html = await show('webhooks/{webhookId}', answers, { parameters: { webhookId: 'w1' } });
    expect(html.includes('Retried later.')).toBe(isRetried);
  },
);

describe('page of a user in the console', () => {
  const user = { user_id: 'u1', status: 'Active', last_auth: TIME, email: { value: 'ann@example.com' } };
  const login = {
    ...{ time: TIME, type: 'login.succeeded', method: 'webauthn', session_id: 's1' },
    ...{ application_id: 'shop', ip_address: '203.0.113.9' },
    user_agent: 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0',
  };
  const showPerson = (timeline: object, more: object = {}, change: Partial<ScreenData> = {}) =>
    show(
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
  });

  test('the failed login that locked the codes is shown without the advice to try again', async () => {
    const failed = { time: TIME, type: 'login.failed', method: 'email', result: 'auth_invalid_credentials' };
    const locked = { time: TIME, type: 'login.locked', method: 'email', request_id: 'r1' };
    const advised = async (result: object[]) =>
      toText(await showPerson({ result })).includes('can try again at once');
    expect(await advised([{ ...failed, request_id: 'r1' }])).toBe(true);
    expect(await advised([locked, { ...failed, request_id: 'r1' }])).toBe(false);
    expect(await advised([locked, { ...failed, request_id: 'r2' }])).toBe(true);
  });

  test('the list of changes shows durations and choices in words', async () => {
    const changes = [{ field: 'access_token_ttl', after: '600' }];
    const change = { time: TIME, operation: 'management/create-resource', record_kind: 'resource', changes };
    const html = await show('changes', { listChanges: { result: [change] } });
    expect(toText(html)).toContain('An access token is valid for before: nothing → after: 10 minutes');
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
    const text = toText(await show('people/{userId}', answers, { parameters: { userId: 'u1' } }));
    expect(text).toContain('Firefox on Windows, 203.0.113.9');
    expect(text).toContain('Logged in 2026-11-29 15:00 UTC with a passkey in shop .');
    expect(text).toContain('Unknown device');
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
    expect(story).toContain('aria-label="Problem"');
    expect(toText(story)).toContain('Login failed with a code by mail');
    expect(toText(story)).toContain('request ID: r1');
    expect(toText(story)).toContain('Logged in with a passkey');
    expect(story).not.toContain('An operator looked');
    expect(views).toContain('An operator looked at this page');
  });
});

test('the screen of an application lists the features that are off, or nothing if all features are on', async () => {
  const uris = ['https://shop.example.com/'];
  const on = {
    ...{ name: 'Shop', public_signup: true, hosted_sign_up: true, offer_passkeys: true },
    ...{ redirect_uris: uris, post_logout_redirect_uris: uris, origins: ['https://shop.example.com'] },
    login_preferences: { link: {}, email: {}, sms: {}, passkey: {} },
  };
  const showApplication = async (change: object) =>
    toText(await show('applications/{appId}', { getApplication: { result: { ...on, ...change } } }));
  expect(await showApplication({ offer_passkeys: false })).toContain(
    'What is off logins do not offer to create a passkey (setting: ',
  );
  expect(await showApplication({})).not.toContain('What is off');
});

describe('screens "People" and "Today" of the console', () => {
  test('the screen "People" shows the problem, last login and application of each user', async () => {
    const found = { user_id: 'u1', status: 'Disabled', problems: ['user_disabled'], applications: ['shop'] };
    const html = await show('people', {
      findUsers: { result: [{ ...found, email: { value: 'ann@example.com' } }] },
    });
    expect(toText(html)).toContain('Disabled or deleted');
    expect(toText(html)).toContain('has not logged in yet');
    expect(html).toContain('<option value="shop">shop</option>');
    expect(html).toContain('data-found');
  });

  test('the screen "People" shows that a user is locked out, and not the wrong codes that caused the lockout', async () => {
    const locked = { user_id: 'u1', status: 'Active', problems: ['wrong_codes', 'mail_bounced'] };
    const people = async (change: object) =>
      toText(await show('people', { findUsers: { result: [{ ...locked, ...change }] } }));
    expect(await people({})).toMatch(/Wrong codes since the last login.*Mail came back/);
    const text = await people({ locked_until: LATER });
    expect(text).toMatch(/Locked until 2026-11-29 15:15 UTC.*Mail came back/);
    expect(text).not.toContain('Wrong codes');
  });

  test('the screen "People" shows which field of each user matched the search', async () => {
    const found = { user_id: 'u1', status: 'Active', problems: [], found_by: 'email' };
    const html = await show('people', { findUsers: { result: [found] } }, { query: { beginning: 'ann' } });
    expect(html).toContain('found by email');
  });

  test('each number on the screen "Today" leads to what it counts, and a table shows each application', async () => {
    const hour = { hour: TIME, logins: 5, failures: 2, sends: 7, refusals: 9, texts: 0 };
    const failed = Array.from({ length: 3 }, () => ({ time: TIME, type: 'message.bounced' }));
    const applications = [{ app_id: 'shop', name: 'My shop', sends: 8, logins: 6, texts: 2 }];
    const html = await show('today', {
      getStatistics: answered({ hours: [hour], applications, limits: [] }).json,
      listDeliveries: { result: failed, next_cursor: 'next' },
    });
    expect(html).toMatch(/href="\/tenant\/deliveries"><strong>3\+</);
    expect(html).toMatch(/href="#hours"><strong>5<.*id="hours"/s);
    expect(html).toContain('href="/tenant/people?has_problem=true">People with a problem');
    expect(html).toMatch(
      /<a href="\/tenant\/applications\/shop"><bdi>My shop<\/bdi><\/a><\/th><td>8<\/td><td>6<\/td><td>75%<\/td><td>2</,
    );
  });
});

describe('lists of the console', () => {
  const namesIn = (html: string) => [...html.matchAll(/<li><a [^>]*><bdi>([^<]*)/g)].map(([, name]) => name);
  const shops = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      app_id: `a${n}`,
      name: `Shop ${String.fromCharCode(90 - n)}`,
    }));

  test('a list of the console on one page is sorted by name, and a long one has a filter', async () => {
    const short = await show('applications', { listApplications: { result: shops(10) } });
    expect(namesIn(short)).toEqual(
      shops(10)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(short).not.toContain('name="name"');
    const query = { name: 'shop y' };
    const long = await show('applications', { listApplications: { result: shops(11) } }, { query });
    expect(namesIn(long)).toEqual(['Shop Y']);
    expect(long).toContain('name="name" value="shop y"');
  });

  test('a page of a longer list of the console keeps the order of the API', async () => {
    const page = { listApplications: { result: shops(12), next_cursor: 'next' } };
    const last = { listApplications: { result: shops(12) } };
    for (const html of [
      await show('applications', page),
      await show('applications', last, { query: { cursor: 'next' } }),
    ]) {
      expect(namesIn(html)).toEqual(shops(12).map(({ name }) => name));
      expect(html).not.toContain('name="name"');
    }
  });

  test('the charts of the screen "Today" label each day with its weekday, and the last day with "Today"', async () => {
    const start = Date.parse('2026-11-27T20:00:00.000Z');
    const hours = Array.from({ length: 60 }, (_, index) => ({
      ...{ hour: new Date(start + index * 3_600_000).toISOString(), logins: 0, failures: 0 },
      ...{ sends: index === 59 ? 1 : 0, refusals: 0, texts: 0 },
    }));
    const html = await show('today', {
      getStatistics: answered({ hours, applications: [], limits: [] }).json,
    });
    const [, chart = ''] = html.split('<svg');
    expect([...chart.matchAll(/<text[^>]* y="126"[^>]*>(\w*)</g)].map(([, label]) => label)).toEqual([
      ...['Sat', 'Sun', '', 'Today'],
    ]);
    expect(toText(html)).toContain('Last 24 hours: 1 send, 0 refusals . Seven days: 1 send, 0 refusals.');
  });
});

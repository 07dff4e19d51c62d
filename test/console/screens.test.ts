import { describe, expect, test } from '@jest/globals';
import { applyForm, renderPreview } from '../../functions/console/views/application.ts';
import { completeQuery } from '../../functions/console/views/views.ts';
import { answerHtml } from '../../functions/console/views/webhook-words.ts';
import { answered, createScreenData, FAILED, renderScreen, toText } from './support.ts';

// Texts at the top of the console's screens, rendered from given API responses.

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
    const html = await renderScreen('deliveries', {
      listDeliveries: { result: [{ ...failure, user_id: 'u/1' }] },
    });
    expect(toText(html)).toContain('Not sent to a•••@e•••.com: mail to this address came back');
    expect(toText(html)).toContain('Ask for another address, and set it.');
    expect(html).toContain('href="/tenant/people/u%2F1"');
    expect(toText(html)).toContain('Mail bounced 1');
  });

  test('the screen "Deliveries" shows no user link for a failed message to an address without a user', async () => {
    const html = await renderScreen('deliveries', { listDeliveries: { result: [failure] } });
    expect(html).not.toContain('/people/');
    expect(html).toContain('no person is known');
  });

  test('the screen "Deliveries" counts the failures by reason, and links to earlier ones', async () => {
    const full = { ...failure, refusal: 'recipient_limit' };
    const page = { result: [failure, full, full], next_cursor: 'next' };
    const html = await renderScreen('deliveries', { listDeliveries: page }, { query: { days: '7' } });
    expect(toText(html)).toContain('Recipient limit 2 Mail bounced 1');
    expect(html).toContain('href="/tenant/deliveries?days=7&amp;cursor=next">Earlier</a>');
    const query = { to: 'ann@example.com' };
    const failed = await renderScreen('deliveries', { listDeliveries: FAILED }, { query });
    expect(toText(failed)).toMatch(/ Show The service did not answer\.$/);
  });
});

describe('screen "Webhooks" of the console', () => {
  const delivered = {
    ...{ webhook_id: 'w1', url: 'https://a.example.com/', enabled: true, events: [] },
    health: { state: 'delivered', status: 204, last_attempt_at: LATER },
  };
  const failing = {
    ...{
      webhook_id: 'w2',
      url: 'https://b.example.com/',
      enabled: true,
      events: ['login.*'],
      app_id: 'shop',
    },
    health: { state: 'failing', error: 'ENOTFOUND', failing_since: TIME, last_attempt_at: LATER },
  };

  test('the screen "Webhooks" lists failing webhooks first, with the time of the first failure', async () => {
    const text = toText(await renderScreen('webhooks', { listWebhooks: { result: [delivered, failing] } }));
    expect(text).toMatch(/b\.example\.com.* Failing since 2026-11-29 15:00 UTC .*a\.example\.com/);
    expect(text).toContain('Last answer: the name does not exist, 2026-11-29 15:15 UTC');
    expect(text).toMatch(/15:15 UTC \. login\.\* application: shop .*15:15 UTC \. all events$/);
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
    const html = await renderScreen('webhooks', { listWebhooks: { result: [{ ...failing, health }] } });
    expect(toText(html)).toContain(`Last answer: ${words}`);
  });

  test('the console describes each status that a receiver of a webhook can respond with', () => {
    const statuses = [299, 300, 399, 400, 401, 403, 404, 410, 413, 429, 499, 500];
    expect(statuses.map((status) => answerHtml({ status }).replace(/ \(answered \d+\)$/, ''))).toEqual([
      'the receiver accepted the event',
      ...Array.from({ length: 2 }, () => 'the receiver redirects, which is not followed'),
      'the receiver refuses the event',
      'the receiver asks for a login',
      'the receiver does not let us in',
      'the receiver has no such address',
      'the receiver says that it is gone',
      'the receiver finds the event too large',
      'the receiver gets too many requests',
      'the receiver refuses the event',
      'the receiver has an error',
    ]);
  });

  test('the screen "Webhooks" shows the error if the API returns no webhooks', async () => {
    expect(toText(await renderScreen('webhooks', { listWebhooks: FAILED }))).toBe(FAILED.message);
  });

  test('for a disabled or unused webhook, the console says how to enable or test the webhook', async () => {
    const off = { ...failing, enabled: false };
    const unused = { ...delivered, health: { state: 'unused' } };
    const text = toText(await renderScreen('webhooks', { listWebhooks: { result: [off, unused] } }));
    expect(text).toContain('Nothing is posted until it is enabled.');
    expect(text).toContain('Send a test event to try it.');
  });
});

test.each([
  [{ status: 299 }, 'Arrived', false],
  [{ status: 300 }, 'Not arrived', true],
  [{ status: 410 }, 'Not arrived', false],
  [{ status: 503 }, 'Not arrived', true],
  [{ error: 'ENOTFOUND' }, 'Not arrived', true],
])(
  'after the attempt %j, the console shows that the event has %s, and whether it is sent again: %s',
  async (answer, state, isRetried) => {
    const delivery = { type: 'user.updated', time: TIME, attempts: [{ at: TIME, ...answer }] };
    const answers = {
      getWebhook: { result: { webhook_id: 'w1', url: 'https://a.example.com/', enabled: true } },
      listWebhookDeliveries: { result: [delivery] },
    };
    const html = await renderScreen('webhooks/{webhookId}', answers, { parameters: { webhookId: 'w1' } });
    expect(html.includes('Retried later.')).toBe(isRetried);
    expect(toText(html)).toContain(
      `The record was changed ${state} user.updated , 2026-11-29 15:00 UTC 2026-11-29 15:00 UTC : `,
    );
  },
);

describe('screen "Changes" of the console', () => {
  const change = { time: TIME, operation: 'management/create-resource', record_kind: 'resource' };
  const list = async (changes: readonly object[]) => {
    const html = await renderScreen('changes', { listChanges: { result: changes } });
    return [...html.matchAll(/<li>.*?<\/li>/g)].map(([item]) => toText(item));
  };

  test('the screen "Changes" shows who made each change, to which record and why', async () => {
    const made = { ...change, record_id: 'r1', client_id: 'c1' };
    expect(
      await list([
        { ...made, operator: 'op', user_id: 'u1', reason: 'a test' },
        { ...made, user_id: 'r1' },
        { ...change, operation: 'users/send-code', record_kind: undefined },
      ]),
    ).toEqual([
      'Create resource resource 2026-11-29 15:00 UTC operator: op record: r1 person: u1 reason: a test',
      'Create resource resource 2026-11-29 15:00 UTC client: c1 person: r1',
      'Send code 2026-11-29 15:00 UTC',
    ]);
  });

  test.each([
    [
      'resource',
      'access_token_ttl',
      '600',
      'An access token is valid for before: nothing → after: 10 minutes',
    ],
    ['resource', 'access_token_ttl', 'long', 'An access token is valid for before: nothing → after: long'],
    ['resource', 'name', '600', 'Name before: nothing → after: 600'],
    [
      'application',
      'redirect_uris',
      '["a","bc"]',
      'Addresses to return to after a login before: nothing → after: a, bc',
    ],
    [
      'application',
      'brand.primary_color',
      '#fff',
      'Branding, Colour of buttons before: nothing → after: #fff',
    ],
  ])(
    'the screen "Changes" shows a change of the %s field %s to %s in words',
    async (record_kind, field, after, words) => {
      const [item] = await list([{ ...change, record_kind, changes: [{ field, after }] }]);
      expect(item).toContain(words);
    },
  );

  test('the screen "Changes" has a filter by user, operator and type of record', async () => {
    const html = await renderScreen('changes', { listChanges: { result: [] } });
    expect([...html.matchAll(/<(\w+) name="(\w+)"/g)].map(([, tag, name]) => [tag, name])).toEqual([
      ['input', 'user_id'],
      ['input', 'operator'],
      ['select', 'kind'],
    ]);
  });
});

describe('screen of an application in the console', () => {
  const uris = ['https://shop.example.com/'];
  const on = {
    ...{ name: 'Shop', public_signup: true, hosted_sign_up: true, offer_passkeys: true },
    ...{ redirect_uris: uris, post_logout_redirect_uris: uris, origins: ['https://shop.example.com'] },
    login_preferences: { link: {}, email: {}, sms: {}, passkey: {} },
  };
  const showApplication = (change: object, clients: readonly object[] = []) =>
    renderScreen('applications/{appId}', {
      getApplication: { result: { ...on, ...change } },
      listClients: { result: clients },
    });
  const listOff = async (change: object) => {
    const [, list = ''] = /<h2>What is off<\/h2><ul>(.*?)<\/ul>/.exec(await showApplication(change)) ?? [];
    return list
      .split('</li>')
      .map((item) => toText(item).replace(/ \(setting: .+\)$/, ''))
      .filter(Boolean);
  };

  test('the screen of an application lists the features that are off', async () => {
    expect(await showApplication({})).not.toContain('What is off');
    expect(await listOff({ hosted_sign_up: false })).toEqual(['the hosted pages create no accounts']);
    const off = { public_signup: false, hosted_sign_up: false, offer_passkeys: false, login_preferences: {} };
    const none = { redirect_uris: [], post_logout_redirect_uris: undefined, origins: [] };
    expect(await listOff({ ...off, ...none })).toEqual([
      'new people cannot sign up',
      'logins in a browser cannot complete',
      'no page to return to after a logout',
      'your own pages cannot use passkeys',
      'logins do not offer to create a passkey',
      'no magic links by mail',
      'no codes by mail',
      'no codes by text message',
      'no passkeys',
    ]);
  });

  test('the screen of an application links to a test login of its first client', async () => {
    const client = { client_id: 'c1', name: 'Backend' };
    expect(await showApplication({}, [client, { ...client, client_id: 'c2' }])).toContain(
      'href="https://id.example.com/cis/oidc/auth?client_id=c1&amp;redirect_uri=https%3A%2F%2Fshop.example.com%2F&amp;',
    );
    for (const html of [await showApplication({}), await showApplication({ redirect_uris: [] }, [client])])
      expect(toText(html)).toMatch(/A test login requires a client and an address to return to\.$/);
  });

  test('the preview of the login page emphasises the passkey button only without other login methods', () => {
    const button = (methods: object) =>
      /<button class=&quot;([^&]*)&quot;><svg/.exec(
        renderPreview({ ...on, login_preferences: methods }).html,
      )?.[1];
    expect(button({ passkey: {} })).toBe('button');
    expect(button({ passkey: {}, email: {} })).toBe('button second');
  });

  test('the preview of the login page applies a form to the record, and omits the values that the form empties', () => {
    const record = {
      name: 'Shop',
      brand: { primary_color: '#fff' },
      login_preferences: { email: {}, sms: {} },
    };
    expect(applyForm(record, { brand: null, login_preferences: { sms: null, link: {} } })).toEqual({
      ...{ name: 'Shop', login_preferences: { email: {}, link: {} } },
    });
  });

  test('the screen of an application shows only the error if the API returns no application', async () => {
    expect(toText(await renderScreen('applications/{appId}', { getApplication: FAILED }))).toBe(
      FAILED.message,
    );
  });
});

describe('screens "People" and "Today" of the console', () => {
  test('the screen "People" shows the problem, last login and application of each user', async () => {
    const found = { user_id: 'u1', status: 'Disabled', problems: ['user_disabled'], applications: ['shop'] };
    const html = await renderScreen('people', {
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
      toText(await renderScreen('people', { findUsers: { result: [{ ...locked, ...change }] } }));
    expect(await people({})).toMatch(/Wrong codes since the last login.*Mail came back/);
    const text = await people({ locked_until: LATER });
    expect(text).toMatch(/Locked until 2026-11-29 15:15 UTC.*Mail came back/);
    expect(text).not.toContain('Wrong codes');
  });

  test('the screen "People" shows which field of each user matched the search', async () => {
    const found = { user_id: 'u1', status: 'Active', problems: [], found_by: 'email' };
    const html = await renderScreen(
      'people',
      { findUsers: { result: [found] } },
      { query: { beginning: 'ann' } },
    );
    expect(html).toContain('found by email');
  });

  test('each number on the screen "Today" leads to what it counts, and a table shows each application', async () => {
    const hour = { hour: TIME, logins: 5, failures: 2, sends: 7, refusals: 9, texts: 0 };
    const failed = Array.from({ length: 3 }, () => ({ time: TIME, type: 'message.bounced' }));
    const applications = [{ app_id: 'shop', name: 'My shop', sends: 8, logins: 6, texts: 2 }];
    const html = await renderScreen('today', {
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
    const short = await renderScreen('applications', { listApplications: { result: shops(10) } });
    expect(namesIn(short)).toEqual(
      shops(10)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(short).not.toContain('name="name"');
    const query = { name: 'shop y' };
    const long = await renderScreen('applications', { listApplications: { result: shops(11) } }, { query });
    expect(namesIn(long)).toEqual(['Shop Y']);
    expect(long).toContain('name="name" value="shop y"');
  });

  test('a page of a longer list of the console keeps the order of the API', async () => {
    const page = { listApplications: { result: shops(12), next_cursor: 'next' } };
    const last = { listApplications: { result: shops(12) } };
    for (const html of [
      await renderScreen('applications', page),
      await renderScreen('applications', last, { query: { cursor: 'next' } }),
    ]) {
      expect(namesIn(html)).toEqual(shops(12).map(({ name }) => name));
      expect(html).not.toContain('name="name"');
    }
  });

  test('the charts of the screen "Today" label each day with its weekday, and the last day with "Today"', async () => {
    const start = Date.parse('2026-11-27T20:00:00.000Z');
    const hours = Array.from({ length: 60 }, (_, index) => ({
      ...{ hour: new Date(start + index * 3_600_000).toISOString(), logins: 0, failures: 0 },
      ...{ sends: index === 59 || index === 35 ? 1 : 0, refusals: 0, texts: 0 },
    }));
    const html = await renderScreen('today', {
      getStatistics: answered({ hours, applications: [], limits: [] }).json,
    });
    const [, chart = ''] = html.split('<svg');
    expect([...chart.matchAll(/<text[^>]* y="126"[^>]*>(\w*)</g)].map(([, label]) => label)).toEqual([
      ...['Sat', 'Sun', '', 'Today'],
    ]);
    expect(toText(html)).toContain('Last 24 hours: 1 send, 0 refusals . Seven days: 2 sends, 0 refusals.');
  });
});

import { describe, expect, test } from '@jest/globals';
import { ALL_METHODS, passkeyTarget, REDIRECT_URI } from '../../../lib/preview/sample.ts';
import { PROVIDERS } from '../../../shared/records/providers.ts';
import { codePage } from '../../../shared/templates/pages/code-page.ts';
import { continueFormPage } from '../../../shared/templates/pages/continue-form-page.ts';
import { deadEndPage } from '../../../shared/templates/pages/dead-end-page.ts';
import { formPostPage } from '../../../shared/templates/pages/form-post-page.ts';
import { identifyPage } from '../../../shared/templates/pages/identify-page.ts';
import { linkSentPage } from '../../../shared/templates/pages/link-sent-page.ts';
import { phonePage } from '../../../shared/templates/pages/phone-page.ts';
import { registerPasskeyPage } from '../../../shared/templates/pages/register-passkey-page.ts';
import { secondFactorPage } from '../../../shared/templates/pages/second-factor-page.ts';
import type { PageError } from '../../../shared/templates/parts/form.ts';
import type { LoginMethod } from '../../../shared/templates/parts/methods.ts';
import { loginExpired, rateLimited, redirectNotAllowed } from '../../../shared/templates/texts/dead-ends.ts';
import { visibleText } from '../support.ts';
import { listElements, listForms, pages, words } from './support.ts';

const identify = (methods: readonly LoginMethod[], error?: PageError) =>
  identifyPage({ ...words, methods, error });
const code = (change: Partial<Parameters<typeof codePage>[0]> = {}) =>
  codePage({
    ...words,
    channel: 'email',
    shownTo: words.userText,
    digits: 6,
    resendAction: '/resend',
    resendAfterSeconds: 30,
    changeAction: '/change',
    ...change,
  });
const findInput = (html: string, name: string) =>
  listElements(html, 'input').find((input) => input.name === name);
const listButtons = (html: string) => listElements(html, 'button').map(({ value }) => value);

describe('requirements for every login page', () => {
  test.each(pages)('the page %s loads resources only from the origin of the page', (_, _kind, make) => {
    const made = make({ ...words, brand: { name: 'Northwind', logoUrl: '/logo.png' } });
    // The redirect page for links redirects once, with a meta element, to the URL of its own link.
    const [, target] = /<a class="button" id="leave" href="([^"]*)"/.exec(made) ?? [];
    const html = made.replace(`<meta http-equiv="refresh" content="0;url=${target}">`, '');
    expect(html).not.toMatch(
      /<(?:iframe|object|embed|base|meta http-equiv)\b|\son\w+=|\sstyle=|@import|url\(/,
    );
    expect(html).not.toMatch(/<(?:script|link|img)[^>]*\s(?:src|href)="(?:https?:)?\/\//);
    expect(listElements(html, 'link')).toEqual([{ rel: 'icon', href: 'data:,' }]);
  });

  test.each(pages)('every field on the page %s has a label', (_, _kind, make) => {
    const html = make({ ...words, error: { key: 'form_expired' } });
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const labelled = listElements(html, 'label').map((label) => label.for);
    const fields = [...listElements(html, 'input'), ...listElements(html, 'select')];
    const shown = fields.filter(({ type }) => type !== 'hidden').map(({ id }) => id);
    expect(shown.toSorted()).toEqual(labelled.toSorted());
    for (const [, described = ''] of html.matchAll(/aria-describedby="([^"]*)"/g))
      for (const id of described.split(' ')) expect(ids).toContain(id);
  });

  test.each(pages.filter(([, kind]) => kind === 'form'))(
    'every form on the page %s is sent by POST with a CSRF token',
    (_, _kind, make) => {
      const forms = listForms(make(words));
      expect(forms.length).toBeGreaterThan(0);
      for (const form of forms) {
        const [{ id: _, ...target } = {}] = listElements(form, 'form');
        expect(target).toEqual({ method: 'post', action: words.action });
        expect(findInput(form, 'csrf')).toEqual({ type: 'hidden', name: 'csrf', value: words.csrf });
      }
    },
  );
});

describe('login page that asks for an identifier', () => {
  test('the identifier page has one input field for both email addresses and phone numbers', () => {
    expect(findInput(identify(['email', 'sms']), 'identifier')).toMatchObject({
      type: 'text',
      inputmode: 'email',
      autocomplete: 'username',
      autocapitalize: 'none',
      spellcheck: 'false',
      required: '',
      autofocus: '',
    });
  });

  test.each([
    [['email'], 'Email address', 'email', 'username'],
    [['link', 'email'], 'Email address', 'email', 'username'],
    [['sms'], 'Phone number', 'tel', 'username'],
    [['sms', 'email'], 'Email or phone number', 'email', 'username'],
  ] as const)(
    'for the login methods %j, the input field has the label %s, the inputmode %s and the autocomplete %s',
    (methods, label, inputmode, autocomplete) => {
      const html = identify(methods);
      expect(html).toContain(`<label for="identifier">${label}</label>`);
      expect(findInput(html, 'identifier')).toMatchObject({ inputmode, autocomplete });
    },
  );

  test('the identifier page of an application with one login method has a Continue button', () => {
    for (const method of ['email', 'sms', 'link'] as const) {
      const html = identify([method]);
      expect(listButtons(html)).toEqual([method]);
      expect(html).toContain(`value="${method}">Continue</button>`);
    }
  });

  test('the identifier page shows three provider buttons and a passkey button, and collapses other alternatives', () => {
    const passkey = { ...passkeyTarget(words), isFirst: false };
    const html = identifyPage({ ...words, methods: ALL_METHODS, passkey });
    const [before = '', behind = ''] = html.split('<details class="ways">');
    expect(listButtons(before)).toEqual(['email', undefined, 'google', 'apple', 'facebook']);
    expect(before).toContain('value="email">Continue</button>');
    const [, , , ...more] = PROVIDERS;
    expect(listButtons(behind.split('</details>')[0] ?? '')).toEqual(['sms', 'link', ...more]);
    expect(visibleText(behind)).toMatch(
      /^\s*More ways\s+Text me a code\s+Email me a link\s+Log in with LINE\s+Log in with Microsoft/,
    );
    // Buttons of login methods that need the address submit the identifier form. Buttons of providers have their own form.
    const [{ id } = { id: '' }] = listElements(html, 'form');
    const others = listElements(html, 'button').filter(({ form }) => form !== undefined);
    expect(others.map(({ form, value }) => [form, value])).toEqual([
      [id, 'sms'],
      [id, 'link'],
    ]);
    for (const provider of ['value="google"', 'value="line"']) {
      const target = listForms(html).find((form) => form.includes(provider)) ?? '';
      expect(listElements(target, 'input').map(({ name }) => name)).toEqual(['csrf']);
    }
  });

  test('the button of a social login provider has the logo and the text that the provider requires', () => {
    const html = identify(ALL_METHODS);
    const buttons = [
      ...html.matchAll(/provider" name="method" value="(\w+)">(<svg.*?<\/svg>)(.*?)<\/button>/g),
    ];
    expect(buttons.map(([, method, , label]) => [method, visibleText(label)?.trim()])).toEqual([
      ['google', 'Continue with Google'],
      ['apple', 'Continue with Apple'],
      ['facebook', 'Continue with Facebook'],
      ['line', 'Log in with LINE'],
      ['microsoft', 'Log in with Microsoft'],
    ]);
    expect(new Set(buttons.map(([, , mark]) => mark)).size).toBe(PROVIDERS.length);
  });

  test('the identifier page never collapses the passkey button or the only alternative login method', () => {
    const passkey = { ...passkeyTarget(words), isFirst: false };
    for (const html of [
      identifyPage({ ...words, methods: ['email'], passkey }),
      identify(['email', 'google']),
    ])
      expect(html).not.toContain('<details');
    const [shown = ''] = identifyPage({ ...words, methods: ['email', 'sms'], passkey }).split('<details');
    expect(visibleText(shown)).toContain('Use a passkey');
    expect(visibleText(shown)).not.toContain('Text me a code');
  });

  test('the identifier page shows all alternative login methods after an error', () => {
    const failed = identifyPage({ ...words, methods: ALL_METHODS, error: { key: 'provider_failed' } });
    expect(failed).toContain('<details class="ways" open>');
  });

  test('the passkey button stays hidden until a script detects passkey support', () => {
    for (const isFirst of [true, false]) {
      const html = identifyPage({
        ...words,
        methods: ['email'],
        passkey: { ...passkeyTarget(words), isFirst },
      });
      expect(findInput(html, 'identifier')).toMatchObject({ autocomplete: 'username webauthn' });
      const [first = '', second = ''] = listForms(html);
      const [passkey, message] = isFirst ? [first, second] : [second, first];
      expect(listElements(passkey, 'input').map(({ name }) => name)).toEqual(['csrf', 'credential']);
      expect(listElements(message, 'input').map(({ name }) => name)).toEqual(['csrf', 'identifier']);
      expect(listElements(html, 'div').find(({ id }) => id === 'passkey')).toMatchObject({ hidden: '' });
      // If the passkey comes first, `<noscript>` tells users of browsers without JavaScript that passkeys need it.
      expect(html.includes('<noscript>')).toBe(isFirst);
    }
  });

  test('every page escapes the data that the user is asked to approve', () => {
    const notice = { customMessage: 'Buy <b>now</b>\nor never', approvalData: { amount: '5 & <i>more</i>' } };
    const channel = { shownTo: words.userText, resendAction: '/r', resendAfterSeconds: 1, notice };
    for (const html of [
      identifyPage({ ...words, methods: ['email'], notice }),
      codePage({ ...words, ...channel, channel: 'sms', digits: 6 }),
      linkSentPage({ ...words, ...channel }),
      secondFactorPage({ ...words, methods: [{ method: 'sms' }], notice }),
      phonePage({ ...words, countries: { all: [] }, notice }),
      continueFormPage({ ...words, notice }),
      registerPasskeyPage({ ...words, ...passkeyTarget(words), laterAction: '/l', isOnly: false, notice }),
    ]) {
      expect(html).toContain('Buy &lt;b&gt;now&lt;/b&gt;\nor never');
      expect(html).toContain('<dt dir="auto">amount</dt><dd dir="auto">5 &amp; &lt;i&gt;more&lt;/i&gt;</dd>');
    }
  });

  test('the page that resumes a login does not tell the user to open an emailed link', () => {
    const html = visibleText(continueFormPage({ ...words, resumes: true }));
    expect(html).toContain('Continue to go back to');
    expect(html).not.toMatch(/link/);
  });

  test('the identifier page offers only the login methods that are enabled', () => {
    expect(visibleText(identify(['email', 'sms', 'link']))).not.toMatch(/passkey|Continue with|\bor\b\n/);
    expect(listForms(identify(['google']))).toHaveLength(2);
    expect(findInput(identify(['google']), 'identifier')).toBeUndefined();
  });

  test('the identifier page keeps an invalid input in the input field', () => {
    const html = identifyPage({
      ...words,
      methods: ['email', 'sms'],
      identifier: 'dana@',
      error: { key: 'identifier_invalid' },
    });
    expect(findInput(html, 'identifier')).toMatchObject({
      value: 'dana@',
      'aria-invalid': 'true',
      'aria-describedby': 'error',
    });
    expect(html).toContain('Enter a valid email address, or a phone number with its country code.');
  });
});

describe('login page that asks for a code', () => {
  test('N131 the code entry page has a single input field with autocomplete="one-time-code"', () => {
    const html = code();
    const visible = listElements(html, 'input').filter(({ type }) => type !== 'hidden');
    expect(visible).toEqual([
      expect.objectContaining({
        name: 'passcode',
        type: 'text',
        inputmode: 'numeric',
        autocomplete: 'one-time-code',
        autofocus: '',
        required: '',
      }),
    ]);
    expect(visible[0]).not.toHaveProperty('maxlength');
  });

  test.each([
    ['042917', true],
    ['4291', true],
    ['042 917', true],
    [' 042-917 ', true],
    ['０４２９１７', true],
    ['0429178', false],
    ['04291a', false],
    ['Your Shop 24 code: 042917', true],
    ['０４２９１７ です', true],
    ['', false],
  ])('the input field for a code accepts %j (expected: %p)', (typed, taken) => {
    const { pattern = '' } = findInput(code({ digits: 6 }), 'passcode') ?? {};
    expect(new RegExp(`^(?:${pattern})$`, 'v').test(typed)).toBe(taken);
  });

  test('N122 the code entry page does not reveal whether an account exists', () => {
    expect(visibleText(code({ allowsSignUp: true }))).toContain('We sent a code to d•••@e•••.com .');
    expect(visibleText(code())).toContain('If d•••@e•••.com has an account, a code is on its way.');
    expect(visibleText(code({ secondFactor: true }))).toContain('We sent a code to d•••@e•••.com .');
  });

  test('the code entry page allows the user to request a new code after a delay', () => {
    const [, resend = '', , change = ''] = listForms(code());
    expect(resend).toContain('action="/resend"');
    expect(listElements(resend, 'button')).toEqual([{ class: 'plain', id: 'resend' }]);
    expect(visibleText(resend)).toContain('Available in 30 seconds');
    expect(resend).toMatch(/<p class="unseen" id="ready" role="status"><\/p>/);
    expect(resend).not.toMatch(/aria-live/);
    expect(change).toContain('action="/change"');
    expect(listForms(code({ changeAction: undefined }))).toHaveLength(3);
    expect(visibleText(code())).toContain('Cancel and go back to Northwind');
  });

  test.each([
    [0, undefined],
    [-3, undefined],
    [0.2, '1 second'],
    [29, '29 seconds'],
    [90, '90 seconds'],
    [91, '2 minutes'],
    [900, '15 minutes'],
    [5401, '2 hours'],
  ])('the code entry page displays a resend delay of %d seconds as %s', (resendAfterSeconds, text) => {
    const shown = />Available in ([^<]*)</.exec(code({ resendAfterSeconds }))?.[1];
    expect(shown).toBe(text);
  });
});

describe('errors on login pages', () => {
  test.each([
    [{ key: 'code_wrong' }, 'That code isn’t right. Check it and try again.', true],
    [{ key: 'code_expired' }, 'That code has expired. Ask for a new one.', true],
    [{ key: 'locked', retryAfterSeconds: 840 }, 'Too many wrong codes. Try again in 14 minutes.', false],
    [{ key: 'rate_limited', retryAfterSeconds: 12 }, 'Too many requests. Try again in 12 seconds.', false],
    [{ key: 'codes_off' }, 'You can’t sign in with a code here for now.', false],
    [{ key: 'send_failed' }, 'The message couldn’t be sent.', false],
    [{ key: 'method_unavailable' }, 'This way to sign in isn’t available.', false],
    [{ key: 'form_expired' }, 'This page was open for too long.', false],
  ] as const)('the code entry page displays a description of the error %j', (error, text, aboutTheField) => {
    const html = code({ error });
    expect(/role="alert">[\s\S]*?<p>([^<]*)<\/p>/.exec(html)?.[1]).toContain(text);
    expect(html).toContain('<title>Error: Check your email</title>');
    const field = findInput(html, 'passcode') ?? {};
    expect(field['aria-describedby']).toBe('error sent');
    expect('aria-invalid' in field).toBe(aboutTheField);
  });

  test('a page shows an error box only if an error occurred', () => {
    const html = code();
    expect(html).not.toMatch(/role="alert"|aria-invalid=|<title>Error/);
    expect(findInput(html, 'passcode')?.['aria-describedby']).toBe('sent');
  });

  test('the error about an invalid phone number asks for the country and a valid number', () => {
    const countries = { all: [{ code: 'US', callingCode: '1' }] };
    const html = phonePage({ ...words, countries, error: { key: 'identifier_invalid' } });
    expect(html).toContain('Choose the country, and enter a valid phone number.');
    expect(findInput(html, 'phone_number')).toMatchObject({
      type: 'tel',
      autocomplete: 'tel',
      inputmode: 'tel',
    });
  });
});

describe('second-factor page, error page and form_post page', () => {
  test('the second-factor page has a button for each available login method', () => {
    const html = secondFactorPage({
      ...words,
      methods: [{ method: 'sms', maskedTo: '••• ••• ••23' }, { method: 'google' }],
      passkey: passkeyTarget(words),
    });
    expect(listButtons(html)).toEqual([undefined, 'sms', 'google']);
    expect(visibleText(html).replace(/\s+/g, ' ')).toContain(
      'Passkey Code by text message ••• ••• ••23 Continue with Google',
    );
  });

  test('an error page shows the ID of the failed request', () => {
    const end = { ...words, reason: 'loginExpired', end: loginExpired, requestId: 'r-1' } as const;
    expect(deadEndPage(end)).not.toMatch(/<form|<a |<script/);
    const links = { home: 'https://app.example.com/?a=1&b=2' };
    const html = deadEndPage({ ...end, brand: { name: 'Northwind', links } });
    expect(listElements(html, 'a').map(({ href }) => href)).toEqual(['https://app.example.com/?a=1&amp;b=2']);
    expect(visibleText(html)).toMatch(/Go to Northwind\s+Request ID: r-1/);
  });

  test('an error page about a rate limit shows how long to wait before retrying', () => {
    const wait = deadEndPage({
      ...words,
      reason: 'rateLimited',
      end: rateLimited,
      requestId: 'r',
      retryAfterSeconds: 42,
    });
    expect(visibleText(wait)).toContain('Try again in 42 seconds.');
    const detail = 'redirect_uri: is unknown';
    const wrong = deadEndPage({
      ...words,
      reason: 'redirectNotAllowed',
      end: redirectNotAllowed,
      requestId: 'r',
      detail,
    });
    expect(visibleText(wrong)).toContain(detail);
  });

  test('the form_post page sends nothing but the response parameters to the redirect URI', () => {
    const parameters = {
      code: 'a&b"c',
      state: '<s>',
      iss: 'https://login.example.com/cis/oidc',
      submit: 'x',
    };
    const html = formPostPage({ language: 'en', redirectUri: `${REDIRECT_URI}?a=1&b=2`, parameters });
    expect(html).toContain(`action="${REDIRECT_URI}?a=1&amp;b=2"`);
    expect(listElements(html, 'input').map(({ name, value }) => [name, value])).toEqual([
      ['code', 'a&amp;b&quot;c'],
      ['state', '&lt;s&gt;'],
      ['iss', 'https://login.example.com/cis/oidc'],
      ['submit', 'x'],
    ]);
    expect(listElements(html, 'button')).toHaveLength(1);
  });

  test.each(['com.example.app:/cb', 'javascript:alert(1)', 'data:text/html,x'])(
    'the form_post page rejects the redirect URI %s',
    (redirectUri) => {
      expect(() => formPostPage({ language: 'en', redirectUri, parameters: {} })).toThrow(
        'Nothing can be posted',
      );
    },
  );
});

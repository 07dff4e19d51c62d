import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findPasscode } from '../../shared/domain/credentials/typed-passcode.ts';
import { codePage } from '../../shared/templates/pages/code-page.ts';
import { formPostPage } from '../../shared/templates/pages/form-post-page.ts';
import { identifyPage } from '../../shared/templates/pages/identify-page.ts';
import { formPageHeaders, formPostPageHeaders } from '../../shared/templates/parts/frame.ts';
import { collectComplaints, describeInBrowser, LOOPBACK, launchChromium } from '../support/tools/chromium.ts';
import { words } from '../templates/pages/support.ts';

interface Answer {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Received {
  readonly path: string;
  readonly fields: Record<string, string>;
}

describeInBrowser('in a browser, a login page', () => {
  let browser: Browser;
  let server: Server;
  let elsewhere: Server;
  let origin = '';
  let otherOrigin = '';
  let page: Page;
  const answers = new Map<string, Answer>();
  const received: Received[] = [];

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const path = request.url ?? '';
      if (request.method === 'POST') {
        received.push({ path, fields: Object.fromEntries(new URLSearchParams(await text(request))) });
        const location = path === '/leave' ? `${otherOrigin}/arrived` : '/arrived';
        response.writeHead(303, { location }).end();
        return;
      }
      const answer = answers.get(path) ?? { html: '<title>Arrived</title>', headers: {} };
      response.writeHead(200, { ...answer.headers, 'content-type': 'text/html; charset=utf-8' });
      response.end(answer.html);
    });
    elsewhere = createServer(async (request, response) => {
      if (request.method === 'POST')
        received.push({
          path: 'elsewhere',
          fields: Object.fromEntries(new URLSearchParams(await text(request))),
        });
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Elsewhere</title>');
    });
    const listening = (one: Server) =>
      new Promise<string>((resolve) =>
        one.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(one.address() as AddressInfo).port}`)),
      );
    [origin, otherOrigin] = await Promise.all([listening(server), listening(elsewhere)]);
    browser = await launchChromium();
    page = await browser.newPage();
  });
  afterAll(async () => {
    server.close();
    elsewhere.close();
    await browser.close();
  });

  async function inContext(
    options: BrowserContextOptions,
    look: (page: Page, complaints: string[]) => Promise<void>,
  ) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await look(page, collectComplaints(page, LOOPBACK)).finally(() => context.close());
  }

  async function open(page: Page, answer: Answer): Promise<void> {
    received.length = 0;
    answers.set('/page', answer);
    await page.goto(`${origin}/page`);
  }

  /** Types keys into the element with `autofocus`, after it has got the focus. */
  async function type(page: Page, keys: string): Promise<void> {
    await page.locator('[autofocus]:focus').waitFor();
    await page.keyboard.type(keys);
  }

  const code = (resendAfterSeconds: number): Answer => ({
    html: codePage({
      ...words,
      action: '/code',
      channel: 'email',
      shownTo: words.userText,
      digits: 6,
      resendAction: '/resend',
      resendAfterSeconds,
      changeAction: '/change',
    }),
    headers: formPageHeaders(words.brand),
  });
  const formPost = (): Answer => {
    const redirectUri = `${otherOrigin}/cb`;
    return {
      html: formPostPage({ language: 'en', redirectUri, parameters: { code: 'abc', submit: 'x' } }),
      headers: formPostPageHeaders(),
    };
  };

  test.each([
    ['typed', async () => type(page, '482 913')],
    [
      'pasted in a message',
      async () => {
        await page.locator('#passcode').fill('Your Shop 24 code: 482913');
      },
    ],
    ['with a dash', async () => type(page, '482–913')],
    ['with a dot', async () => type(page, '482.913')],
    [
      'with a dash that is pasted in a message',
      async () => page.locator('#passcode').fill('Shop 2024: 482–913'),
    ],
  ])(
    'the code entry page submits the form as soon as the user has entered the last digit of a code %s',
    async (_title, enter) => {
      await open(page, code(30));
      const described = await page.locator('#passcode').getAttribute('aria-describedby');
      expect(described?.split(' ')).toContain('sent');
      await enter();
      await page.waitForURL(`${origin}/arrived`);
      expect(received.map(({ fields }) => fields.passcode?.replace(' ', ''))).toEqual(['482913']);
    },
  );

  test.each([true, false])(
    'the code entry page accepts digits of non-Latin scripts (JavaScript enabled: %s)',
    async (javaScriptEnabled) => {
      await inContext({ javaScriptEnabled }, async (other, complaints) => {
        for (const typed of ['٤٨٢٩١٣', '४८२–९१३', '𝟒𝟖𝟐.𝟗𝟏𝟑', 'رمزك في Shop 24 هو ٤٨٢٩١٣']) {
          await open(other, code(30));
          await other.locator('#passcode').fill(typed);
          if (!javaScriptEnabled) await other.keyboard.press('Enter');
          await other.waitForURL('**/arrived');
          expect(findPasscode(received[0]?.fields.passcode ?? '', 6)).toBe('482913');
        }
        expect(complaints).toEqual([]);
      });
    },
  );

  const TEXT_SPACING =
    '*{letter-spacing:.12em!important;word-spacing:.16em!important;line-height:1.5!important}';
  const style = (css: string) =>
    `{const sheet = new CSSStyleSheet(); sheet.replaceSync('${css}'); document.adoptedStyleSheets = [sheet]}`;
  const phone = { viewport: { width: 390, height: 844 } };

  test.each<[string, boolean, BrowserContextOptions, { readonly css?: string; readonly typed?: string }]>([
    ['on a phone', true, phone, {}],
    ['on a phone, with separators between the digits', true, phone, { typed: '48–29 1' }],
    ['on a screen that is 320 px wide', false, { viewport: { width: 320, height: 568 } }, {}],
    ['with forced colours', false, { ...phone, forcedColors: 'active' }, {}],
    ['with larger text spacing set by the user', false, phone, { css: TEXT_SPACING }],
    ['with text that is not a code', false, phone, { typed: 'my code is' }],
    ['with too many digits', false, phone, { typed: '4829134' }],
  ])(
    'the code field shows one cell per digit, or a plain input if the cells do not fit: %s',
    async (_title, hasCells, options, { css, typed }) => {
      await inContext(options, async (page) => {
        await open(page, code(30));
        if (css) await page.evaluate(style(css));
        if (typed) await page.locator('#passcode').fill(typed);
        expect(await page.locator('.cells i:visible').count()).toBe(hasCells ? 6 : 0);
        expect(
          await page.evaluate('document.documentElement.scrollWidth - document.documentElement.offsetWidth'),
        ).toBe(0);
      });
    },
  );

  test('the code entry page shows all digits of a code, and the last digit ends at the right edge of the button', async () => {
    await inContext({ ...phone, javaScriptEnabled: false }, async (page) => {
      await open(page, code(30));
      await type(page, '482913');
      expect(await page.evaluate("document.querySelector('#passcode').scrollLeft")).toBe(0);
      const [cell, button] = [
        page.locator('.cells i').last(),
        page.getByRole('button', { name: 'Continue' }),
      ];
      const [inner, outer] = [await cell.boundingBox(), await button.boundingBox()];
      const right = (box: typeof inner) => Math.round((box?.x ?? 0) + (box?.width ?? 0));
      expect(right(inner)).toBe(right(outer));
    });
  });

  test('the code entry page announces when the user can request another code', async () => {
    await inContext({}, async (page, complaints) => {
      // Pauses the clock, so that the countdown does not continue between two checks.
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(3_600_000);
      await open(page, code(75));
      await page.getByText('Didn’t get it?').click();
      const button = page.getByRole('button', { name: 'Send a new code' });
      const note = page.locator('#wait');
      expect(await button.isDisabled()).toBe(true);
      expect(await note.textContent()).toBe('Available in 1:15');
      await page.clock.runFor(10_000);
      expect(await note.textContent()).toBe('Available in 1:05');
      expect(await page.getByRole('status').textContent()).toBe('');
      await page.clock.runFor(65_000);
      expect(await button.isEnabled()).toBe(true);
      expect(await note.isVisible()).toBe(false);
      expect(await page.getByRole('status').textContent()).toBe('You can ask for a new one now.');
      await button.click();
      await page.waitForURL('**/arrived');
      expect(received.map(({ path }) => path)).toEqual(['/resend']);
      expect(complaints).toEqual([]);
    });
  });

  test('a double click on a button of a login page submits the form only once', async () => {
    await inContext({}, async (page) => {
      await open(page, code(0));
      await type(page, '04291');
      await page.evaluate("{const b = document.querySelector('.button'); b.click(); b.click()}");
      await page.waitForURL('**/arrived');
      expect(received.map(({ path }) => path)).toEqual(['/code']);
    });
  });

  test.each([
    ['the page is shown again', (page: Page) => page.evaluate("dispatchEvent(new Event('pageshow'))")],
    ['the browser goes offline', (page: Page) => page.evaluate("dispatchEvent(new Event('offline'))")],
    ['no page follows for 10 seconds', (page: Page) => page.clock.runFor(10_000)],
  ])('a pressed button looks busy and keeps its size until %s', async (_title, ends) => {
    await inContext({}, async (page) => {
      await page.clock.install();
      await open(page, code(0));
      await page.route('**/code', (route) => route.fulfill({ status: 204 }));
      const button = page.getByRole('button', { name: 'Continue' });
      const before = await button.boundingBox();
      await page.locator('#passcode').fill('04291');
      await page.evaluate("document.querySelector('.button').click()");
      expect(await button.getAttribute('aria-busy')).toBe('true');
      expect(await button.boundingBox()).toEqual(before);
      await ends(page);
      expect(await button.getAttribute('aria-busy')).toBe(null);
    });
  });

  test.each(['no-preference', 'reduce'] as const)(
    'the transition to the next page is animated only if the user allows motion (%s)',
    async (reducedMotion) => {
      await inContext({ reducedMotion }, async (page) => {
        await page.addInitScript(
          "addEventListener('pagereveal', (event) => { window.isAnimated = event.viewTransition !== null })",
        );
        await open(page, code(0));
        answers.set('/arrived', code(0));
        await type(page, '042917');
        await page.waitForURL('**/arrived');
        answers.delete('/arrived');
        // Polls, because `pagereveal` fires only before the first frame of the new page.
        const revealed =
          'new Promise((done) => { const look = () => window.isAnimated === undefined ? requestAnimationFrame(look) : done(window.isAnimated); look() })';
        expect(await page.evaluate(revealed)).toBe(reducedMotion === 'no-preference');
      });
    },
  );

  test('the heading of a login page does not move on the next page or when a section is expanded', async () => {
    await inContext({ viewport: { width: 1280, height: 800 } }, async (page) => {
      const place = async () => {
        const { x, y } = (await page.locator('h1').boundingBox()) ?? {};
        return { x, y };
      };
      await open(page, { html: identifyPage({ ...words }), headers: formPageHeaders(words.brand) });
      const first = await place();
      await page.getByText('More ways').click();
      expect(await place()).toEqual(first);
      await open(page, code(0));
      expect(await place()).toEqual(first);
      // A page with a scrollbar is narrower.
      await page.setViewportSize({ width: 1280, height: 300 });
      expect((await place()).x).toBe(first.x);
    });
  });

  test('the page for response_mode=form_post submits its form automatically', async () => {
    await inContext({}, async (page, complaints) => {
      received.length = 0;
      answers.set('/page', formPost());
      await page.goto(`${origin}/page`, { waitUntil: 'commit' });
      await page.waitForURL(`${otherOrigin}/cb`);
      expect(received).toEqual([{ path: 'elsewhere', fields: { code: 'abc', submit: 'x' } }]);
      expect(complaints).toEqual([]);
    });
  });
});

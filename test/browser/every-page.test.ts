import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { renderMail } from '../../lib/local/emulators/messages/read-message.ts';
import { mailSamples } from '../../lib/preview/messages.ts';
import type { SampleData } from '../../lib/preview/sample.ts';
import { LANGUAGES } from '../../shared/records/languages.ts';
import type { Brand } from '../../shared/templates/parts/brand.ts';
import { examineByAxe } from '../support/tools/axe.ts';
import { collectComplaints, describeInBrowser, LOOPBACK, launchChromium } from '../support/tools/chromium.ts';
import { SEED } from '../support/tools/full-run.ts';
import { headersFor, pages, words } from '../templates/pages/support.ts';

// Every hosted page and email of `lib/preview`, rendered in Chromium with different brands, languages and screen sizes.

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk';
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const texts = { subtitle: LONG, help: 'Call 0800 123', terms: LONG, home: 'Home' };
const uri = 'https://shop.example.com/';
/** Brand that overrides every default setting. */
const branded: Brand = {
  name: 'Northwind',
  primaryColor: '#ffd400',
  primaryColorDark: '#7a1fa2',
  backgroundColor: '#123456',
  backgroundColorDark: '#fedcba',
  cornerRadius: 0,
  font: 'serif',
  logoDataUri: LOGO,
  languagePickerHref: '/login/t1',
  texts: { en: { ...texts, title: 'Welcome' }, de: texts, fr: texts, es: texts, ja: texts, ar: texts },
  links: { help: uri, privacy: uri, home: uri },
};
const plain: Brand = { name: 'Northwind', languagePickerHref: '/login/t1' };
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

interface Sight {
  readonly brand: Brand;
  readonly colorScheme: 'light' | 'dark';
  readonly viewport: typeof PHONE;
  readonly language: SampleData['language'];
  readonly change: object;
}
const sights: readonly Sight[] = [
  { brand: plain, colorScheme: 'light', viewport: PHONE, language: 'en', change: {} },
  { brand: plain, colorScheme: 'dark', viewport: DESKTOP, language: 'ar', change: {} },
  ...(['light', 'dark'] as const).map((colorScheme) => ({
    ...{ brand: branded, colorScheme, viewport: colorScheme === 'light' ? DESKTOP : PHONE },
    ...{ language: 'en' as const, change: { error: { key: 'code_wrong' } } },
  })),
];

/** Script that counts the elements that the Tab key should reach, which are all visible and enabled controls. */
const TABBABLE =
  "[...document.querySelectorAll('a[href],button,input,select,summary')].filter((one) => !one.disabled && one.checkVisibility({ visibilityProperty: true })).length";
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.offsetWidth';

describeInBrowser('in a browser', () => {
  let browser: Browser;
  let server: Server;
  let address = '';
  let page: Page;
  let complaints: string[];
  /** Browser page without JavaScript, 320 px wide. */
  let narrow: Page;
  let shown = { html: '', headers: {} as Readonly<Record<string, string>> };

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(200, { ...shown.headers, 'content-type': 'text/html; charset=utf-8' });
      response.end(shown.html);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    browser = await launchChromium();
    page = await browser.newPage();
    complaints = collectComplaints(page, LOOPBACK);
    narrow = await browser.newPage({ viewport: { width: 320, height: 568 }, javaScriptEnabled: false });
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  async function axeComplaints(): Promise<string[]> {
    const { violations, incomplete } = await examineByAxe(page);
    return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
    );
  }

  /** Presses Tab and returns the number of elements that got the focus. Checks that each of them has a visible outline. */
  async function reachedByTab(atMost: number): Promise<number> {
    await page.evaluate('document.activeElement?.blur()');
    const reached = new Set<number>();
    for (let step = 0; step <= atMost; step += 1) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate<number>(
        "(() => { const one = document.activeElement; if (!one || one === document.body) return -1; return getComputedStyle(one).outlineStyle === 'none' ? -2 : [...document.querySelectorAll('*')].indexOf(one) })()",
      );
      expect(at).not.toBe(-2);
      if (at >= 0) reached.add(at);
    }
    return reached.size;
  }

  test.each(pages)(
    'the page %s is accessible and works with only a keyboard and without JavaScript',
    async (_, kind, make) => {
      // Removes the scripts of pages that submit or redirect automatically, so that the test can examine the page.
      const staying = (html: string) => {
        if (html.includes('id="leave"')) return html.replace(/<(script|noscript)>[\s\S]*?<\/\1>/g, '');
        return kind === 'post' ? html.replace(/<script>[^<]*<\/script>/, '') : html;
      };
      // Tests each page with two of the four settings, so that all pages together cover every setting.
      const turn = pages.findIndex(([, , each]) => each === make) + SEED;
      const seen = sights.filter((_sight, at) => (at + turn) % 2 === 0);
      for (const { brand, colorScheme, viewport, language, change } of seen) {
        complaints.length = 0;
        shown = {
          html: staying(make({ ...words, brand, language, ...change })),
          headers: headersFor(kind, brand),
        };
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await page.goto(address);
        expect(await axeComplaints()).toEqual([]);
        expect(await page.evaluate(OVERFLOW)).toBe(0);
        expect(complaints).toEqual([]);
      }
      const wanted = await page.evaluate<number>(TABBABLE);
      expect(await reachedByTab(wanted)).toBe(wanted);

      // Tests German, which has the longest words, and one of the other languages in turn.
      const others = LANGUAGES.filter((each) => each !== 'de');
      for (const language of ['de', others[turn % others.length] ?? 'en'] as const) {
        const brand = { ...branded, name: LONG };
        shown = {
          html: staying(make({ ...words, brand, language, error: { key: 'code_wrong' } })),
          headers: headersFor(kind, brand),
        };
        await narrow.goto(address);
        expect([language, await narrow.evaluate(OVERFLOW)]).toEqual([language, 0]);
        // Doubles the text size (WCAG 2.2, success criterion 1.4.4).
        await narrow.evaluate("document.documentElement.style.fontSize = '200%'");
        expect([language, await narrow.evaluate(OVERFLOW)]).toEqual([language, 0]);
        const direction = await narrow.evaluate("getComputedStyle(document.querySelector('h1')).direction");
        if (language === 'ar') expect(await narrow.evaluate('document.dir')).toBe('rtl');
        else expect(direction).toBe('ltr');
      }
    },
  );

  test.each(mailSamples)('the email “%s” fits a width of 320 px in every language', async (_, make) => {
    for (const language of LANGUAGES) {
      const mail = await make({ language, applicationName: LONG, brand: { ...branded, name: LONG } });
      shown = { html: await renderMail(mail.raw), headers: {} };
      await narrow.goto(address);
      expect([language, await narrow.evaluate(OVERFLOW)]).toEqual([language, 0]);
    }
  });
});

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

// Every page and mail of lib/preview, in the browsers and settings of different users.

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk';
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const texts = { subtitle: LONG, help: 'Call 0800 123', terms: LONG, home: 'Home' };
const uri = 'https://shop.example.com/';
/** Brand in which every setting differs from the default. */
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

/** Elements that the Tab key reaches. A group of radio buttons has only one, and hidden elements have none. */
const TABBABLE =
  "[...document.querySelectorAll('a[href],button,input,select,summary')].filter((one) => !one.disabled && one.checkVisibility({ visibilityProperty: true })).length";
const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';

describeInBrowser('in a browser', () => {
  let browser: Browser;
  let server: Server;
  let address = '';
  let page: Page;
  let complaints: string[];
  /** Page of a browser without JavaScript that is 320 px wide. */
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

  /** Counts the elements that the Tab key reaches before it leaves the page. Checks that each element has a visible outline. */
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
    'the page %s is accessible and can be used by keyboard without JavaScript',
    async (_, kind, make) => {
      // A page that submits or redirects by itself would be gone before it is examined.
      const staying = (html: string) => {
        if (html.includes('id="leave"')) return html.replace(/<(script|noscript)>[\s\S]*?<\/\1>/g, '');
        return kind === 'post' ? html.replace(/<script>[^<]*<\/script>/, '') : html;
      };
      // Each page gets two of the four settings in turn, so that all pages together cover all four.
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

      // The language with the longest words, and the others in turn.
      const others = LANGUAGES.filter((each) => each !== 'de');
      for (const language of ['de', others[turn % others.length] ?? 'en'] as const) {
        const brand = { ...branded, name: LONG };
        shown = {
          html: staying(make({ ...words, brand, language, error: { key: 'code_wrong' } })),
          headers: headersFor(kind, brand),
        };
        await narrow.goto(address);
        expect([language, await narrow.evaluate(OVERFLOW)]).toEqual([language, 0]);
        // Twice the size of text (WCAG 2.2, 1.4.4).
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

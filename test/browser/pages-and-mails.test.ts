import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { continuePage } from '../../shared/templates/pages/continue-page.ts';
import { textPageHeaders } from '../../shared/templates/parts/frame.ts';
import { collectComplaints, describeInBrowser, LOOPBACK, launchChromium } from '../support/tools/chromium.ts';
import { createContent, readLinkMail } from '../templates/support.ts';

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk';

describeInBrowser('in a browser', () => {
  let browser: Browser;
  let server: Server;
  let origin = '';
  const documents = new Map<string, string>();

  beforeAll(async () => {
    server = createServer((request, response) => {
      const document = documents.get(request.url ?? '');
      const headers = request.url?.startsWith('/mail') ? {} : textPageHeaders({ name: LONG });
      response.writeHead(document === undefined ? 204 : 200, {
        ...headers,
        'content-type': 'text/html; charset=utf-8',
      });
      response.end(document);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    documents.set(
      '/continue',
      continuePage({ language: 'de', brand: { name: LONG }, href: `${origin}/done?code=abc` }),
    );
    documents.set('/done?code=abc', '<title>Arrived</title>');
    documents.set(
      '/mail/given',
      (await readLinkMail({ content: createContent(`${LONG}\n${LONG}`) })).html ?? '',
    );
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  async function opened(
    path: string,
    options: BrowserContextOptions,
    look: (page: Page, complaints: string[]) => Promise<void>,
  ) {
    const context = await browser.newContext({ javaScriptEnabled: false, ...options });
    const page = await context.newPage();
    const complaints = collectComplaints(page, LOOPBACK);
    await page.goto(origin + path);
    await look(page, complaints);
    await context.close();
  }
  const readColour = (page: Page, selector: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);

  test('the Continue page works without JavaScript and complies with its content security policy', async () => {
    await opened('/continue', {}, async (page, complaints) => {
      expect(await readColour(page, 'a.button')).toBe('rgb(37, 87, 214)');
      await page.getByRole('link', { name: 'Weiter' }).click();
      expect(await page.title()).toBe('Arrived');
      expect(complaints).toEqual([]);
    });
  });

  test.each(['/continue', '/mail/given'])(
    'the page %s fits a width of 320 px and has a dark mode',
    async (path) => {
      const narrow = { viewport: { width: 320, height: 640 } };
      const grounds: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const)
        await opened(path, { ...narrow, colorScheme }, async (page, complaints) => {
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.offsetWidth',
          );
          expect(overflow).toBeLessThanOrEqual(0);
          grounds.push(await readColour(page, 'main, td.card'));
          expect(complaints).toEqual([]);
        });
      expect(grounds).toEqual(['rgb(255, 255, 255)', 'rgb(26, 29, 35)']);
    },
  );
});

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { tenantsPage } from '../../functions/console/show.ts';
import { type InvitationStep, invitationPage } from '../../functions/operators/invitation-page.ts';
import { demo } from '../../lib/local/demo.ts';
import { PASSCODE_MAX_TRIES } from '../../shared/domain/basis/limits.ts';
import { enterConsole } from '../support/console.ts';
import { resourceFields } from '../support/fixtures/managed.ts';
import { tokensBy } from '../support/fixtures/tokens.ts';
import { startTestServer, type TestServer } from '../support/server/test-server.ts';
import { chromiumPath } from '../support/tools/chromium-path.ts';

// Takes screenshots of all hosted pages, messages and console screens into a folder: on a phone and a desktop, in light and dark
// mode. Usage: npm run pages:shots -- [<part of a name>…] [--language de] [--out dist/shots]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { language: { type: 'string', default: 'en' }, out: { type: 'string', default: 'dist/shots' } },
});

const DEVICES: Readonly<Record<string, BrowserContextOptions>> = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};
const SCHEMES = ['light', 'dark'] as const;

/** Screen to take, with the URL that opens it. */
interface Screen {
  readonly name: string;
  readonly url: string;
  /** Values of the form that is submitted before the screenshot, by field name. */
  readonly form?: Readonly<Record<string, string>>;
}

const isWanted = ({ name }: Screen) =>
  positionals.length === 0 || positionals.some((part) => name.includes(part));

/** Reads the links of a page from its HTML. */
const readLinks = (html: string, pattern: RegExp) => [
  ...new Set([...html.matchAll(pattern)].map(([, href = '']) => href.replaceAll('&amp;', '&'))),
];

/** Lists the pages and messages of the preview. */
async function listPreview(origin: string): Promise<Screen[]> {
  const gallery = await fetch(`${origin}/_local/preview?language=${values.language}`);
  return readLinks(await gallery.text(), /<a href="(\/_local\/preview\/[^"]+)"/g).map((href) => ({
    name: href.split(/[/?]/)[3] ?? '',
    url: `${origin}${href}`,
  }));
}

/** Creates records for the console, so that its screens show more than empty lists. Returns the ID of a user without problems. */
async function fillConsole(server: TestServer): Promise<string> {
  const [token, admin] = [await server.clientToken(), await server.adminToken()];
  const name = { first_name: 'Ann', last_name: 'Miller' };
  await server.post('/v1/users', { email: 'bo@example.com' }, { token });
  const healthy = { email: 'cleo@example.com' };
  const { body: made } = await server.post<{ result: { user_id: string } }>('/v1/users', healthy, { token });
  await tokensBy(server, 'email', healthy.email);
  await server.post('/v1/users', { email: 'ann@example.com', phone_number: '+12015550123', name }, { token });
  const about = { identifier_type: 'email', identifier: 'ann@example.com' };
  const send = () => server.post('/v1/auth/otp/send', { channel: 'email', ...about }, { token });
  const enter = (passcode: string) =>
    server.post('/v1/auth/otp/authenticate', { passcode, ...about }, { token });
  await send();
  await enter(await server.codeTo(about.identifier));
  await server.faults.inject({ service: 'ses', effect: 'error', code: 'MessageRejected', times: 1 });
  await send();
  await send();
  for (let tries = 0; tries < PASSCODE_MAX_TRIES; tries += 1) await enter(`000000${tries}`);
  const as = { token: admin };
  await server.post('/v1/organizations', { name: 'Example Ltd' }, as);
  await server.post('/v1/resources', resourceFields(), as);
  const webhook = { url: 'https://no-such-name.invalid/hook', events: ['user.*'] };
  const { body } = await server.post<{ result: { webhook_id: string } }>('/v1/webhooks', webhook, as);
  await server.post(`/v1/webhooks/${body.result.webhook_id}/test`, {}, as);
  const invitation = { act: 'inviteOperator', email: 'dana@example.com', role: 'support' };
  await (await enterConsole(server)).post(`/${demo.tenantId}/operators`, invitation);
  await server.settleEvents();
  return made.result.user_id;
}

const dataUrl = (html: string) => `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;

/** Lists the pages and emails for operators that no link leads to. */
async function listOperatorPages(server: TestServer): Promise<Screen[]> {
  const steps: readonly InvitationStep[] = ['accept', 'go-on', 'enrolled', 'elsewhere'];
  const brand = { name: 'Operator console' };
  const mails = (await server.messages()).filter(({ from }) => from?.startsWith(brand.name));
  const session = { secret: 'sample', accessToken: 'sample' };
  const grants = ['Northwind', 'Northwind test'].map((name) => ({
    tenantId: name,
    name,
    role: 'admin' as const,
  }));
  const operator = { email: demo.operator.email, authTime: 0 };
  return [
    ...steps.map((step) => ({
      name: `operator-invitation-${step}`,
      url: dataUrl(invitationPage({ brand, tenantName: 'Northwind', role: 'support', step, action: '#' })),
    })),
    ...mails.map(({ subject, html }, n) => ({
      name: `operator-mail-${n}-${subject?.toLowerCase().replace(/\W+/g, '-')}`,
      url: dataUrl(html ?? ''),
    })),
    ...[grants, []].map((each) => ({
      name: `console-tenants-${each.length}`,
      url: dataUrl(tenantsPage({ ...operator, grants: each }, session).html),
    })),
  ];
}

/** Lists the console screens that no link leads to: errors, results of forms, and searches that find nothing. */
function listFurtherScreens(consoleOrigin: string, healthyId: string): Screen[] {
  const at = (path: string) => `${consoleOrigin}/${demo.tenantId}/${path}`;
  const application = `applications/${demo.applicationId}`;
  return [
    { name: 'console-people-healthy', url: at(`people/${healthyId}`) },
    { name: 'console-people-none-found', url: at('people?beginning=unknown') },
    { name: 'console-deliveries-none-found', url: at('deliveries?to=unknown@example.com') },
    { name: 'console-not-permitted', url: at('people?act=unknown') },
    { name: 'console-no-access', url: `${consoleOrigin}/another-tenant/today` },
    { name: 'console-not-found', url: at('nowhere') },
    { name: 'console-new-secret', url: at(`${application}?act=createClient`), form: { name: 'Shop' } },
    {
      name: 'console-rejected-webhook',
      url: at('webhooks?act=createWebhook'),
      form: { url: 'http://example.com' },
    },
    {
      name: 'console-rejected-look',
      url: at(`${application}?act=updateApplication&page=look`),
      form: { 'brand.primary_color': '#888888', 'brand.on_primary_color': '#777777' },
    },
    {
      name: 'console-rejected-deletion',
      url: at(`${application}?act=deleteApplication`),
      form: { _typed: 'x', _reason: 'x' },
    },
  ];
}

/** Returns the name of a console screen. Screens of the same kind, such as the pages of two people, have the same name. */
function nameConsoleScreen(url: string): string {
  const { pathname, searchParams } = new URL(url);
  const [, , ...segments] = pathname.split('/');
  const kinds = segments.map((segment, index) => (index % 2 === 0 ? segment : 'one'));
  const parts = [
    ...kinds,
    searchParams.get('act'),
    searchParams.get('page'),
    searchParams.get('has_problem'),
  ];
  return `console-${parts.filter(Boolean).join('-')}`;
}

/** Opens a page in which the demo operator is logged in to the console. */
async function openConsole(browser: Browser, origin: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${origin}/_local/console`);
  await page.getByRole('navigation').waitFor();
  return page;
}

/**
 * Lists one console screen of each kind: those that the navigation links to, and the records and forms that these screens and
 * records link to.
 */
async function listConsole(page: Page): Promise<Screen[]> {
  const found = new Map<string, string>();
  const addLinks = async () => {
    const selector = '#main a:not([href^="#"]):not([target]), header nav a';
    const urls = await page.locator(selector).evaluateAll((links) => links.map((link) => String(link)));
    for (const url of urls) {
      const name = nameConsoleScreen(url);
      if (!found.has(name)) found.set(name, url);
    }
  };
  await addLinks();
  // A map also visits the entries that are added meanwhile.
  for (const url of found.values()) {
    await page.goto(url);
    await addLinks();
  }
  return [...found].map(([name, url]) => ({ name, url }));
}

/** Fills in and submits the form of a console page. Opens collapsed parts first, so that their fields can be filled in. */
async function submitForm(page: Page, form: NonNullable<Screen['form']>): Promise<void> {
  for (const [name, value] of Object.entries(form)) {
    const field = page.locator(`form.wide [name="${name}"]`);
    await field.evaluate((element) => {
      for (let part = element.closest('details'); part; part = part.parentElement?.closest('details') ?? null)
        part.open = true;
    });
    await field.fill(value);
  }
  await Promise.all([page.waitForEvent('load'), page.locator('form.wide button.button').click()]);
}

const server = await startTestServer({ rateLimits: 'off', events: true });
const browser = await chromium.launch({
  ...(chromiumPath && { executablePath: chromiumPath }),
  args: ['--no-sandbox'],
});
try {
  const origin = server.url.replace('127.0.0.1', 'localhost');
  const healthyId = await fillConsole(server);
  const wanted = [
    ...(await listConsole(await openConsole(browser, origin))),
    ...listFurtherScreens(server.environment.console_url, healthyId),
    ...(await listOperatorPages(server)),
    ...(await listPreview(origin)),
  ].filter(isWanted);
  mkdirSync(values.out, { recursive: true });
  for (const [device, options] of Object.entries(DEVICES))
    for (const colorScheme of SCHEMES) {
      // Logs in again, because some forms require a login of the last ten minutes.
      const page = await openConsole(browser, origin, { ...options, colorScheme });
      for (const { name, url, form } of wanted) {
        await page.goto(url);
        if (form) await submitForm(page, form);
        const path = join(values.out, `${name}-${device}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true, animations: 'disabled' });
      }
      await page.context().close();
    }
  console.log(`${wanted.length} screens in ${values.out}`);
} finally {
  await browser.close();
  await server.stop();
}

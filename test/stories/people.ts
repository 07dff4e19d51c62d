import { beforeAll, expect } from '@jest/globals';
import { applicationClient } from '../support/fixtures/application-client.ts';
import {
  type ClientOfLogin,
  claimsOf,
  type HostedLogin,
  headingOf,
  hostedLogin,
  leftTo,
} from '../support/fixtures/hosted-login.ts';
import { accountOf, askForOptions } from '../support/fixtures/hosted-passkeys.ts';
import { made, madeApplication, madeClient } from '../support/fixtures/managed.ts';
import { operatorOf } from '../support/fixtures/operators.ts';
import { type CreationAnswer, originOf } from '../support/fixtures/passkeys.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { keptToken, type TokenResponse } from '../support/fixtures/tokens.ts';
import type { TestAnswer, TestServer } from '../support/server/test-server.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import type { BrowserJar, BrowserPage } from '../support/tools/browser-jar.ts';
import { createPasskey, type SoftwarePasskey } from '../support/tools/software-authenticator.ts';

/** The tenant of the stories, and what people and backends do in it: over HTTP, with what comes to mailboxes and phones. */

type Fields = Readonly<Record<string, unknown>>;
type Given = Readonly<Record<string, string>>;

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const CONFIRM = 'Confirm it’s you';
export const ACCOUNT = 'Your account';
export const ADD_NUMBER = 'Add your phone number';
/** How section A refuses an address that is shut out, or not yet given beside another. */
export const SHUT_OUT = { status: 403, body: { error_code: 'additional_factor_required' } };

type Login = TestAnswer<TokenResponse & { readonly message?: string; readonly error_code?: unknown }>;

const isPhone = (to: string) => to.startsWith('+');
const methodOf = (to: string) => (isPhone(to) ? 'sms' : 'email');

/** The `sub` that a login led to; of a refused one its status. */
export const subOf = ({ status, body }: Login): unknown =>
  status === 200 ? claimsOf(body.access_token).sub : status;

export const acrOf = ({ body }: Pick<Login, 'body'>): unknown => claimsOf(body.id_token).acr;

type Client = ClientOfLogin & { readonly appId: string };

/** An application of the tenant by one of its clients: its API, and its pages. */
function placeOf(server: TestServer, login: HostedLogin, client: Client) {
  const api = applicationClient(server, client);
  const identify = (to: string) => ({
    identifier_type: isPhone(to) ? 'phone_number' : 'email',
    identifier: to,
  });

  /** A login on the pages begins. */
  const open = (jar: BrowserJar, change: Given = {}) =>
    jar.open(login.address({ client_id: client.clientId, ...change }));

  /** Answers a page by a code to the address. */
  const openAccount = (jar: BrowserJar) => jar.open(`/account?client_id=${client.clientId}`);
  async function give(page: BrowserPage, to: string, named: Given = {}): Promise<BrowserPage> {
    const asked = await page.submit({ ...named, method: methodOf(to) });
    return asked.submit({ passcode: await server.codeTo(to) });
  }

  /** Section A by a code. */
  async function byCode(to: string, more: Fields = {}): Promise<Login> {
    const sent = await api.post<never>('/v1/auth/otp/send', { channel: methodOf(to), ...identify(to) });
    if (sent.status !== 200) return sent;
    const passcode = await server.codeTo(to);
    return api.post('/v1/auth/otp/authenticate', { passcode, ...identify(to), ...more });
  }

  return {
    ...api,
    ...client,
    byCode,
    give,

    /** Section A by two codes in one session. */
    async byBoth(first: string, second: string): Promise<Login> {
      return byCode(second, { session_id: (await byCode(first)).body.session_id });
    },

    /** Section A by a mailed link. */
    async byLink(to: string): Promise<Login> {
      await api.post('/v1/auth/link/email/send', { redirect_uri: login.redirectUri, ...identify(to) });
      const links = (await server.messages({ to })).flatMap((mail) => mail.links);
      const opened = await server.request(links.find((link) => link.includes('/link/email/open')) ?? '');
      const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code');
      return api.post('/v1/auth/link/email/authenticate', { code });
    },

    open,

    /** A login on the pages, up to what comes after the first code. */
    async onPages(to: string, change: Given = {}, jar = login.browser()): Promise<BrowserPage> {
      return give(await open(jar, change), to, { identifier: to });
    },

    /** The account page of who has just logged in by a code. */
    async account(to: string, jar = login.browser()): Promise<BrowserPage> {
      return give(await openAccount(jar), to, { identifier: to });
    },
    openAccount,

    /** The claims of a login on the pages that has ended. */
    async claimsAt(page: BrowserPage) {
      const { status, body } = await login.exchange(leftTo(page), {}, client);
      expect(status).toBe(200);
      return claimsOf(body.id_token);
    },

    /** A user of the application, whom its backend makes. */
    async make(fields: Fields): Promise<string> {
      const { user_id } = await made<{ user_id: string }>(server, '/v1/users', fields, await api.token());
      return user_id;
    },

    change: async (userId: string, fields: Fields) => api.put(`/v1/users/${userId}`, fields),

    /** Binds a passkey by the token of a user, where that login may. */
    async bind({
      access_token: token,
    }: TokenResponse): Promise<{ status: number; passkey?: SoftwarePasskey }> {
      const path = '/v1/auth/webauthn/register';
      const { status, body } = await server.post<CreationAnswer>(`${path}/start`, {}, { token });
      if (status !== 200) return { status };
      const { result, passkey } = createPasskey(body, originOf(server));
      const json = { webauthn_encoded_result: result };
      return { passkey, status: (await server.post(path, json, { token })).status };
    },

    /** Binds a passkey to the user of an external ID, by the backend's word. */
    async registerExternal(fields: Fields) {
      const start = { client_id: client.clientId, username: 'ann' };
      const { body } = await server.post<CreationAnswer>('/v1/auth/webauthn/register/start', start, {
        headers: { origin: originOf(server) },
      });
      const { result, passkey } = createPasskey(body, originOf(server));
      const json = { webauthn_encoded_result: result, ...fields };
      const answer = await api.post<{ user_id: string; is_user_created: boolean }>(
        '/v1/auth/webauthn/external/register',
        json,
      );
      return { ...answer, passkey };
    },

    /** The answer to a hint of the backend, and the passkey that is made on the page of it. */
    async registerByHint(fields: Fields) {
      const path = '/v1/auth/webauthn/external/register/hosted/hint';
      const json = { redirect_uri: login.redirectUri, ...fields };
      const { status, body } = await api.post<{ register_webauthn_cred_token: string }>(path, json);
      return {
        status,
        async makePasskey(): Promise<SoftwarePasskey> {
          const { register_webauthn_cred_token } = body;
          const query = new URLSearchParams({ register_webauthn_cred_token });
          const jar = login.browser();
          const page = await jar.open(
            `${server.environment.base_url}/hosted/passkey/passkey-registration?${query}`,
          );
          const { result, passkey } = createPasskey(
            (await askForOptions<CreationAnswer>(jar, page)).body,
            originOf(server),
          );
          leftTo(await page.submit({ credential: result }));
          return passkey;
        },
      };
    },
  };
}

export type Place = ReturnType<typeof placeOf>;

const METHODS = { link: {}, email: {}, sms: {}, direct: {}, passkey: {} };

/** An application with a client, made over HTTP. Its backend has no list of permissions unless one is given. */
export async function newPlace(
  server: TestServer,
  { methods = METHODS, ...application }: Fields = {},
  client: Fields = {},
  ofApplication?: string,
): Promise<Place> {
  const { redirect_uris } = server.environment;
  const fields = { redirect_uris, public_signup: true, login_preferences: methods, ...application };
  const appId = ofApplication ?? (await madeApplication(server, { name: 'Side', ...fields }));
  const { client_id: clientId, client_secret: clientSecret } = await madeClient(server, client, appId);
  return placeOf(server, hostedLogin(server), { clientId, clientSecret, appId });
}

/** Another client of an application, with a list of permissions. */
export const clientOf = (server: TestServer, { appId }: Place, permissions: readonly string[]) =>
  newPlace(server, {}, { permissions }, appId);

/** The tenant with one application. */
export function mainOf(server: TestServer): Place {
  const main = {} as Place;
  beforeAll(() => {
    const { client_id: clientId, client_secret: clientSecret, app_id: appId } = server.environment;
    Object.assign(main, placeOf(server, hostedLogin(server), { clientId, clientSecret, appId }));
  });
  return main;
}

/** The tenant with two applications. */
export function useTenant(server = useTestServer({ rateLimits: 'off', events: true })) {
  const main = mainOf(server);
  const side = {} as Place;
  beforeAll(async () => {
    Object.assign(side, await newPlace(server));
    // Until no function remembers a tenant with one.
    await server.advanceClock(61);
  });
  return { server, main, side, ...peopleOf(server, main), ...pagesOf(server, main) };
}

/** People of the main application, and what an operator sees of them. */
export function peopleOf(server: TestServer, main: Place) {
  const login = () => hostedLogin(server);
  /** Gives another address on the account page, and first what else the page asks for. */
  async function replaceOnAccount(page: BrowserPage, to: string, other?: string): Promise<BrowserPage> {
    const action = isPhone(to) ? 'account/phone' : 'account/email';
    const asked = await page.submit({}, action);
    const form = other === undefined ? asked : await main.give(asked, other);
    const code = await form.submit(isPhone(to) ? { phone_number: to } : { identifier: to });
    return code.submit({ passcode: await server.codeTo(to) });
  }
  /** Made with a mailbox and a phone; nothing is proven. */
  async function claimed() {
    const [email, phone] = [newEmail(), newPhoneNumber()];
    return { email, phone, userId: await main.make({ email, phone_number: phone }) };
  }
  /** With a mailbox that they have logged in by. */
  async function withMail(fields: Fields = {}) {
    const email = newEmail();
    const userId = await main.make({ email, ...fields });
    return { email, userId, tokens: (await main.byCode(email)).body };
  }
  const admin = keptToken(() => server.adminToken());
  const asked = async <Body>(path: string) => (await server.get<Body>(path, { token: await admin() })).body;
  const recordOf = async (userId: string) => (await asked<{ result: Fields }>(`/v1/users/${userId}`)).result;
  const passkeysOf = async (userId: string) =>
    (await asked<{ result: readonly Fields[] }>(`/v1/users/${userId}/webauthn-credentials`)).result;
  return {
    claimed,
    withMail,
    replaceOnAccount,
    /** With a mailbox and a phone, which they have given in one login on the pages. */
    async withBoth() {
      const { email, phone, userId } = await claimed();
      const second = await main.onPages(email, { acr_values: 'mfa' });
      leftTo(await main.give(second, phone));
      return { email, phone, userId };
    },
    /** With a mailbox and a passkey that they have made on the pages. */
    async withPasskey() {
      const person = await withMail();
      return { ...person, passkey: await main.registerOnPage(login(), person.email) };
    },
    /** What an operator sees of a user. */
    recordOf,
    passkeysOf,
    /** All that must stay where nothing was changed. */
    async allOf(userId: string) {
      const sessions = await asked<{ session_id: string }[]>(`/v1/auth/users/${userId}/sessions`);
      return {
        user: await recordOf(userId),
        passkeys: await passkeysOf(userId),
        sessions: sessions.map(({ session_id }) => session_id).toSorted(),
      };
    },
    /** An operator with the role `support`, by their calls about one user. Their token lives 15 minutes. */
    async supportFor(userId: string) {
      const operator = await operatorOf(server, 'support');
      const call = (method: 'PUT' | 'DELETE', path: string, fields?: Fields) =>
        server.request<{ readonly result: Fields }>(`/v1/users/${userId}${path}`, {
          method,
          headers: { ...operator.headers(), 'content-type': 'application/json' },
          ...(fields && { body: JSON.stringify(fields) }),
        });
      return {
        set: (fields: Fields) => call('PUT', '', fields),
        grant: () => call('PUT', '/recovery'),
        reportRisk: () => call('PUT', '/phone-risk', { signal: 'sim_swap' }),
        unlock: () => call('DELETE', '/locks'),
      };
    },
    async asOperator(userId: string, fields: Fields) {
      const answer = await server.put(`/v1/users/${userId}`, fields, { token: await admin() });
      // Else its notice may come after that of a later change, and be taken for the newest.
      await server.settleEvents();
      return answer;
    },
  };
}

/** Notices, their links, and the pages behind them. */
export function pagesOf(server: TestServer, main: Place) {
  const login = () => hostedLogin(server);
  const isCode = (code: string) => code.length > 4;

  /** What was said to an address, newest first: messages without a code. */
  async function told(to: string) {
    await server.settleEvents();
    return (await server.messages({ to })).filter(({ codes }) => !codes.some(isCode));
  }
  /** The path of the newest link in a notice that leads to a page where something can be done. */
  async function linkTo(to: string): Promise<string | undefined> {
    const links = (await told(to)).flatMap((mail) => mail.links);
    const link = links.find((each) => each.includes('/notice?'));
    return link === undefined ? undefined : link.slice(new URL(link).origin.length);
  }
  /** Presses the button of the page behind such a link; without one, the page itself. */
  async function press(link: string | undefined, jar = login().browser()): Promise<BrowserPage> {
    const page = await jar.open(link ?? '/notice');
    return page.html.includes('<form') ? page.submit({}, '/notice') : page;
  }
  /** One that has begun already is said at once. */
  async function beginRecovery(page: BrowserPage): Promise<BrowserPage> {
    const asked = await page.submit({}, '/lost');
    return asked.html.includes('/recover"') ? asked.submit({}, '/recover') : asked;
  }
  return {
    told,
    linkTo,
    press,
    browser: () => login().browser(),
    givePasskey: (jar: BrowserJar, page: BrowserPage, passkey: SoftwarePasskey) =>
      accountOf(server, login()).byPasskey(jar, page, passkey),

    offersText: ({ html }: BrowserPage) => html.includes('value="sms"'),
    offersPasskey: ({ html }: BrowserPage) => html.includes('data-options'),

    /** A page that leads on to the other kind: what the link alone does not do. */
    leadsToAnother: (page: BrowserPage) => headingOf(page) === CONFIRM,
    /** The way back behind the notice of a change without a session: first what it shut out, then the new address. */
    async wayBack(link: string | undefined, added: string, former: string): Promise<BrowserPage> {
      const asked = await main.give(await press(link), former, { identifier: former });
      // The mail with the digits says what they let in again, and has no link that would do so.
      const [mail] = (await server.messages({ to: former })).filter(({ codes }) => codes.some(isCode));
      expect(mail?.text).toMatch(/opens your account at Demo again/);
      expect(mail?.links).toEqual([]);
      return main.give(asked, added);
    },
    /** Says on the pages, after a code to the address, that the other kind is lost. */
    async lose(to: string): Promise<BrowserPage> {
      const page = await main.onPages(to, { acr_values: 'mfa' });
      // Where another report came first, there may be nothing left to say.
      return page.html.includes('/lost') ? beginRecovery(page) : page;
    },
    /** Says behind the link of an undo that no other kind is left. */
    async loseBehind(link: string | undefined): Promise<BrowserPage> {
      return beginRecovery(await press(link));
    },
    /** A login's page tells that a kind was said to be lost. */
    tellsOfLoss: ({ html }: BrowserPage) => /lost/i.test(html),
    /** A page says where the kind can be given that this application does not offer. */
    tellsWhere: ({ html, left }: BrowserPage) =>
      /at Demo|in Demo|Demo’s|account page/i.test(`${html} ${left?.searchParams.get('error_description')}`),
  };
}

// Test tenant of the stories, with functions that act as its users, backends and support, and that read the messages sent to
// users.
import { beforeAll, expect } from '@jest/globals';
import { applicationClient } from '../support/fixtures/application-client.ts';
import {
  type ClientOfLogin,
  decodeClaims,
  type HostedLogin,
  hostedLogin,
  leftTo,
  readHeading,
} from '../support/fixtures/hosted-login.ts';
import { askForOptions, createAccountActions } from '../support/fixtures/hosted-passkeys.ts';
import { made, madeApplication, madeClient } from '../support/fixtures/managed.ts';
import { createOperator } from '../support/fixtures/operators.ts';
import { type CreationAnswer, toOrigin } from '../support/fixtures/passkeys.ts';
import { newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { keptToken, type TokenResponse } from '../support/fixtures/tokens.ts';
import type { TestAnswer, TestServer } from '../support/server/test-server.ts';
import { useTestServer } from '../support/server/use-test-server.ts';
import type { BrowserJar, BrowserPage } from '../support/tools/browser-jar.ts';
import { createPasskey, type SoftwarePasskey } from '../support/tools/software-authenticator.ts';

type Fields = Readonly<Record<string, unknown>>;
type Given = Readonly<Record<string, string>>;

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const CONFIRM = 'Confirm it’s you';
export const ACCOUNT = 'Your account';
export const ADD_NUMBER = 'Add your phone number';
/** Response of a one-time code login with a credential that is superseded or cannot log in by itself. */
export const ADDITIONAL_FACTOR_REQUIRED = { status: 403, body: { error_code: 'additional_factor_required' } };

type Login = TestAnswer<TokenResponse & { readonly message?: string; readonly error_code?: unknown }>;

const isPhone = (to: string) => to.startsWith('+');
const toMethod = (to: string) => (isPhone(to) ? 'sms' : 'email');

/** Returns the `sub` of a successful login, or the status of a rejected login. */
export const readSub = ({ status, body }: Login): unknown =>
  status === 200 ? decodeClaims(body.access_token).sub : status;

export const readAcr = ({ body }: Pick<Login, 'body'>): unknown => decodeClaims(body.id_token).acr;

type Client = ClientOfLogin & { readonly appId: string };

/** Returns functions that call the API as an application's client, or visit the hosted pages of the application as a user. */
function createClientActions(server: TestServer, login: HostedLogin, client: Client) {
  const api = applicationClient(server, client);
  const identify = (to: string) => ({
    identifier_type: isPhone(to) ? 'phone_number' : 'email',
    identifier: to,
  });

  /** Opens the first page of a hosted login. */
  const open = (jar: BrowserJar, change: Given = {}) =>
    jar.open(login.address({ client_id: client.clientId, ...change }));

  /** Opens the account page of the application. */
  const openAccount = (jar: BrowserJar) => jar.open(`/account?client_id=${client.clientId}`);
  async function give(page: BrowserPage, to: string, named: Given = {}): Promise<BrowserPage> {
    const asked = await page.submit({ ...named, method: toMethod(to) });
    return asked.submit({ passcode: await server.codeTo(to) });
  }

  /** Requests a one-time code (section A of the API) and logs in with it. */
  async function byCode(to: string, more: Fields = {}): Promise<Login> {
    const sent = await api.post<never>('/v1/auth/otp/send', { channel: toMethod(to), ...identify(to) });
    if (sent.status !== 200) return sent;
    const passcode = await server.codeTo(to);
    return api.post('/v1/auth/otp/authenticate', { passcode, ...identify(to), ...more });
  }

  return {
    ...api,
    ...client,
    byCode,
    give,

    /** Logs in with one-time codes to two addresses in one session. */
    async byBoth(first: string, second: string): Promise<Login> {
      return byCode(second, { session_id: (await byCode(first)).body.session_id });
    },

    /** Requests a magic link (section A of the API) and logs in with it. */
    async byLink(to: string): Promise<Login> {
      await api.post('/v1/auth/link/email/send', { redirect_uri: login.redirectUri, ...identify(to) });
      const links = (await server.messages({ to })).flatMap((mail) => mail.links);
      const opened = await server.request(links.find((link) => link.includes('/link/email/open')) ?? '');
      const code = new URL(opened.headers.get('location') ?? '').searchParams.get('code');
      return api.post('/v1/auth/link/email/authenticate', { code });
    },

    open,

    /** Starts a hosted login and enters a code. Returns the page after the code. */
    async onPages(to: string, change: Given = {}, jar = login.browser()): Promise<BrowserPage> {
      return give(await open(jar, change), to, { identifier: to });
    },

    /** Opens the account page and logs in with a code. Returns the page after the code, usually the account page. */
    async account(to: string, jar = login.browser()): Promise<BrowserPage> {
      return give(await openAccount(jar), to, { identifier: to });
    },
    openAccount,

    /** Exchanges the code of a completed hosted login. Returns the claims of its ID token. */
    async claimsAt(page: BrowserPage) {
      const { status, body } = await login.exchange(leftTo(page), {}, client);
      expect(status).toBe(200);
      return decodeClaims(body.id_token);
    },

    /** Creates a user through the API as the application's backend. Returns the user ID. */
    async make(fields: Fields): Promise<string> {
      const { user_id } = await made<{ user_id: string }>(server, '/v1/users', fields, await api.token());
      return user_id;
    },

    change: async (userId: string, fields: Fields) => api.put(`/v1/users/${userId}`, fields),

    /** Tries to add a passkey with a user's token. Returns the passkey if the login was sufficient, and the HTTP status. */
    async bind({
      access_token: token,
    }: TokenResponse): Promise<{ status: number; passkey?: SoftwarePasskey }> {
      const path = '/v1/auth/webauthn/register';
      const { status, body } = await server.post<CreationAnswer>(`${path}/start`, {}, { token });
      if (status !== 200) return { status };
      const { result, passkey } = createPasskey(body, toOrigin(server));
      const json = { webauthn_encoded_result: result };
      return { passkey, status: (await server.post(path, json, { token })).status };
    },

    /** Registers a passkey by `external/register` as the application's backend, usually for an external ID. */
    async registerExternal(fields: Fields) {
      const start = { client_id: client.clientId, username: 'ann' };
      const { body } = await server.post<CreationAnswer>('/v1/auth/webauthn/register/start', start, {
        headers: { origin: toOrigin(server) },
      });
      const { result, passkey } = createPasskey(body, toOrigin(server));
      const json = { webauthn_encoded_result: result, ...fields };
      const answer = await api.post<{ user_id: string; is_user_created: boolean }>(
        '/v1/auth/webauthn/external/register',
        json,
      );
      return { ...answer, passkey };
    },

    /** Starts a hosted passkey registration. Returns its status, and a function that creates the passkey on the page. */
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
            toOrigin(server),
          );
          leftTo(await page.submit({ credential: result }));
          return passkey;
        },
      };
    },
  };
}

export type ApplicationClient = ReturnType<typeof createClientActions>;

const METHODS = { link: {}, email: {}, sms: {}, direct: {}, passkey: {} };

/** Creates an application with a client through the API. By default, the client's permissions are not restricted. */
export async function createApplicationWithClient(
  server: TestServer,
  { methods = METHODS, ...application }: Fields = {},
  client: Fields = {},
  ofApplication?: string,
): Promise<ApplicationClient> {
  const { redirect_uris } = server.environment;
  const fields = { redirect_uris, public_signup: true, login_preferences: methods, ...application };
  const appId = ofApplication ?? (await madeApplication(server, { name: 'Side', ...fields }));
  const { client_id: clientId, client_secret: clientSecret } = await madeClient(server, client, appId);
  return createClientActions(server, hostedLogin(server), { clientId, clientSecret, appId });
}

/** Creates another client of an application, which has only the given permissions. */
export const createClientFor = (
  server: TestServer,
  { appId }: ApplicationClient,
  permissions: readonly string[],
) => createApplicationWithClient(server, {}, { permissions }, appId);

/** Returns the main application of the tenant. */
export function findMainApplication(server: TestServer): ApplicationClient {
  const main = {} as ApplicationClient;
  beforeAll(() => {
    const { client_id: clientId, client_secret: clientSecret, app_id: appId } = server.environment;
    Object.assign(main, createClientActions(server, hostedLogin(server), { clientId, clientSecret, appId }));
  });
  return main;
}

/** Sets up a tenant with two applications. */
export function useTenant(server = useTestServer({ rateLimits: 'off', events: true })) {
  const main = findMainApplication(server);
  const side = {} as ApplicationClient;
  beforeAll(async () => {
    Object.assign(side, await createApplicationWithClient(server));
    // Waits until no function has cached that the tenant has only one application.
    await server.advanceClock(61);
  });
  return { server, main, side, ...createPeople(server, main), ...createNoticePages(server, main) };
}

/** Returns functions that create users of the main application and read their records as an operator. */
export function createPeople(server: TestServer, main: ApplicationClient) {
  const login = () => hostedLogin(server);
  /** Replaces an address on the account page. Enters a code to `other` as the second factor if `other` is given. */
  async function replaceOnAccount(page: BrowserPage, to: string, other?: string): Promise<BrowserPage> {
    const action = isPhone(to) ? 'account/phone' : 'account/email';
    const asked = await page.submit({}, action);
    const form = other === undefined ? asked : await main.give(asked, other);
    const code = await form.submit(isPhone(to) ? { phone_number: to } : { identifier: to });
    return code.submit({ passcode: await server.codeTo(to) });
  }
  /** Creates a user with an unverified email address and an unverified phone number. */
  async function claimed() {
    const [email, phone] = [newEmail(), newPhoneNumber()];
    return { email, phone, userId: await main.make({ email, phone_number: phone }) };
  }
  /** Creates a user who has logged in with an email code. */
  async function withMail(fields: Fields = {}) {
    const email = newEmail();
    const userId = await main.make({ email, ...fields });
    return { email, userId, tokens: (await main.byCode(email)).body };
  }
  const admin = keptToken(() => server.adminToken());
  const asked = async <Body>(path: string) => (await server.get<Body>(path, { token: await admin() })).body;
  const readRecord = async (userId: string) =>
    (await asked<{ result: Fields }>(`/v1/users/${userId}`)).result;
  const listPasskeys = async (userId: string) =>
    (await asked<{ result: readonly Fields[] }>(`/v1/users/${userId}/webauthn-credentials`)).result;
  return {
    claimed,
    withMail,
    replaceOnAccount,
    /** Creates a user who has verified an email address and a phone number in one hosted login. */
    async withBoth() {
      const { email, phone, userId } = await claimed();
      const second = await main.onPages(email, { acr_values: 'mfa' });
      leftTo(await main.give(second, phone));
      return { email, phone, userId };
    },
    /** Creates a user with a verified email address and a passkey created on the hosted pages. */
    async withPasskey() {
      const person = await withMail();
      return { ...person, passkey: await main.registerOnPage(login(), person.email) };
    },
    readRecord,
    listPasskeys,
    /** Returns the record, passkeys and session IDs of a user, so that a test can check that nothing was changed. */
    async readEverything(userId: string) {
      const sessions = await asked<{ session_id: string }[]>(`/v1/auth/users/${userId}/sessions`);
      return {
        user: await readRecord(userId),
        passkeys: await listPasskeys(userId),
        sessions: sessions.map(({ session_id }) => session_id).toSorted(),
      };
    },
    /**
     * Returns functions that change the user as an operator with the role `support`. The operator's token is valid for 15
     * minutes.
     */
    async supportFor(userId: string) {
      const operator = await createOperator(server, 'support');
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
      // Waits for the notice of this change, so that it does not arrive after the notice of a later change.
      await server.settleEvents();
      return answer;
    },
  };
}

/** Returns functions that read notices, follow their links and use the pages behind them. */
export function createNoticePages(server: TestServer, main: ApplicationClient) {
  const login = () => hostedLogin(server);
  const isCode = (code: string) => code.length > 4;

  /** Returns the messages without a code that were sent to an address, newest first. */
  async function told(to: string) {
    await server.settleEvents();
    return (await server.messages({ to })).filter(({ codes }) => !codes.some(isCode));
  }
  /** Returns the path and query of the link in the newest notice that was sent to an address with a link. */
  async function linkTo(to: string): Promise<string | undefined> {
    const links = (await told(to)).flatMap((mail) => mail.links);
    const link = links.find((each) => each.includes('/notice?'));
    return link === undefined ? undefined : link.slice(new URL(link).origin.length);
  }
  /** Opens the link of a notice and presses the button on its page. Returns the next page, or the page without a button. */
  async function press(link: string | undefined, jar = login().browser()): Promise<BrowserPage> {
    const page = await jar.open(link ?? '/notice');
    return page.html.includes('<form') ? page.submit({}, '/notice') : page;
  }
  /** Reports on the page that the other factor is lost, and confirms the recovery unless it is already pending. */
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
      createAccountActions(server, login()).byPasskey(jar, page, passkey),

    offersText: ({ html }: BrowserPage) => html.includes('value="sms"'),
    offersPasskey: ({ html }: BrowserPage) => html.includes('data-options'),

    /** Returns true if the page behind a notice's link asks for another factor. */
    leadsToAnother: (page: BrowserPage) => readHeading(page) === CONFIRM,
    /**
     * Opens the link of a notice to reinstate a superseded address. Enters a code to the superseded address, and then a code to
     * the new address.
     */
    async wayBack(link: string | undefined, added: string, former: string): Promise<BrowserPage> {
      const asked = await main.give(await press(link), former, { identifier: former });
      // The email with the code says that the code reinstates the address, and contains no link.
      const [mail] = (await server.messages({ to: former })).filter(({ codes }) => codes.some(isCode));
      expect(mail?.text).toMatch(/sign in to Demo with this address again/);
      expect(mail?.links).toEqual([]);
      return main.give(asked, added);
    },
    /** Logs in on the hosted pages with a code to the address, and reports that the other factor is lost. */
    async lose(to: string): Promise<BrowserPage> {
      const page = await main.onPages(to, { acr_values: 'mfa' });
      // After an earlier report, the page may not offer to report the loss again.
      return page.html.includes('/lost') ? beginRecovery(page) : page;
    },
    /** Opens an undo link and reports that the other factor is lost. */
    async loseBehind(link: string | undefined): Promise<BrowserPage> {
      return beginRecovery(await press(link));
    },
    /** Returns true if the page says that a factor was reported as lost. */
    mentionsLoss: ({ html }: BrowserPage) => /lost/i.test(html),
    /** Returns true if the page or error says where the user can use a factor that this application does not offer. */
    tellsWhere: ({ html, left }: BrowserPage) =>
      /at Demo|in Demo|Demo’s|account page/i.test(`${html} ${left?.searchParams.get('error_description')}`),
  };
}

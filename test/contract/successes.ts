import { sign } from 'node:crypto';
import { deliveryTokens } from '../../shared/aws/delivery-tokens.ts';
import { newChallenge } from '../../shared/domain/basis/device-binding.ts';
import { newId, newSecret } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import type { Operation } from '../../shared/operation.ts';
import { newDeviceKey, signProof, toJwk } from '../support/browsers/device-browser.ts';
import {
  made,
  madeApplication,
  madeClient,
  managementSuccesses,
  organizationSuccesses,
  resourceSuccesses,
  webhookSuccesses,
} from '../support/fixtures/managed.ts';
import { operatorSuccesses } from '../support/fixtures/operators.ts';
import {
  type CreationAnswer,
  newPerson,
  registerPasskey,
  startLogin,
  startRegistration,
  toOrigin,
  withBothFactors,
} from '../support/fixtures/passkeys.ts';
import { createUser, deleteOwnAccount, newEmail, newPhoneNumber } from '../support/fixtures/people.ts';
import { newKey } from '../support/fixtures/proofs.ts';
import { someSession } from '../support/server/records.ts';
import type { TestServer } from '../support/server/test-server.ts';
import { ADDED } from '../support/tools/added-row.ts';
import { BrowserJar } from '../support/tools/browser-jar.ts';
import {
  type AnyAnswer,
  authorized,
  type Call,
  createCall,
  type Input,
  logIn,
  rows,
  send,
  smallestInput,
  withHeaders,
} from '../support/tools/calls.ts';
import { createPasskey, usePasskey } from '../support/tools/software-authenticator.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Input of a successful call. The property `token` is set if the call needs the token of a specific user. */
export type Success = Input & {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Returns inputs with which the operations succeed on the given server. */
export function successesAt(server: TestServer) {
  /** Builds a successful call of an operation, with a token that the operation accepts. */
  async function callFor(name: string, { token, headers = {}, ...input }: Success): Promise<Call> {
    const row = rows.find(([each]) => each === name)?.[1];
    if (!row) throw new Error(`no row ${name}`);
    const call = withHeaders(createCall(row, input), headers);
    return token === undefined
      ? authorized(server, row, call)
      : withHeaders(call, { authorization: `Bearer ${token}` });
  }

  const readAnswer = async (name: string, input: Success): Promise<AnyAnswer> =>
    send(server, await callFor(name, input));

  async function readBody(name: string, input: Success): Promise<Fields> {
    return (await readAnswer(name, input)).body as Fields;
  }

  async function newUser(fields: Fields = { email: newEmail() }): Promise<string> {
    return (await createUser(server, fields)).user_id;
  }

  const redirectUri = () => server.environment.redirect_uris[0];
  const ofUser = (userId: string) => ({ identifier_type: 'user_id', identifier: userId });

  async function sentLink(): Promise<Fields> {
    const json = { channel: 'direct', redirect_uri: redirectUri(), ...ofUser(await newUser()) };
    return readBody('sendMagicLink', { json });
  }

  const credentials = () => {
    const { client_id, client_secret } = server.environment;
    return { client_id, client_secret };
  };

  const authorization = () => ({
    ...credentials(),
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: 'openid',
  });

  async function knownEmail(): Promise<string> {
    const email = newEmail();
    await newUser({ email });
    return email;
  }

  async function knownNumber(): Promise<string> {
    const phoneNumber = newPhoneNumber();
    await newUser({ phone_number: phoneNumber });
    return phoneNumber;
  }

  function readSubject(token: string): string {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sub;
  }

  /** Logs a user in on the hosted pages. Returns the authorization code. */
  async function loginCode(): Promise<string> {
    const email = await knownEmail();
    const { client_secret: _, ...request } = authorization();
    const { base_url, issuer } = server.environment;
    const jar = new BrowserJar(new URL(base_url).origin);
    const first = await jar.open(
      `${issuer}/auth?${new URLSearchParams({ ...request, redirect_uri: String(request.redirect_uri) })}`,
    );
    const second = await first.submit({ identifier: email, method: 'email' });
    const done = await second.submit({ passcode: await server.codeTo(email) });
    return done.left?.searchParams.get('code') ?? '';
  }

  async function personWithPasskey() {
    const person = await newPerson(server);
    const { id } = await registerPasskey(server, person);
    return { userId: person.user.user_id, credentialId: id.toString('base64url') };
  }

  /** Creates a user with a passkey. Returns the passkey and a token of a two-factor login, which may remove the passkey. */
  async function ownPasskey() {
    const person = await newPerson(server);
    const passkey = await registerPasskey(server, person);
    const { tokens } = await withBothFactors(server, person, passkey);
    return { token: tokens.access_token, path: { credentialId: passkey.id.toString('base64url') } };
  }

  async function personWithDevice() {
    const { user, tokens } = await newPerson(server);
    const key = newKey();
    const json = { public_key: key.jwk, name: 'Phone' };
    const { result } = await readBody('createDeviceKey', { token: tokens.access_token, json });
    return { userId: user.user_id, token: tokens.access_token, keyId: (result as Fields).key_id, key };
  }

  /** Inputs of successful calls, by operation. Operations that serve pages are tested in test/journeys instead. */
  const successes: Readonly<Record<string, () => Success | Promise<Success>>> = {
    sendMagicLink: async () => ({ json: { redirect_uri: redirectUri(), ...ofUser(await newUser()) } }),
    openMagicLink: async () => ({ query: { code: (await sentLink()).code } }),
    authenticateMagicLink: async () => ({ json: { code: (await sentLink()).code } }),
    sendOtp: async () => ({
      json: {
        ...{ channel: 'email', identifier_type: 'email', identifier: await knownEmail() },
        approval_data: { amount: '5' },
      },
    }),
    authenticateOtp: async () => {
      const user = ofUser(await newUser());
      const { code } = await readBody('sendOtp', { json: { channel: 'direct', ...user } });
      return { json: { passcode: code, ...user } };
    },
    token: () => ({ form: { grant_type: 'client_credentials', ...credentials() } }),
    sendCodeBasedLink: async () => ({ json: { email: await knownEmail(), redirect_uri: redirectUri() } }),
    sendEmailOtp: async () => ({ json: { email: await knownEmail(), redirect_uri: redirectUri() } }),
    validateEmailOtp: async () => {
      const email = await knownEmail();
      await readBody('sendEmailOtp', { json: { email, redirect_uri: redirectUri() } });
      return { json: { email, passcode: await server.codeTo(email) } };
    },
    sendSmsOtp: async () => ({ json: { phone_number: await knownNumber(), redirect_uri: redirectUri() } }),
    validateSmsOtp: async () => {
      const number = await knownNumber();
      await readBody('sendSmsOtp', { json: { phone_number: number, redirect_uri: redirectUri() } });
      return { json: { phone_number: number, passcode: await server.codeTo(number) } };
    },
    logout: () => ({}),
    authenticateSession: async () => ({ json: { session_id: (await logIn(server)).session_id } }),
    logoutSession: async () => ({ json: { session_id: (await logIn(server)).session_id } }),
    bindSession: async () => {
      const binding = { secret: newSecret(), proofs: 0, provenAt: nowSeconds() };
      const at = nowSeconds();
      const ends = { expiresAt: at + 60, endsAt: at + 60 };
      const session = someSession({ userId: newId(), browserHash: newSecret(), binding, ...ends });
      await (await server.ports(['sessions.start'])).sessions.start(session);
      const key = newDeviceKey();
      const challenge = newChallenge(binding, 'registration', at);
      const payload = { jti: challenge, authorization: session.sessionId };
      return { headers: { 'secure-session-response': signProof(key, payload, { jwk: toJwk(key) }) } };
    },
    listSessions: async () => ({ path: { userId: readSubject((await logIn(server)).access_token) } }),
    endSessions: async () => ({ path: { userId: readSubject((await logIn(server)).access_token) } }),
    pushRequest: () => ({ form: authorization() }),
    pushRequestRfc9126: () => ({ form: authorization() }),
    retrieveTokens: async () => ({
      json: { ...credentials(), code: await loginCode(), redirect_uri: authorization().redirect_uri },
    }),
    refresh: async () => ({ json: { refresh_token: (await logIn(server)).refresh_token } }),
    revocation: async () => ({ form: { ...credentials(), token: (await logIn(server)).refresh_token } }),
    introspection: async () => ({ form: { ...credentials(), token: (await logIn(server)).access_token } }),
    userInfo: () => ({}),
    startPasskeyRegistration: async () => ({ json: { user_id: await newUser() } }),
    registerPasskey: async () => {
      const person = await newPerson(server);
      const { result } = createPasskey(await startRegistration(server, person), toOrigin(server));
      return { token: person.tokens.access_token, json: { webauthn_encoded_result: result } };
    },
    registerExternalPasskey: async () => {
      const started = await readBody('startPasskeyRegistration', { json: { user_id: await newUser() } });
      const { result } = createPasskey(started as unknown as CreationAnswer, toOrigin(server));
      return { json: { webauthn_encoded_result: result } };
    },
    hintPasskeyRegistration: async () => ({
      json: { webauthn_identifier: await newUser(), redirect_uri: server.environment.redirect_uris[0] },
    }),
    startPasskeyLogin: () => ({
      json: { client_id: credentials().client_id, approval_data: { amount: '5' } },
    }),
    authenticatePasskey: async () => {
      const passkey = await registerPasskey(server, await newPerson(server));
      const { body } = await startLogin(server, { approval_data: { amount: '5' } });
      return { json: { webauthn_encoded_result: usePasskey(passkey, body, toOrigin(server)) } };
    },
    listPasskeys: async () => ({ path: { userId: (await personWithPasskey()).userId } }),
    renamePasskey: async () => ({ path: await personWithPasskey(), json: { name: 'Phone' } }),
    deletePasskey: async () => ({ path: await personWithPasskey() }),
    listOwnPasskeys: async () => ({ token: (await ownPasskey()).token }),
    renameOwnPasskey: async () => ({ ...(await ownPasskey()), json: { name: 'Phone' } }),
    deleteOwnPasskey: ownPasskey,
    passkeyEndpoints: () => ({}),
    relatedOrigins: () => ({}),
    assetLinks: () => ({}),
    appSiteAssociation: () => ({}),
    createDeviceKey: () => ({ json: { public_key: newKey().jwk, name: 'Phone' } }),
    listDeviceKeys: () => ({}),
    deleteDeviceKey: async () => {
      const { token, keyId } = await personWithDevice();
      return { token, path: { keyId } };
    },
    startApproval: async () => ({ json: { user_id: await newUser(), approval_data: { amount: '5' } } }),
    authenticateApproval: async () => {
      const { userId, keyId, key } = await personWithDevice();
      const { approval_id, challenge } = await readBody('startApproval', {
        json: { user_id: userId, approval_data: { amount: '5' } },
      });
      const options = { key: key.privateKey, dsaEncoding: 'ieee-p1363' } as const;
      const signature = sign('sha256', Buffer.from(String(challenge)), options).toString('base64url');
      return { json: { approval_id, key_id: keyId, signature } };
    },
    jwks: () => ({}),
    discovery: () => ({}),
    createUser: () => ({
      json: {
        email: newEmail(),
        phone_number: newPhoneNumber(),
        username: newEmail('name').replace('@', '.'),
        name: { first_name: 'Ann', last_name: null },
        groups: ['staff'],
        custom_app_data: { nested: { status: 'gold' } },
      },
    }),
    listUsers: () => ({ query: { limit: 1 } }),
    findUsers: async () => {
      const email = newEmail();
      await newUser({ email });
      return { query: { beginning: email } };
    },
    getUser: async () => ({ path: { userId: await newUser() } }),
    exportUser: async () => ({ path: { userId: (await personWithPasskey()).userId } }),
    userTimeline: async () => ({ path: { userId: await newUser() } }),
    reportDelivery: async () => {
      const [sentAt, { user_id: userId }] = [nowSeconds(), await createUser(server, { email: newEmail() })];
      const delivery = { messageId: userId, sent: 'sms', to: newPhoneNumber(), tenantId: 'one' } as const;
      const sealed = { ...delivery, subject: { userId }, sentAt, expiresAt: sentAt + 60 };
      return { json: { token: await deliveryTokens(process.env).seal(sealed), status: 'delivered' } };
    },
    listDeliveries: () => ({ query: { to: newEmail() } }),
    getUserByUsername: async () => {
      const username = newEmail('name').replace('@', '.');
      await newUser({ username });
      return { path: { username } };
    },
    getUserByEmail: async () => {
      const email = newEmail();
      await newUser({ email });
      return { path: { email } };
    },
    getUserByPhoneNumber: async () => {
      const phoneNumber = newPhoneNumber();
      await newUser({ phone_number: phoneNumber });
      return { path: { phoneNumber } };
    },
    updateUser: async () => ({ path: { userId: await newUser() }, json: { status: 'Disabled' } }),
    deleteUser: async () => ({ path: { userId: await newUser() } }),
    setPhoneRisk: async () => ({
      path: { userId: await newUser({ phone_number: newPhoneNumber() }) },
      json: { signal: 'sim_swap' },
    }),
    unlockUser: async () => ({ path: { userId: await newUser() } }),
    readTestCode: async () => {
      const appId = await madeApplication(server, {
        test_identities: true,
        login_preferences: { email: {} },
      });
      const client = await madeClient(
        server,
        { permissions: ['users:test', 'users:create', 'auth:execute'] },
        appId,
      );
      const token = await server.clientToken({
        clientId: client.client_id,
        clientSecret: client.client_secret,
      });
      const user = { email: newEmail('x').replace('@', '+1@'), test: true };
      const { user_id: userId } = await made<{ user_id: string }>(server, '/v1/users', user, token);
      const send = { identifier_type: 'user_id', identifier: userId, channel: 'email' };
      await server.post('/v1/auth/otp/send', send, { token });
      return { token, path: { userId } };
    },
    grantRecovery: async () => ({ token: await server.adminToken(), path: { userId: await newUser() } }),
    cancelErasure: async () => {
      const userId = await newUser();
      await deleteOwnAccount(server, userId, nowSeconds());
      return { path: { userId } };
    },
    clearPhoneRisk: async () => ({ path: { userId: await newUser({ phone_number: newPhoneNumber() }) } }),
    ...resourceSuccesses(() => server),
    ...managementSuccesses(() => server),
    ...webhookSuccesses(() => server),
    ...organizationSuccesses(() => server),
    ...operatorSuccesses(() => server),
    health: () => ({}),
    openapi: () => ({}),
    [ADDED]: () => smallestInput(rows.find(([name]) => name === ADDED)?.[1] as Operation),
  };

  return { successes, callFor, readAnswer };
}

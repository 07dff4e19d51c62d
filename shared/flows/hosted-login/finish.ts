import { awaitAll } from '../../domain/basis/await-all.ts';
import { findSessionOfCookie, type LoginCookie, withBoundCookie } from '../../domain/basis/browser.ts';
import { newDeviceBinding } from '../../domain/basis/device-binding.ts';
import { USER_AGENT_MAX } from '../../domain/basis/limits.ts';
import { omitUndefined } from '../../domain/basis/omit-undefined.ts';
import { newSecret } from '../../domain/basis/random.ts';
import { createConsumption, restoreOnFailure } from '../../domain/credentials/authentication-proof.ts';
import { unsealAddress } from '../../domain/hosted-login/login-transaction.ts';
import { normaliseIdentifier } from '../../domain/identifiers/identifier.ts';
import { provenAddress } from '../../domain/identifiers/proven-address.ts';
import { type AuthorizationResponse, buildCodeResponse } from '../../domain/oauth/authorization-answer.ts';
import { createAuthorizationCode } from '../../domain/oauth/authorization-code.ts';
import type { AuthorizationRequest } from '../../domain/oauth/authorization-request.ts';
import { buildLoginFacts } from '../../domain/oauth/code-facts.ts';
import { type ConsentPorts, grantConsent } from '../../domain/oauth/consent.ts';
import { requireMembership } from '../../domain/organizations/membership.ts';
import { sealArtifacts } from '../../domain/passkeys/sealed-artifacts.ts';
import {
  addMethods,
  type BrowserSession,
  newBrowserSession,
  startInBrowser,
} from '../../domain/sessions/browser-session.ts';
import { requireLoginUser } from '../../domain/users/login-user.ts';
import { type PendingIdentity, sealSignUp } from '../../domain/users/sign-up.ts';
import { isServerError, ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { AuditEvent } from '../../ports/audit.ts';
import type { MethodUse } from '../../ports/flows.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { channels, toChannel } from '../../records/channels.ts';
import type { AccountResult } from '../../schemas/account.ts';
import {
  type BrowserResponse,
  loginCookie,
  passkeyCookie,
  returnErrorToClient,
  returnToClient,
} from '../browser/browser-response.ts';
import { LOGIN_HOST, offerBinding } from '../browser/device-binding-answer.ts';
import type { LoginContext } from './login-context.ts';
import { openPhone } from './prove-phone.ts';

export type FinishPorts = PortsWith<
  | 'loginTransactions.find'
  | 'loginTransactions.finish'
  | 'loginTransactions.reopen'
  | 'sessions.find'
  | 'sessions.join'
  | 'sessions.releaseBrowser'
  | 'sessions.start'
  | 'users.find'
  | 'users.recordLogin'
  | 'codes.put'
  | 'memberships'
  | 'organizations'
  | 'knownDevices.remember'
> &
  ConsentPorts;

type Audit = (context: AuditContext) => void;

/**
 * Session to which a finished login belongs: the session to which the login adds a factor, otherwise a new session. A new
 * session has a new ID, to prevent session fixation.
 */
interface LoginSession {
  readonly sessionId: string;
  /** Stores the session. Resolves to the session with a new secret for its browser. */
  readonly save: (ports: FinishPorts) => Promise<BrowserSession>;
}

function prepareSession(context: LoginContext, userId: string): LoginSession {
  const { login, tenant, application, client, cookieSession: former, settings, userAgent, now } = context;
  const { proven, held, generation } = login.progress;
  if (held) {
    const current = withBoundCookie(held, former);
    return { sessionId: held.sessionId, save: (ports) => addToSession(ports, current, proven, now) };
  }
  const { tenantId } = tenant;
  const { applicationId } = application;
  const owner = {
    userId,
    tenantId,
    applicationId,
    clientId: client.clientId,
    methods: proven,
    generation,
  };
  const device = userAgent === undefined ? {} : { userAgent: userAgent.slice(0, USER_AGENT_MAX) };
  const binding = newDeviceBinding(settings, now);
  const started = newBrowserSession(owner, application, now, { ...device, ...binding });
  const save = async (ports: FinishPorts) => {
    await startInBrowser(ports, started.session, former);
    return started;
  };
  return { sessionId: started.session.sessionId, save };
}

/**
 * Adds proofs to a session and gives its browser a new secret. Throws `session_not_found` if the session has ended, or if
 * another request has replaced the secret since the login began.
 */
async function addToSession(
  ports: FinishPorts,
  held: LoginCookie,
  methods: readonly MethodUse[],
  now: number,
): Promise<BrowserSession> {
  const secret = newSecret();
  const session = await findSessionOfCookie(ports, held, now);
  if (!session || !(await addMethods(ports, session, { uses: methods, secret, at: now })))
    throw new ServiceError('session_not_found');
  return { session, secret };
}

/** Number of characters of a browser's hash in the log: enough to distinguish a user's browsers, too few to identify one. */
const BROWSER_IN_LOG = 16;

/** Encrypts a pending sign-up with a key derived from the authorization code. Returns undefined for an existing user. */
function pendingSignUp(context: LoginContext, code: string): string | undefined {
  const { browser, login } = context;
  const { sealedSignUp, sealedPhone, proven, newPasskey: passkey } = login.progress;
  if (sealedSignUp === undefined) return undefined;
  const phoneNumber = sealedPhone === undefined ? undefined : openPhone(context, sealedPhone).value;
  if (proven[0]?.method === 'social') {
    const identity = JSON.parse(unsealAddress(browser, sealedSignUp)) as PendingIdentity;
    return sealSignUp(code, { ...identity, phoneNumber, passkey });
  }
  const channel = toChannel(proven[0]?.method);
  const type = channel && channels[channel].address;
  const address = type && normaliseIdentifier(type, unsealAddress(browser, sealedSignUp));
  if (!address) throw new Error('the address of a sign-up was proven, so it can be read');
  return sealSignUp(code, { type, value: address.value, phoneNumber, passkey });
}

interface Consented {
  readonly request: AuthorizationRequest;
  readonly events: readonly AuditEvent[];
}

/** Stores a user's consent to a client with a metadata document, before the code that relies on the consent is stored. */
async function giveAnswer(
  ports: ConsentPorts,
  { login, tenant, application, client, now }: LoginContext,
  userId: string,
): Promise<Consented> {
  const { request, progress } = login;
  const { consent } = request;
  const { answer } = progress;
  if (!consent || !answer) return { request, events: [] };
  const { tenantId } = tenant;
  const { applicationId } = application;
  const owner = { userId, tenantId, applicationId, clientId: client.clientId };
  const asked = { ...request, consent };
  const { consentId, isNewClient } = await grantConsent(ports, { ...owner, request: asked, answer, now });
  const events = isNewClient ? (['grant.given', 'grant.new_client'] as const) : (['grant.given'] as const);
  return { request: { ...request, consentId }, events };
}

/** Stores the code, the session and the known browser, in parallel. Throws `membership_missing` or `session_not_found`. */
async function store(
  ports: FinishPorts,
  context: LoginContext,
  userId: string,
  earlier: readonly MethodUse[],
): Promise<{ readonly code: string; readonly saved: BrowserSession } & Pick<Consented, 'events'>> {
  const { login, tenant, browser, now } = context;
  const { progress } = login;
  await requireMembership(ports, tenant.tenantId, userId, login.request.organizationId);
  const { request, events } = await giveAnswer(ports, context, userId);
  const session = prepareSession(context, userId);
  const code = newSecret();
  const sealedSignUp = pendingSignUp(context, code);
  const facts = buildLoginFacts(context, request, {
    userId,
    methods: [...earlier, ...progress.proven],
    joinsSession: session.sessionId,
    deliveredToHash: progress.deliveredToHash,
    generation: progress.generation,
    sealedSignUp,
    sealedArtifacts: progress.artifacts && sealArtifacts(code, progress.artifacts),
  });
  // During sign-up, there is no user yet for whom the browser could be remembered.
  const userExists = sealedSignUp === undefined;
  const [saved] = await awaitAll<[BrowserSession, unknown, unknown]>(
    session.save(ports),
    ports.codes.put(createAuthorizationCode(facts, now, undefined, code).record),
    userExists ? ports.knownDevices.remember(userId, browser.hash, now) : Promise.resolve(),
  );
  return { code, saved, events };
}

/**
 * Stores a login to the account page. The login needs no code, so this function also records the login, as a code exchange
 * would. Errors: `user_not_active`, `session_not_found`.
 */
async function storeForAccount(
  ports: FinishPorts,
  context: LoginContext,
  userId: string,
): Promise<BrowserSession> {
  const { login, tenant, browser, now: at } = context;
  const { deliveredToHash } = login.progress;
  const user = await requireLoginUser(ports, tenant.tenantId, userId);
  const proven = provenAddress(tenant, user, deliveredToHash);
  const noted = { userId, at, generations: user.generations, proven };
  if (!(await ports.users.recordLogin(noted))) throw new ServiceError('user_not_active');
  const [saved] = await awaitAll(
    prepareSession(context, userId).save(ports),
    ports.knownDevices.remember(userId, browser.hash, at),
  );
  return saved;
}

function requireExpectedUser({ login: { request } }: LoginContext, userId: string): void {
  if (request.expectedUserId !== undefined && request.expectedUserId !== userId)
    throw new ServiceError('access_denied', { message: 'id_token_hint: names another user' });
}

/** Returns the credential that a login has added, for the confirmation on the account page. Undefined if it added none. */
function accountResult({ login: { progress } }: LoginContext): AccountResult | undefined {
  if (progress.newPasskey) return 'passkey.added';
  if (progress.addedEmail) return 'email';
  if (progress.sealedPhone !== undefined) return 'phone';
  return progress.connected && 'identity.added';
}

async function storeAndAnswer(
  ports: FinishPorts,
  context: LoginContext,
  userId: string,
  earlier: readonly MethodUse[],
): Promise<
  { readonly answer: AuthorizationResponse; readonly saved: BrowserSession } & Pick<Consented, 'events'>
> {
  const { request } = context.login;
  requireExpectedUser(context, userId);
  if (request.account) {
    const saved = await storeForAccount(ports, context, userId);
    const result = accountResult(context);
    const parameters = result === undefined ? {} : { result };
    return { saved, answer: { target: request, parameters }, events: [] };
  }
  const { code, saved, events } = await store(ports, context, userId, earlier);
  return { saved, events, answer: buildCodeResponse(request, code, context.settings.issuer) };
}

/** Returns the cookie that stores whether the user used, created or declined a passkey in this login. */
function answeredOffer(context: LoginContext, userId: string): readonly string[] {
  const { offered, passkeyId, newPasskey } = context.login.progress;
  const has = passkeyId !== undefined || newPasskey !== undefined;
  return has || offered ? [passkeyCookie(context, { userId, has })] : [];
}

/**
 * Ends a login exactly once. Stores its session and code, sets the session cookie and returns the code to the client. If the
 * service fails, the login is reopened with its proofs. Errors: `login_not_found`.
 */
export async function finishLogin(
  ports: FinishPorts,
  context: LoginContext,
  earlier: readonly MethodUse[],
  audit: Audit,
): Promise<BrowserResponse> {
  const { login, tenant } = context;
  const { progress, request } = login;
  const { userId } = progress;
  if (userId === undefined) throw new Error('a login without a user cannot end');
  const consumption = createConsumption((holder) =>
    ports.loginTransactions.reopen(login.transaction, holder),
  );
  return restoreOnFailure(consumption, async () => {
    await endLogin(ports, context, consumption.holder);
    try {
      const { answer, saved, events } = await storeAndAnswer(ports, context, userId, earlier);
      const browser = context.browser.hash.slice(0, BROWSER_IN_LOG);
      // Without a new proof, the user was already logged in and has only answered the consent page.
      const login: readonly AuditEvent[] = progress.proven.length > 0 ? ['login.succeeded'] : [];
      // Names the code or link of this login even if the login ends in a later request, such as the answer to a passkey offer.
      const channel = progress.proven.map(({ method }) => toChannel(method)).findLast(Boolean);
      const { sessionId } = saved.session;
      audit(
        omitUndefined<AuditContext>({ userId, sessionId, browser, channel, events: [...login, ...events] }),
      );
      // Without a new proof, a copied login cookie would suffice to bind the session to another device.
      const offer =
        progress.proven.length > 0 ? offerBinding(LOGIN_HOST, saved.session, context.now) : undefined;
      return returnToClient(answer, context, {
        headers: offer?.headers ?? {},
        cookies: [loginCookie(tenant, saved), ...(offer?.cookies ?? []), ...answeredOffer(context, userId)],
      });
    } catch (error) {
      if (isServerError(error)) throw error;
      return returnErrorToClient(error, request, context, audit);
    }
  });
}

/** Ends a passkey registration that a client started, and redirects to the client. Errors: `login_not_found`. */
export async function finishEnrolment(
  ports: PortsWith<'loginTransactions.finish'>,
  context: LoginContext,
): Promise<BrowserResponse> {
  const { request, progress } = context.login;
  const { enrolment } = request;
  const { newPasskey, userId } = progress;
  if (!enrolment || !newPasskey || userId === undefined)
    throw new Error('a registration without a passkey cannot end');
  await endLogin(ports, context);
  const parameters = omitUndefined<{
    readonly user_identifier: string;
    readonly external_user_id?: string;
    readonly credential_id: string;
    readonly is_user_created?: string;
  }>({
    user_identifier: enrolment.userName,
    external_user_id: enrolment.externalUserId,
    credential_id: newPasskey.credentialId,
    is_user_created: progress.userCreated && 'true',
  });
  const answer = { target: request, parameters: { ...parameters } };
  return returnToClient(answer, context, { cookies: answeredOffer(context, userId) });
}

/** Ends a login. Exactly one of several concurrent calls succeeds. The others throw `login_not_found`. */
export async function endLogin(
  ports: PortsWith<'loginTransactions.finish'>,
  { login, now }: LoginContext,
  holder?: string,
): Promise<void> {
  if (!(await ports.loginTransactions.finish(login.transaction.hash, now, holder)))
    throw new ServiceError('login_not_found');
}

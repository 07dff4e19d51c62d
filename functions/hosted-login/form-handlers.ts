import { configuredChannels, sendsTo } from '../../shared/domain/credentials/login-preferences.ts';
import { withOffer } from '../../shared/domain/hosted-login/login-passkey.ts';
import { saveProgress, unsealAddress } from '../../shared/domain/hosted-login/login-transaction.ts';
import { normaliseIdentifier } from '../../shared/domain/identifiers/identifier.ts';
import { identifierHash } from '../../shared/domain/identifiers/identifier-hash.ts';
import {
  findAlternativeNumber,
  isNationalNumber,
  toE164InCountry,
} from '../../shared/domain/identifiers/phone-number.ts';
import { splitWords } from '../../shared/domain/oauth/authorization-request.ts';
import { isProvider } from '../../shared/domain/social/provider.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserResponse } from '../../shared/flows/browser/browser-response.ts';
import { continueByPage } from '../../shared/flows/browser/foreign-redirect.ts';
import { canContinueAt } from '../../shared/flows/hosted-login/accepted-proofs.ts';
import { abortLogin, advance } from '../../shared/flows/hosted-login/advance.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { deriveCurrentState, type LoginState } from '../../shared/flows/hosted-login/login-state.ts';
import { findNewSession } from '../../shared/flows/hosted-login/new-session.ts';
import {
  findLockedCode,
  loginPath,
  type Refusal,
  readLockSeconds,
  redirectToPage,
  showNumberPage,
  showPage,
  showState,
} from '../../shared/flows/hosted-login/show-page.ts';
import { toAddressAuditContext } from '../../shared/flows/sending/message-facts.ts';
import type { OperationPorts, OperationRequest } from '../../shared/operation.ts';
import type { ProviderName } from '../../shared/ports/providers.ts';
import {
  type AddressType,
  type Channel,
  channels,
  isChannel,
  sendsCode,
} from '../../shared/records/channels.ts';
import { toPlainName } from '../../shared/records/providers.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import { askForRecovery, requestRecovery, tryCancelRecovery } from './recovery.ts';
import { answerProof, type ProofOutcome } from './resolve.ts';
import type { loginAct as operation } from './rows.ts';
import { type SendRequest, sendCredential } from './send.ts';
import { verifyLink, verifyPasscode } from './verify-code.ts';

type Ports = OperationPorts<typeof operation>;
type Input = OperationRequest<typeof operation>;

/** Function that handles one form of the login pages. */
type FormHandler = (ports: Ports, context: LoginContext, input: Input) => Promise<BrowserResponse>;

/** Returns the page error for a failure that the user can correct. Rethrows all other errors. */
function toPageError(error: unknown): PageError {
  if (!(error instanceof ServiceError)) throw error;
  if (error.key === 'rate_limited')
    return { key: 'rate_limited', retryAfterSeconds: error.detail.retryAfterSeconds ?? 60 };
  if (error.key === 'external_provider_configuration_error' || error.key === 'recipient_unreachable')
    return { key: 'send_failed' };
  throw error;
}

/**
 * Returns the page error for an address whose codes are locked in this login after wrong attempts. A new code would also be
 * locked.
 */
function lockError(
  context: LoginContext,
  { channel, address }: SendRequest,
  audit: Input['audit'],
): PageError | undefined {
  if (!sendsCode(channel)) return undefined;
  const identifier = normaliseIdentifier(channels[channel].address, address);
  const closed = identifier && findLockedCode(context, identifierHash(context.tenant, identifier));
  if (!identifier || !closed) return undefined;
  const refused = { ...toAddressAuditContext(context.tenant, identifier), refusal: 'wrong_codes' } as const;
  if (closed.isFinal) {
    audit(refused);
    return { key: 'codes_off' };
  }
  const retryAfterSeconds = closed.until - context.now;
  audit({ ...refused, retryAfterSeconds });
  return { key: 'locked', retryAfterSeconds };
}

/**
 * Sends a code or link, saves it as pending in the login, and redirects to the page that asks for the code or link. Shows
 * failures on the current page.
 */
async function send(
  ports: Ports,
  context: LoginContext,
  wanted: SendRequest,
  { form, audit }: Input,
): Promise<BrowserResponse> {
  const feedback = { typed: wanted.address, country: form.country };
  const closed = lockError(context, wanted, audit);
  if (closed) return showPage(ports, context, { error: closed, ...feedback });
  const sent = await sendCredential(ports, context, wanted, audit).catch((error: unknown) => {
    if (error instanceof ServiceError) audit({ ...error.detail.audit, result: error.key });
    return { error: toPageError(error) };
  });
  if ('error' in sent) return showPage(ports, context, { error: sent.error, ...feedback });
  // If another tab has advanced the login first, the page shows that tab's progress.
  await saveProgress(ports, context, { ...context.login.progress, pending: sent.pending });
  return redirectToPage(context);
}

const takesNumber = (channel: Channel) => channels[channel].address === 'phone_number';

/**
 * Returns the channel by which to send a message, which is the channel of the pressed button with one exception. The Enter key
 * presses the first button, even if that button is for email and the user typed a phone number. The message then goes to that
 * number.
 */
function readChannel(
  { application }: LoginContext,
  method: string | undefined,
  typed: string,
): Channel | undefined {
  if (!isChannel(method) || takesNumber(method)) return isChannel(method) ? method : undefined;
  const [toNumber] = configuredChannels(application, 'phone_number');
  const isNumber = normaliseIdentifier('phone_number', typed) !== undefined;
  return isNumber && toNumber ? toNumber : method;
}

/**
 * Responds with a page that navigates to our own URL for the provider. The form's response cannot redirect to that URL, because
 * the browser would then continue to the provider's host. Only the function behind that URL may call providers.
 */
function leaveForProvider({ login, language, brand }: LoginContext, provider: ProviderName): BrowserResponse {
  const href = loginPath(login.loginId, `with/${toPlainName(provider)}`);
  return { ...continueByPage({ language, brand, href, provider }), cookies: [] };
}

/**
 * Handles the first form: sends a code or link to the address, leads to a provider, or asks the user to correct an ambiguous
 * number.
 */
const submitIdentifier: FormHandler = async (ports, context, input) => {
  const { identifier: typed = '', method, country } = input.form;
  if (isProvider(method)) return leaveForProvider(context, method);
  const address = toE164InCountry(typed, country);
  const channel = readChannel(context, method, address);
  if (!channel || context.login.progress.userId !== undefined)
    return showPage(ports, context, { error: { key: 'method_unavailable' }, typed });
  if (sendsTo(context.application, 'phone_number') && isNationalNumber(address))
    return showNumberPage(context, {
      error: country === undefined ? undefined : { key: 'identifier_invalid' },
      typed,
      country,
    });
  const meant = findAlternativeNumber(typed, country);
  if (takesNumber(channel) && meant !== undefined)
    return showNumberPage(context, { error: { key: 'number_ambiguous' }, typed: meant, country });
  if (takesNumber(channel) && normaliseIdentifier('email', address))
    return showPage(ports, context, { error: { key: 'number_needed' }, typed });
  return send(ports, context, { channel, address }, input);
};

/** Handles the choice of a method: for the second factor, or to verify the user's email address. */
const chooseMethod: FormHandler = async (ports, context, input) => {
  const { state } = await deriveCurrentState(ports, context);
  const { method } = input.form;
  if (isProvider(method) && canContinueAt(state, method)) return leaveForProvider(context, method);
  const open = state.kind === 'second-factor' || state.kind === 'email' ? state.open : [];
  const factor = open.find((each) => each.method === method);
  if (!factor) return showState(context, state, { error: { key: 'method_unavailable' } });
  return send(ports, context, { channel: factor.method, address: factor.address }, input);
};

/** Sends a code to a phone number that the user adds during the login. */
const submitNumber: FormHandler = async (ports, context, input) => {
  const { state } = await deriveCurrentState(ports, context);
  if (state.kind !== 'number') return redirectToPage(context);
  const { phone_number: typed = '', country } = input.form;
  const meant = findAlternativeNumber(typed, country);
  if (meant !== undefined)
    return showPage(ports, context, { error: { key: 'number_ambiguous' }, typed: meant, country });
  const address = toE164InCountry(typed, country);
  const [channel = 'sms'] = configuredChannels(context.application, 'phone_number');
  return send(ports, context, { channel, address, adds: true }, input);
};

/** Sends a code or link to an email address that the user adds during the login. */
const submitNewEmail: FormHandler = async (ports, context, input) => {
  const { state } = await deriveCurrentState(ports, context);
  if (state.kind !== 'new-email') return redirectToPage(context);
  const [channel = 'email'] = configuredChannels(context.application, 'email');
  return send(ports, context, { channel, address: input.form.identifier ?? '', adds: true }, input);
};

/** Sends the pending code or link again, unless wrong codes have locked it. */
const resend: FormHandler = async (ports, context, input) => {
  const { pending } = context.login.progress;
  if (!pending) return redirectToPage(context);
  const { channel, adds, codeKey } = pending;
  const address = unsealAddress(context.browser, pending.sealedAddress);
  const wanted = { channel, adds, address, isResent: true } as const;
  if (sendsCode(channel) && findLockedCode(context, codeKey)) {
    lockError(context, wanted, input.audit);
    return redirectToPage(context);
  }
  return send(ports, context, wanted, input);
};

/** Discards the pending code or link and returns to the previous page, which shows the typed address again. */
const goBack: FormHandler = async (ports, context) => {
  const { pending, ...progress } = context.login.progress;
  const isFirst = pending && progress.userId === undefined;
  const typed = isFirst ? { sealedTyped: pending.sealedAddress } : {};
  await saveProgress(ports, context, { ...progress, ...typed });
  return redirectToPage(context);
};

/** Saves that a code is locked, so that the page shows no input field for the code even after a reload. */
async function saveLock(ports: Ports, context: LoginContext, refused: Refusal): Promise<void> {
  const { progress } = context.login;
  const { pending } = progress;
  const isClosed = refused === 'locked' || refused === 'codes_off';
  if (!pending || !isClosed || findLockedCode(context, pending.codeKey)) return;
  const until = context.now + readLockSeconds(context, pending);
  const closed = { codeKey: pending.codeKey, until, isFinal: refused === 'codes_off' };
  await saveProgress(ports, context, { ...progress, closed });
}

/** State of the login in which the user adds an address, by the type of address. */
const ADDING: Readonly<Record<AddressType, LoginState['kind']>> = {
  email: 'new-email',
  phone_number: 'number',
};

/** Creates the handler of a form that submits a code or link. The handler verifies the code or link and advances the login. */
const proofHandler =
  (verify: (...request: Parameters<FormHandler>) => Promise<ProofOutcome>): FormHandler =>
  async (ports, context, input) => {
    const { pending } = context.login.progress;
    // Since the code or link was sent, the login may have become too old for adding the address. The user then goes back to the
    // page before.
    const wanted = pending && ADDING[channels[pending.channel].address];
    if (pending?.adds && (await deriveCurrentState(ports, context)).state.kind !== wanted)
      return goBack(ports, context, input);
    try {
      const outcome = await verify(ports, context, input);
      if (outcome && 'refused' in outcome) await saveLock(ports, context, outcome.refused);
      return await answerProof(ports, context, outcome, input.audit);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.key !== 'access_denied') throw error;
      return abortLogin(ports, context, error, input.audit);
    }
  };

const submitPasscode = proofHandler((ports, context, { form, audit }) =>
  verifyPasscode(ports, context, form.passcode ?? '', audit),
);

const submitLink = proofHandler((ports, context, { query, audit }) =>
  verifyLink(ports, context, query.link ?? '', audit),
);

/** Continues a login without the offered passkey. A login that only registers a passkey ends with an error for the client. */
const skipPasskey: FormHandler = async (ports, context, { audit }) => {
  const { state } = await deriveCurrentState(ports, context);
  const isOffer = state.kind === 'passkey' || (state.kind === 'second-factor' && state.isOptional);
  if (!isOffer) return redirectToPage(context);
  if (context.login.request.enrolment) {
    const error = new ServiceError('access_denied', { message: 'No passkey was created' });
    return abortLogin(ports, context, error, audit);
  }
  const next = await saveProgress(ports, context, withOffer(context.login.progress, undefined));
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
};

/** Cancels the login. The application gets an `access_denied` error. */
const cancel: FormHandler = (ports, context, { audit }) =>
  abortLogin(
    ports,
    context,
    new ServiceError('access_denied', { message: 'The user cancelled the login' }),
    audit,
  );

/** Records that the user has acknowledged the notice of a pending recovery, and continues the login. */
const acknowledgeLoss: FormHandler = async (ports, context, { audit }) => {
  const next = await saveProgress(ports, context, { ...context.login.progress, heard: true });
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
};

/** Records that an operator allows the command line to act on their behalf, once the login has all other proofs. */
const confirmCommandLine: FormHandler = async (ports, context, { audit }) => {
  const { state } = await deriveCurrentState(ports, context);
  if (state.kind !== 'command-line') return redirectToPage(context);
  const next = await saveProgress(ports, context, { ...context.login.progress, confirmed: true });
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
};

/**
 * Records the scopes that the user grants to a client identified by its metadata document. Ignores scopes that were not shown.
 */
const allow: FormHandler = async (ports, context, { form, audit }) => {
  const { state } = await deriveCurrentState(ports, context);
  if (state.kind !== 'consent') return redirectToPage(context);
  const shown = state.scopes.map(({ name }) => name);
  const given = splitWords(form.scope);
  const answer = {
    shown,
    allowed: shown.filter((name) => given.includes(name)),
    staysConnected: form.stay !== undefined,
  };
  const next = await saveProgress(ports, context, { ...context.login.progress, answer });
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
};

/** Ends the login with an error after the user has denied the request from a client identified by its metadata document. */
const deny: FormHandler = (ports, context, { audit }) =>
  abortLogin(
    ports,
    context,
    new ServiceError('access_denied', { message: 'The user denied the request' }),
    audit,
  );

/** Cancels a pending recovery that the user did not request, and continues the login. */
const cancelLoss: FormHandler = async (ports, context, input) => {
  const { state, user } = await deriveCurrentState(ports, context);
  if (state.kind !== 'loss' || !user) return redirectToPage(context);
  const { userId } = user;
  if (await tryCancelRecovery(ports, context, userId, state.recovery.since))
    input.audit({ userId, events: ['user.recovery_cancelled'] });
  return acknowledgeLoss(ports, context, input);
};

/** Shows the page about recovery to a user who cannot present the second factor. */
const lost: FormHandler = (ports, context) => askForRecovery(ports, context);

/** Requests a recovery for a user who cannot present the second factor. */
const recover: FormHandler = (ports, context, { audit }) => requestRecovery(ports, context, audit);

/** Continues the login if the response to an earlier form was lost, or with the session that another tab has started. */
const continueLogin: FormHandler = async (ports, context, { audit }) => {
  const session = await findNewSession(ports, context);
  if (!session) return advance(ports, context, audit);
  const { userId, generation } = session;
  const next = await saveProgress(ports, context, {
    proven: [],
    userId,
    generation,
    held: context.cookieSession,
  });
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
};

/** Handlers of the forms, by the last segment of the form's action. */
export const formHandlers: Readonly<Record<string, FormHandler>> = {
  identify: submitIdentifier,
  second: chooseMethod,
  phone: submitNumber,
  email: submitNewEmail,
  resend,
  change: goBack,
  passcode: submitPasscode,
  link: submitLink,
  later: skipPasskey,
  cancel,
  heard: acknowledgeLoss,
  confirm: confirmCommandLine,
  stop: cancelLoss,
  allow,
  deny,
  lost,
  recover,
  continue: continueLogin,
};

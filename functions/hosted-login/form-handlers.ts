import { withOffer } from '../../shared/domain/hosted-login/login-passkey.ts';
import {
  type HostedChannel,
  openAddress,
  saveProgress,
} from '../../shared/domain/hosted-login/login-transaction.ts';
import { normaliseIdentifier } from '../../shared/domain/identifiers/identifier.ts';
import { identifierHash } from '../../shared/domain/identifiers/identifier-hash.ts';
import {
  inCountry,
  isNationalNumber,
  readingWithPlus,
} from '../../shared/domain/identifiers/phone-number.ts';
import { words } from '../../shared/domain/oauth/authorization-request.ts';
import { isProvider } from '../../shared/domain/social/provider.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserAnswer } from '../../shared/flows/browser/browser-answer.ts';
import { leavingAnswer } from '../../shared/flows/browser/leave.ts';
import { abortLogin, advance } from '../../shared/flows/hosted-login/advance.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { currentState, leadsTo } from '../../shared/flows/hosted-login/login-state.ts';
import { findNewSession } from '../../shared/flows/hosted-login/new-session.ts';
import {
  closedCode,
  lockSecondsOf,
  loginPath,
  type Refusal,
  redirectToPage,
  showNumberPage,
  showPage,
  showState,
} from '../../shared/flows/hosted-login/show-page.ts';
import { addressFacts } from '../../shared/flows/sending/message-facts.ts';
import type { InputOf, PortsOf } from '../../shared/operation.ts';
import type { ProviderName } from '../../shared/ports/providers.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import { askForRecovery, endedWait, startRecovery } from './recovery.ts';
import { type ProofOutcome, resolve } from './resolve.ts';
import type { loginAct as operation } from './rows.ts';
import { sendCredential, type Wanted } from './send.ts';
import { verifyLink, verifyPasscode } from './verify-code.ts';

type Ports = PortsOf<typeof operation>;
type Input = InputOf<typeof operation>;

/** What one form of the login pages does. */
type FormHandler = (ports: Ports, context: LoginContext, input: Input) => Promise<BrowserAnswer>;

/** Failures that the user can correct, on the page where they happened. */
function correctable(error: unknown): PageError {
  if (!(error instanceof ServiceError)) throw error;
  if (error.key === 'rate_limited')
    return { key: 'rate_limited', retryAfterSeconds: error.detail.retryAfterSeconds ?? 60 };
  if (error.key === 'external_provider_configuration_error' || error.key === 'recipient_unreachable')
    return { key: 'send_failed' };
  throw error;
}

/** No new code opens what wrong ones of this login have closed. */
function closedFor(
  context: LoginContext,
  { channel, address }: Wanted,
  audit: Input['audit'],
): PageError | undefined {
  if (channel === 'link') return undefined;
  const identifier = normaliseIdentifier(channel === 'sms' ? 'phone_number' : 'email', address);
  const closed = identifier && closedCode(context, identifierHash(context.tenant, identifier));
  if (!identifier || !closed) return undefined;
  const refused = { ...addressFacts(context.tenant, identifier), refusal: 'wrong_codes' } as const;
  if (closed.isFinal) {
    audit(refused);
    return { key: 'codes_off' };
  }
  const retryAfterSeconds = closed.until - context.now;
  audit({ ...refused, retryAfterSeconds });
  return { key: 'locked', retryAfterSeconds };
}

async function send(
  ports: Ports,
  context: LoginContext,
  wanted: Wanted,
  { form, audit }: Input,
): Promise<BrowserAnswer> {
  const feedback = { typed: wanted.address, country: form.country };
  const closed = closedFor(context, wanted, audit);
  if (closed) return showPage(ports, context, { error: closed, ...feedback });
  const sent = await sendCredential(ports, context, wanted, audit).catch((error: unknown) => {
    if (error instanceof ServiceError) audit({ ...error.detail.audit, result: error.key });
    return { error: correctable(error) };
  });
  if ('error' in sent) return showPage(ports, context, { error: sent.error, ...feedback });
  // If another tab was faster, the page shows what that tab did.
  await saveProgress(ports, context, { ...context.login.progress, pending: sent.pending });
  return redirectToPage(context);
}

/** The channel of the button. Enter presses the first button: with a phone number typed, it means a text message. */
function readChannel(
  { application }: LoginContext,
  method: string | undefined,
  typed: string,
): HostedChannel | undefined {
  const named = (['email', 'sms', 'link'] as const).find((channel) => channel === method);
  if (named === undefined || named === 'sms' || !application.loginPreferences?.sms) return named;
  const isNumber = !typed.includes('@') && normaliseIdentifier('phone_number', typed) !== undefined;
  return isNumber ? 'sms' : named;
}

/** Leads on by a GET, because only its function may call providers. It redirects to another host, so the form gets a page. */
function leaveForProvider({ login, language, brand }: LoginContext, provider: ProviderName): BrowserAnswer {
  const href = loginPath(login.loginId, `with/${provider}`);
  return { ...leavingAnswer({ language, brand, href, provider }), cookies: [] };
}

const submitIdentifier: FormHandler = async (ports, context, input) => {
  const { identifier: typed = '', method, country } = input.form;
  if (isProvider(method)) return leaveForProvider(context, method);
  const address = typed.includes('@') ? typed : inCountry(typed, country);
  const channel = readChannel(context, method, address);
  if (!channel || context.login.progress.userId !== undefined)
    return showPage(ports, context, { error: { key: 'method_unavailable' }, typed });
  if (context.application.loginPreferences?.sms && isNationalNumber(address))
    return showNumberPage(context, {
      error: country === undefined ? undefined : { key: 'identifier_invalid' },
      typed,
      country,
    });
  const meant = readingWithPlus(typed, country);
  if (channel === 'sms' && meant !== undefined)
    return showNumberPage(context, { error: { key: 'number_ambiguous' }, typed: meant, country });
  if (channel === 'sms' && normaliseIdentifier('email', address))
    return showPage(ports, context, { error: { key: 'number_needed' }, typed });
  return send(ports, context, { channel, address }, input);
};

/** The method of a second factor, or of the proof of the user's email address. */
const chooseMethod: FormHandler = async (ports, context, input) => {
  const { state } = await currentState(ports, context);
  const { method } = input.form;
  if (isProvider(method) && leadsTo(state, method)) return leaveForProvider(context, method);
  const open = state.kind === 'second-factor' || state.kind === 'email' ? state.open : [];
  const factor = open.find((each) => each.method === method);
  if (!factor) return showState(context, state, { error: { key: 'method_unavailable' } });
  return send(ports, context, { channel: factor.method, address: factor.address }, input);
};

const submitNumber: FormHandler = async (ports, context, input) => {
  const { state } = await currentState(ports, context);
  if (state.kind !== 'number') return redirectToPage(context);
  const { phone_number: typed = '', country } = input.form;
  const meant = readingWithPlus(typed, country);
  if (meant !== undefined)
    return showPage(ports, context, { error: { key: 'number_ambiguous' }, typed: meant, country });
  const address = inCountry(typed, country);
  return send(ports, context, { channel: 'sms', address, adds: true }, input);
};

const submitNewEmail: FormHandler = async (ports, context, input) => {
  const { state } = await currentState(ports, context);
  if (state.kind !== 'new-email') return redirectToPage(context);
  const channel = context.application.loginPreferences?.email ? 'email' : 'link';
  return send(ports, context, { channel, address: input.form.identifier ?? '', adds: true }, input);
};

const resend: FormHandler = async (ports, context, input) => {
  const { pending } = context.login.progress;
  if (!pending) return redirectToPage(context);
  const { channel, adds, codeKey } = pending;
  const address = openAddress(context.browser, pending.sealedAddress);
  const wanted = { channel, adds, address, isResent: true } as const;
  if (channel !== 'link' && closedCode(context, codeKey)) {
    closedFor(context, wanted, input.audit);
    return redirectToPage(context);
  }
  return send(ports, context, wanted, input);
};

const goBack: FormHandler = async (ports, context) => {
  const { pending, ...progress } = context.login.progress;
  const isFirst = pending && progress.userId === undefined;
  const typed = isFirst ? { sealedTyped: pending.sealedAddress } : {};
  await saveProgress(ports, context, { ...progress, ...typed });
  return redirectToPage(context);
};

/** Keeps what the page must know after a reload: it shows no field for a code that cannot succeed. */
async function closeCode(ports: Ports, context: LoginContext, refused: Refusal): Promise<void> {
  const { progress } = context.login;
  const { pending } = progress;
  const isClosed = refused === 'locked' || refused === 'codes_off';
  if (!pending || !isClosed || closedCode(context, pending.codeKey)) return;
  const until = context.now + lockSecondsOf(context, pending);
  const closed = { codeKey: pending.codeKey, until, isFinal: refused === 'codes_off' };
  await saveProgress(ports, context, { ...progress, closed });
}

const submitsProof =
  (verify: (...request: Parameters<FormHandler>) => Promise<ProofOutcome>): FormHandler =>
  async (ports, context, input) => {
    const { pending } = context.login.progress;
    // The login may have become too old for the address since the code or link was sent.
    const wanted = pending?.channel === 'sms' ? 'number' : 'new-email';
    if (pending?.adds && (await currentState(ports, context)).state.kind !== wanted)
      return goBack(ports, context, input);
    try {
      const outcome = await verify(ports, context, input);
      if ('refused' in outcome) await closeCode(ports, context, outcome.refused);
      return await resolve(ports, context, outcome, input.audit);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.key !== 'access_denied') throw error;
      return abortLogin(ports, context, error, input.audit);
    }
  };

const submitPasscode = submitsProof((ports, context, { form, audit }) =>
  verifyPasscode(ports, context, form.passcode ?? '', audit),
);

const submitLink = submitsProof((ports, context, { query, audit }) =>
  verifyLink(ports, context, query.link ?? '', audit),
);

/** Goes on without a passkey. A passkey registration has nothing else to do: the client gets an error. */
const skipPasskey: FormHandler = async (ports, context, { audit }) => {
  const { state } = await currentState(ports, context);
  const isOffer = state.kind === 'passkey' || (state.kind === 'second-factor' && state.isOptional);
  if (!isOffer) return redirectToPage(context);
  if (context.login.request.enrolment) {
    const error = new ServiceError('access_denied', { message: 'No passkey was made' });
    return abortLogin(ports, context, error, audit);
  }
  const next = await saveProgress(ports, context, withOffer(context.login.progress, undefined));
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
};

/** The person declines: the application gets an error, and the login ends. */
const cancel: FormHandler = (ports, context, { audit }) =>
  abortLogin(
    ports,
    context,
    new ServiceError('access_denied', { message: 'The person cancelled the login' }),
    audit,
  );

/** Goes on after the page of what was said to be lost. */
const hear: FormHandler = async (ports, context, { audit }) => {
  const next = await saveProgress(ports, context, { ...context.login.progress, heard: true });
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
};

/** Lets a program on the computer of an operator act as them, once the login has everything else. */
const confirmCommandLine: FormHandler = async (ports, context, { audit }) => {
  const { state } = await currentState(ports, context);
  if (state.kind !== 'command-line') return redirectToPage(context);
  const next = await saveProgress(ports, context, { ...context.login.progress, confirmed: true });
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
};

/** What the person allows a client by document: of what the page has shown, and nothing else. */
const allow: FormHandler = async (ports, context, { form, audit }) => {
  const { state } = await currentState(ports, context);
  if (state.kind !== 'consent') return redirectToPage(context);
  const shown = state.scopes.map(({ name }) => name);
  const given = words(form.scope);
  const answer = {
    shown,
    allowed: shown.filter((name) => given.includes(name)),
    staysConnected: form.stay !== undefined,
  };
  const next = await saveProgress(ports, context, { ...context.login.progress, answer });
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
};

/** What the person allows a client by document not. */
const deny: FormHandler = (ports, context, { audit }) =>
  abortLogin(
    ports,
    context,
    new ServiceError('access_denied', { message: 'The person did not allow it' }),
    audit,
  );

const stopLoss: FormHandler = async (ports, context, input) => {
  const { state, user } = await currentState(ports, context);
  if (state.kind !== 'loss' || !user) return redirectToPage(context);
  const { userId } = user;
  if (await endedWait(ports, context, userId, state.wait.since))
    input.audit({ userId, events: ['user.recovery_cancelled'] });
  return hear(ports, context, input);
};

const lost: FormHandler = (ports, context) => askForRecovery(ports, context);

const recover: FormHandler = (ports, context, { audit }) => startRecovery(ports, context, audit);

/** Goes on after a lost answer, or with the session that another tab has begun. */
const continueLogin: FormHandler = async (ports, context, { audit }) => {
  const session = await findNewSession(ports, context);
  if (!session) return advance(ports, context, audit);
  const { userId, generation } = session;
  const next = await saveProgress(ports, context, { proven: [], userId, generation, held: context.held });
  return next ? advance(ports, { ...context, login: next }, audit) : redirectToPage(context);
};

/** The handler of each form, by the last part of the form's action. */
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
  heard: hear,
  confirm: confirmCommandLine,
  stop: stopLoss,
  allow,
  deny,
  lost,
  recover,
  continue: continueLogin,
};

import { withOffer } from '../../shared/domain/hosted-login/login-passkey.ts';
import {
  advanceLogin,
  type HostedChannel,
  openAddress,
} from '../../shared/domain/hosted-login/login-transaction.ts';
import { isProvider } from '../../shared/domain/hosted-login/provider.ts';
import { normaliseIdentifier } from '../../shared/domain/identifiers/identifier.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { BrowserAnswer } from '../../shared/flows/browser/browser-answer.ts';
import { advance, refuse, toPage } from '../../shared/flows/hosted-login/advance.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { standingOf } from '../../shared/flows/hosted-login/login-state.ts';
import { loginPage, loginPath } from '../../shared/flows/hosted-login/show-page.ts';
import type { InputOf, PortsOf } from '../../shared/operation.ts';
import type { ProviderName } from '../../shared/ports/providers.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import { after, showAgain } from './resolve.ts';
import type { loginAct as operation } from './rows.ts';
import { sendCredential, type Wanted } from './send.ts';
import { verifyLink, verifyPasscode } from './verify.ts';

export type ActPorts = PortsOf<typeof operation>;

type Input = InputOf<typeof operation>;

/** What one form of the login pages does. */
export type Act = (context: LoginContext, input: Input, ports: ActPorts) => Promise<BrowserAnswer>;

/** Failures that the person can do something about, on the page where they happened. */
function correctable(error: unknown): PageError {
  if (!(error instanceof ServiceError)) throw error;
  if (error.key === 'rate_limited')
    return { key: 'rate_limited', retryAfterSeconds: error.detail.retryAfterSeconds ?? 60 };
  if (error.key === 'external_provider_configuration_error' || error.key === 'recipient_unreachable')
    return { key: 'send_failed' };
  throw error;
}

async function send(
  context: LoginContext,
  ports: ActPorts,
  wanted: Wanted,
  { audit }: Input,
): Promise<BrowserAnswer> {
  const sent = await sendCredential(ports, context, wanted, audit).catch((error: unknown) => {
    if (error instanceof ServiceError) audit({ result: error.key });
    return { error: correctable(error) };
  });
  if ('error' in sent) return showAgain(context, ports, { error: sent.error, typed: wanted.address });
  // Where another tab was faster the page shows what that one has done.
  await advanceLogin(ports, context.login, { ...context.login.progress, pending: sent.pending });
  return toPage(context);
}

/**
 * The channel of the button, or a text message to whoever has typed a phone number and pressed Enter, which is the first
 * button whatever that is.
 */
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

/** By a GET, whose function alone speaks to providers. */
function toProviderOf({ login, settings }: LoginContext, provider: ProviderName): BrowserAnswer {
  const path = loginPath(login.loginId, `with/${provider}`);
  return { redirect: `${settings.browserOrigin}${path}`, cookies: [] };
}

const identify: Act = async (context, input, ports) => {
  const { identifier = '', method } = input.form;
  const channel = readChannel(context, method, identifier);
  if (isProvider(method)) return toProviderOf(context, method);
  if (channel && context.login.progress.userId === undefined)
    return send(context, ports, { channel, address: identifier }, input);
  return showAgain(context, ports, { error: { key: 'method_unavailable' }, typed: identifier });
};

const second: Act = async (context, input, ports) => {
  const { step } = await standingOf(ports, context);
  const open = step.is === 'factor' ? step.open : [];
  const factor = open.find(({ method }) => method === input.form.method);
  if (!factor) return loginPage(context, step, { error: { key: 'method_unavailable' } });
  return send(context, ports, { channel: factor.method, address: factor.address }, input);
};

const phone: Act = async (context, input, ports) => {
  const { step } = await standingOf(ports, context);
  if (step.is !== 'phone') return toPage(context);
  const address = input.form.phone_number ?? '';
  return send(context, ports, { channel: 'sms', address, addsPhone: true }, input);
};

const resend: Act = async (context, input, ports) => {
  const { pending } = context.login.progress;
  if (!pending) return toPage(context);
  const { channel, addsPhone } = pending;
  const address = openAddress(context.browser, pending.sealedAddress);
  return send(context, ports, { channel, address, addsPhone }, input);
};

const change: Act = async (context, _input, ports) => {
  const { pending: _, ...progress } = context.login.progress;
  await advanceLogin(ports, context.login, progress);
  return toPage(context);
};

const passcode: Act = async (context, input, ports) => {
  try {
    const verified = await verifyPasscode(ports, context, input.form.passcode ?? '', input.audit);
    return await after(context, ports, verified, input.audit);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.key !== 'access_denied') throw error;
    return refuse(ports, context, error, input.audit);
  }
};

const link: Act = async (context, input, ports) =>
  after(context, ports, await verifyLink(ports, context, input.query.link ?? ''), input.audit);

/** Without a passkey: on with the login, or back to the client that wanted one. */
const later: Act = async (context, { audit }, ports) => {
  const { step } = await standingOf(ports, context);
  if (step.is !== 'passkey') return toPage(context);
  if (context.login.request.enrolment)
    return refuse(
      ports,
      context,
      new ServiceError('access_denied', { message: 'No passkey was made' }),
      audit,
    );
  const next = await advanceLogin(ports, context.login, withOffer(context.login.progress, undefined));
  return next ? advance(ports, { ...context, login: next }, audit) : toPage(context);
};

/** What each form does, by the last part of its address. */
export const formHandlers: Readonly<Record<string, Act>> = {
  identify,
  second,
  phone,
  resend,
  change,
  passcode,
  link,
  later,
  continue: async (context, { audit }, ports) => advance(ports, context, audit),
};

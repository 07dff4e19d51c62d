import {
  advanceLogin,
  type HostedChannel,
  hasMovedOn,
  openAddress,
} from '../../../shared/domain/login-transaction.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { InputOf, PortsOf } from '../../../shared/operation.ts';
import type { PageError } from '../../../shared/templates/pages/form.ts';
import type { loginAct as operation } from '../../rows/browser.ts';
import type { BrowserAnswer } from '../answer.ts';
import type { LoginContext } from './context.ts';
import { sendCredential, type Wanted } from './send.ts';
import { loginPage, type Shown } from './show.ts';
import { standingOf } from './standing.ts';
import { goOn, refuse, toPage } from './step.ts';
import { type Verified, verifyLink, verifyPasscode } from './verify.ts';

export type ActPorts = PortsOf<typeof operation>;

type Input = InputOf<typeof operation>;

/** What one form of the login pages does. */
export type Act = (context: LoginContext, input: Input, ports: ActPorts) => Promise<BrowserAnswer>;

/** The page once more, with what was wrong. */
export async function showAgain(
  context: LoginContext,
  ports: ActPorts,
  shown: Shown,
): Promise<BrowserAnswer> {
  const { step } = await standingOf(ports, context);
  return loginPage(context, step, shown);
}

/** Failures that the person can do something about, on the page where they happened. */
function correctable(error: unknown): PageError {
  if (!(error instanceof ServiceError)) throw error;
  if (error.key === 'rate_limited')
    return { key: 'rate_limited', retryAfterSeconds: error.detail.retryAfterSeconds ?? 60 };
  if (error.key === 'external_provider_configuration_error') return { key: 'send_failed' };
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

async function after(
  context: LoginContext,
  ports: ActPorts,
  verified: Verified,
  { audit }: Input,
): Promise<BrowserAnswer> {
  if ('movedOn' in verified) return toPage(context);
  audit(verified.note);
  if ('login' in verified) return goOn(ports, { ...context, login: verified.login }, audit);
  // Digits that another tab has used up are no wrong digits.
  if (await hasMovedOn(ports, context.login)) return toPage(context);
  return showAgain(context, ports, { error: verified.error });
}

function readChannel(method: string | undefined): HostedChannel | undefined {
  return (['email', 'sms', 'link'] as const).find((channel) => channel === method);
}

const identify: Act = async (context, input, ports) => {
  const { identifier = '', method } = input.form;
  const channel = readChannel(method);
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
    const verified = await verifyPasscode(ports, context, input.form.passcode ?? '');
    return await after(context, ports, verified, input);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.key !== 'access_denied') throw error;
    return refuse(ports, context, error, input.audit);
  }
};

const link: Act = async (context, input, ports) =>
  after(context, ports, await verifyLink(ports, context, input.query.link ?? ''), input);

/** What each form does, by the last part of its address. */
export const acts: Readonly<Record<string, Act>> = {
  identify,
  second,
  phone,
  resend,
  change,
  passcode,
  link,
  continue: async (context, { audit }, ports) => goOn(ports, context, audit),
};

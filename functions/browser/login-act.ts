import { isOwnForm } from '../../shared/domain/browser.ts';
import { advanceLogin, type HostedChannel, openAddress } from '../../shared/domain/login-transaction.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { InputOf, PortsOf, UseCase } from '../../shared/operation.ts';
import type { PageError } from '../../shared/templates/pages/form.ts';
import { loginAct as operation } from '../rows/browser.ts';
import type { BrowserAnswer } from './answer.ts';
import { type LoginContext, loginContext } from './login/context.ts';
import { earlierFactors, openFactors } from './login/second-factor.ts';
import { sendCredential } from './login/send.ts';
import { loginPage } from './login/show.ts';
import { deadEnd, goOn, languageOf, toPage } from './login/step.ts';
import { type Verified, verifyLink, verifyPasscode } from './login/verify.ts';

type Act = (
  context: LoginContext,
  input: InputOf<typeof operation>,
  ports: PortsOf<typeof operation>,
) => Promise<BrowserAnswer>;

const CHANNELS: readonly HostedChannel[] = ['email', 'sms', 'link'];

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
  ports: PortsOf<typeof operation>,
  channel: HostedChannel,
  typed: string,
): Promise<BrowserAnswer> {
  const { login } = context;
  const sent = await sendCredential(ports, context, channel, typed).catch((error: unknown) => ({
    error: correctable(error),
  }));
  if ('error' in sent) return showAgain(context, ports, sent.error, typed);
  const { pending } = sent;
  return toPage({ ...context, login: await advanceLogin(ports, login, { ...login.progress, pending }) });
}

async function showAgain(
  context: LoginContext,
  ports: PortsOf<typeof operation>,
  error: PageError,
  typed?: string,
): Promise<BrowserAnswer> {
  const used = [...(await earlierFactors(ports, context)), ...context.login.progress.proven];
  return loginPage(context, await openFactors(ports, context, used), { error, typed });
}

async function after(
  context: LoginContext,
  ports: PortsOf<typeof operation>,
  verified: Verified,
): Promise<BrowserAnswer> {
  if ('error' in verified) return showAgain(context, ports, verified.error);
  return goOn(ports, { ...context, login: verified.login });
}

function readChannel(method: string | undefined): HostedChannel | undefined {
  return CHANNELS.find((channel) => channel === method);
}

/** What each form of the login pages does. */
const ACTS: Readonly<Record<string, Act>> = {
  identify: async (context, { form }, ports) => {
    const channel = readChannel(form.method);
    if (!channel || context.login.progress.userId !== undefined)
      return showAgain(context, ports, { key: 'method_unavailable' }, form.identifier);
    return send(context, ports, channel, form.identifier ?? '');
  },
  second: async (context, { form }, ports) => {
    const used = [...(await earlierFactors(ports, context)), ...context.login.progress.proven];
    const open = await openFactors(ports, context, used);
    const factor = open.find(({ method }) => method === form.method);
    if (!factor) return showAgain(context, ports, { key: 'method_unavailable' });
    return send(context, ports, factor.method, factor.address);
  },
  resend: async (context, _input, ports) => {
    const { pending } = context.login.progress;
    if (!pending) return toPage(context);
    return send(context, ports, pending.channel, openAddress(context.browser, pending.sealedAddress));
  },
  change: async (context, _input, ports) => {
    const { pending: _, ...progress } = context.login.progress;
    return toPage({ ...context, login: await advanceLogin(ports, context.login, progress) });
  },
  passcode: async (context, { form }, ports) =>
    after(context, ports, await verifyPasscode(ports, context, form.passcode ?? '')),
  link: async (context, { query }, ports) =>
    after(context, ports, await verifyLink(ports, context, query.link ?? '')),
};

/** What a person did on a page of the login. Every form proves that it came from a page given to this very browser. */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { path, form, request, settings, audit } = input;
  try {
    const context = await loginContext(ports, path.loginId, request, settings);
    const { tenantId, applicationId, clientId } = context.login.transaction;
    audit({ tenantId, applicationId, clientId });
    const act = ACTS[path.act ?? 'identify'];
    if (!act) throw new ServiceError('login_not_found');
    if (!isOwnForm(context.browser, path.loginId, form.csrf))
      return await showAgain(context, ports, { key: 'form_expired' }, form.identifier);
    return await act(context, input, ports);
  } catch (error) {
    return deadEnd(error, languageOf(request));
  }
};

export const handler = lambda(operation, useCase);

import { hostedCodeKey } from '../../../shared/domain/known-device.ts';
import { PASSCODE_LOCK_MINUTES, SECONDS_PER_MINUTE } from '../../../shared/domain/limits.ts';
import {
  advanceLogin,
  isPendingLink,
  type OpenLogin,
  type PendingCredential,
  withFactor,
} from '../../../shared/domain/login-transaction.ts';
import { requireLoginUser } from '../../../shared/domain/login-user.ts';
import { checkPasscode, consumePasscode } from '../../../shared/domain/one-time-code.ts';
import { nowSeconds } from '../../../shared/domain/time.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { MethodUse } from '../../../shared/ports/flows.ts';
import type { Ports } from '../../../shared/ports/index.ts';
import type { PageError } from '../../../shared/templates/pages/form.ts';
import type { LoginContext } from './context.ts';

export type VerifyPorts = Pick<Ports, 'otps' | 'codeMac' | 'users' | 'knownDevices' | 'loginTransactions'>;

export type Verified = { readonly login: OpenLogin } | { readonly error: PageError };

/** The digits of a pending code; the error is for the page, the same whoever the address belongs to. */
function pageError(
  error: unknown,
  { application }: LoginContext,
  channel: PendingCredential['channel'],
): PageError {
  const key = error instanceof ServiceError ? error.key : undefined;
  const preference = channel === 'link' ? undefined : application.loginPreferences?.[channel];
  switch (key) {
    case 'auth_invalid_credentials':
    case 'login_user_gone':
    case 'user_not_active':
      return { key: 'code_wrong' };
    case 'auth_otp_passcode_expired':
      return { key: 'code_expired' };
    case 'auth_locked': {
      const minutes = preference?.lockMinutes ?? PASSCODE_LOCK_MINUTES;
      return { key: 'locked', retryAfterSeconds: minutes * SECONDS_PER_MINUTE };
    }
    default:
      throw error;
  }
}

async function addFactor(
  ports: VerifyPorts,
  { login }: LoginContext,
  pending: PendingCredential,
  use: MethodUse,
): Promise<OpenLogin> {
  const sealed = pending.signUp ? pending.sealedAddress : undefined;
  return advanceLogin(ports, login, withFactor(login.progress, pending, use, sealed));
}

async function requirePerson(
  ports: VerifyPorts,
  { tenant, login }: LoginContext,
  pending: PendingCredential,
): Promise<void> {
  // A second factor of somebody else would make two half-proven people into one login.
  const { userId } = login.progress;
  if (pending.nobody || (userId !== undefined && userId !== pending.userId))
    throw new ServiceError('auth_invalid_credentials');
  if (!pending.signUp) await requireLoginUser(ports, tenant.tenantId, pending.userId);
}

export async function verifyPasscode(
  ports: VerifyPorts,
  context: LoginContext,
  passcode: string,
): Promise<Verified> {
  const { login, application, client, browser } = context;
  const { pending } = login.progress;
  if (!pending || pending.channel === 'link') return { error: { key: 'form_expired' } };
  try {
    const { applicationId } = application;
    const plainKey = { applicationId, identifierHash: pending.identifierHash };
    const key = await hostedCodeKey(ports, plainKey, browser, pending.nobody ? undefined : pending.userId);
    const checked = await checkPasscode(ports, {
      key,
      clientId: client.clientId,
      acrossClients: true,
      purpose: 'hosted',
      passcode: passcode.normalize('NFKC').replaceAll('-', ''),
    });
    if (checked.code.userId !== pending.userId) throw new ServiceError('auth_invalid_credentials');
    await requirePerson(ports, context, pending);
    const { method, at } = await consumePasscode(ports, checked);
    return { login: await addFactor(ports, context, pending, { method, at }) };
  } catch (error) {
    return { error: pageError(error, context, pending.channel) };
  }
}

/** A link has 256 bits and is used up by the login's own progress: of two clicks at once one goes on. */
export async function verifyLink(ports: VerifyPorts, context: LoginContext, code: string): Promise<Verified> {
  const { pending } = context.login.progress;
  if (!isPendingLink(pending, code)) return { error: { key: 'code_expired' } };
  try {
    await requirePerson(ports, context, pending);
    return { login: await addFactor(ports, context, pending, { method: 'eml', at: nowSeconds() }) };
  } catch (error) {
    return { error: pageError(error, context, 'link') };
  }
}

import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { hashSecret, newDigits, newSecret } from '../../shared/domain/basis/random.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { linkLifetimeSeconds } from '../../shared/domain/credentials/magic-link.ts';
import { macOfPasscode } from '../../shared/domain/credentials/one-time-code.ts';
import { passcodeSettings } from '../../shared/domain/credentials/passcode-settings.ts';
import { smsPrefixOf } from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { loginPath } from '../../shared/flows/hosted-login/show-page.ts';
import { mailTo } from '../../shared/flows/sending/passcode-message.ts';
import type { OneTimeCodeKey, StoredCode } from '../../shared/ports/flows.ts';
import type { Using } from '../../shared/ports/uses.ts';
import { codeMail, linkMail } from '../../shared/templates/messages/email.ts';
import { segments } from '../../shared/templates/messages/segments.ts';
import { smsText } from '../../shared/templates/messages/sms.ts';
import type { Addressee } from './addressee.ts';

export type CredentialPorts = Using<'codeMac' | 'otps.put' | 'otps.revoke' | 'mailer' | 'smsSender'>;

/** What a message will bring, not yet stored and not yet sent. */
export interface Credential {
  readonly store: () => Promise<void>;
  readonly deliver: () => Promise<void>;
  readonly revoke: () => Promise<void>;
  readonly lifetimeSeconds: number;
  /** How many messages the network makes of an SMS. */
  readonly smsParts?: number;
  /** SHA-256 of a link's code. */
  readonly linkHash?: string;
}

function deliverDigits(
  ports: CredentialPorts,
  { application, settings, login, language }: LoginContext,
  channel: 'email' | 'sms',
  message: { readonly address: string; readonly digits: string; readonly lifetimeSeconds: number },
): Pick<Credential, 'deliver' | 'smsParts'> {
  const { address, digits, lifetimeSeconds } = message;
  if (channel === 'sms') {
    const host = new URL(settings.browserOrigin).hostname;
    const text = smsText({ applicationName: application.name, language, code: digits, host });
    return { smsParts: segments(text), deliver: () => ports.smsSender.send({ to: address, text }) };
  }
  const { approvalData } = login.request;
  const mail = mailTo(address, application, settings, { content: undefined, approvalData, lifetimeSeconds });
  return { deliver: async () => ports.mailer.send(await codeMail({ ...mail, language, code: digits })) };
}

/** Digits for the key that they are counted under. */
export async function passcodeFor(
  ports: CredentialPorts,
  context: LoginContext,
  channel: 'email' | 'sms',
  to: Addressee,
  key: OneTimeCodeKey,
): Promise<Credential> {
  const { application, client, login } = context;
  const preference = application.loginPreferences?.[channel] ?? {};
  const { digits: length, lifetimeSeconds, ...limits } = passcodeSettings(preference, undefined);
  const digits = newDigits(length);
  const mac = await macOfPasscode(ports, key, digits);
  const sentAt = nowSeconds();
  const code = omitUndefined<StoredCode>({
    mac,
    userId: to.userId,
    clientId: client.clientId,
    channel,
    ...limits,
    deliveredToHash: to.recipient.ownHash,
    requestIdHash: login.transaction.hash,
    approvalData: login.request.approvalData,
    purpose: 'hosted',
    smsPrefix: channel === 'sms' ? smsPrefixOf(to.recipient.address) : undefined,
    signUp: to.signUp,
    sentAt,
    expiresAt: sentAt + lifetimeSeconds,
  });
  return {
    lifetimeSeconds,
    store: () => ports.otps.put(key, code),
    ...deliverDigits(ports, context, channel, {
      address: to.recipient.address,
      digits,
      lifetimeSeconds,
    }),
    revoke: () => ports.otps.revoke(key, mac),
  };
}

/** A link to this very login; what is kept of it is kept there. */
export function linkFor(ports: CredentialPorts, context: LoginContext, to: Addressee): Credential {
  const { application, settings, login, language } = context;
  const lifetimeSeconds = linkLifetimeSeconds(application.loginPreferences?.link ?? {}, undefined);
  const code = newSecret();
  const url = `${settings.browserOrigin}${loginPath(login.loginId)}?link=${code}`;
  const { approvalData } = login.request;
  const { address } = to.recipient;
  const mail = mailTo(address, application, settings, { content: undefined, approvalData, lifetimeSeconds });
  return {
    lifetimeSeconds,
    linkHash: hashSecret(code),
    store: async () => {},
    deliver: async () => ports.mailer.send(await linkMail({ ...mail, language, url })),
    revoke: async () => {},
  };
}

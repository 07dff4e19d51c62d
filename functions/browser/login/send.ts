import { type Recipient, storeAndDeliver } from '../../../shared/domain/delivery.ts';
import { findCarrier, findClaimedUserId, normaliseIdentifier } from '../../../shared/domain/identifier.ts';
import { identifierHash } from '../../../shared/domain/identifier-hash.ts';
import { hostedCodeKey } from '../../../shared/domain/known-device.ts';
import {
  type HostedChannel,
  type PendingCredential,
  sealAddress,
} from '../../../shared/domain/login-transaction.ts';
import { linkLifetimeSeconds } from '../../../shared/domain/magic-link.ts';
import { macOfPasscode } from '../../../shared/domain/one-time-code.ts';
import { passcodeSettings } from '../../../shared/domain/passcode-settings.ts';
import { present } from '../../../shared/domain/present.ts';
import { hashSecret, newDigits, newId, newSecret } from '../../../shared/domain/random.ts';
import { countSend } from '../../../shared/domain/send-window.ts';
import { nowSeconds } from '../../../shared/domain/time.ts';
import type { StoredCode } from '../../../shared/ports/flows.ts';
import type { Ports } from '../../../shared/ports/index.ts';
import type { Identifier, User } from '../../../shared/ports/people.ts';
import { codeMail, linkMail } from '../../../shared/templates/email.ts';
import type { PageError } from '../../../shared/templates/pages/form.ts';
import { smsText } from '../../../shared/templates/sms.ts';
import { mailTo } from '../../one-time/message.ts';
import type { LoginContext } from './context.ts';

export type SendPorts = Pick<
  Ports,
  'identifiers' | 'users' | 'windows' | 'codeMac' | 'otps' | 'mailer' | 'texter' | 'knownDevices'
>;

/** Whom an address leads to. Everybody gets the same page; only who may log in gets a message. */
interface Addressee {
  readonly identifier: Identifier;
  readonly userId: string;
  readonly recipient: Recipient;
  readonly signUp: boolean;
  readonly nobody: boolean;
}

function ofUser(user: User, identifier: Identifier, hash: string): Addressee {
  const stored = identifier.type === 'email' ? user.email : user.phoneNumber;
  const address = stored?.value ?? identifier.value;
  const recipient = { address, ownHash: hash };
  return { identifier, userId: user.userId, recipient, signUp: false, nobody: false };
}

/**
 * Finds who has the address that was typed. Somebody new may be allowed to sign up; nobody else is told that there is
 * nobody: a code that no one has is stored in the same way, so that it can be failed and locked like any other (N122).
 */
async function findAddressee(
  ports: SendPorts,
  { tenant, application, login }: LoginContext,
  identifier: Identifier,
): Promise<Addressee> {
  const hash = identifierHash(tenant, identifier);
  const userId = await findClaimedUserId(ports, tenant, identifier);
  const user = userId === undefined ? undefined : await findCarrier(ports, tenant, identifier, userId);
  if (user && user.status !== 'Disabled') return ofUser(user, identifier, hash);
  const signUp = !user && login.request.createNewUser && application.publicSignup;
  const recipient = { address: identifier.value, ownHash: hash };
  return { identifier, userId: newId(), recipient, signUp, nobody: !signUp };
}

interface Credential {
  readonly store: () => Promise<void>;
  readonly deliver: () => Promise<void>;
  readonly revoke: () => Promise<void>;
  readonly lifetimeSeconds: number;
  readonly linkHash?: string;
}

async function passcodeFor(
  ports: SendPorts,
  context: LoginContext,
  channel: 'email' | 'sms',
  to: Addressee,
): Promise<Credential> {
  const { application, client, settings, login } = context;
  const {
    digits: length,
    lifetimeSeconds,
    ...limits
  } = passcodeSettings(application.loginPreferences?.[channel] ?? {}, undefined);
  const digits = newDigits(length);
  const plainKey = {
    applicationId: application.applicationId,
    identifierHash: identifierHash(context.tenant, to.identifier),
  };
  const key = await hostedCodeKey(ports, plainKey, context.browser, to.nobody ? undefined : to.userId);
  const mac = await macOfPasscode(ports, key, digits);
  const { approvalData } = login.request;
  const sentAt = nowSeconds();
  return {
    lifetimeSeconds,
    store: () =>
      ports.otps.put(
        key,
        present<StoredCode>({
          mac,
          userId: to.userId,
          clientId: client.clientId,
          channel,
          ...limits,
          deliveredToHash: to.recipient.ownHash,
          approvalData,
          purpose: 'hosted',
          signUp: to.signUp,
          sentAt,
          expiresAt: sentAt + lifetimeSeconds,
        }),
      ),
    deliver: async () => {
      const { address } = to.recipient;
      if (channel === 'email') {
        const mail = mailTo(address, application, settings, {
          content: undefined,
          approvalData,
          lifetimeSeconds,
        });
        return ports.mailer.send(await codeMail({ ...mail, code: digits }));
      }
      const text = smsText({
        applicationName: application.name,
        language: context.language,
        code: digits,
        host: new URL(settings.browserOrigin).hostname,
      });
      return ports.texter.send({ to: address, text });
    },
    revoke: () => ports.otps.revoke(key, mac),
  };
}

function linkFor(ports: SendPorts, context: LoginContext, to: Addressee): Credential {
  const { application, settings, login } = context;
  const lifetimeSeconds = linkLifetimeSeconds(application.loginPreferences?.link ?? {}, undefined);
  const code = newSecret();
  const url = `${settings.browserOrigin}/login/${login.loginId}?link=${code}`;
  return {
    lifetimeSeconds,
    linkHash: hashSecret(code),
    // It is kept in the login itself.
    store: async () => {},
    deliver: async () => {
      const mail = mailTo(to.recipient.address, application, settings, {
        content: undefined,
        approvalData: login.request.approvalData,
        lifetimeSeconds,
      });
      await ports.mailer.send(await linkMail({ ...mail, url }));
    },
    revoke: async () => {},
  };
}

export type Sent = { readonly pending: PendingCredential } | { readonly error: PageError };

/** Sends a code or a link to the address that was typed, if it leads to somebody. Errors: `rate_limited`, and of delivery. */
export async function sendCredential(
  ports: SendPorts,
  context: LoginContext,
  channel: HostedChannel,
  typed: string,
): Promise<Sent> {
  const { application, tenant, settings, browser } = context;
  if (!application.loginPreferences?.[channel]) return { error: { key: 'method_unavailable' } };
  const identifier = normaliseIdentifier(channel === 'sms' ? 'phone_number' : 'email', typed);
  if (!identifier) return { error: { key: 'identifier_invalid' } };

  const to = await findAddressee(ports, context, identifier);
  await countSend(ports, application, channel, identifierHash(tenant, identifier), settings);
  const credential =
    channel === 'link' ? linkFor(ports, context, to) : await passcodeFor(ports, context, channel, to);
  await storeAndDeliver({
    ...credential,
    deliver: to.nobody ? async () => {} : credential.deliver,
  });
  const sentAt = nowSeconds();
  return {
    pending: present<PendingCredential>({
      channel,
      sealedAddress: sealAddress(browser, typed.trim()),
      identifierHash: identifierHash(tenant, identifier),
      userId: to.userId,
      signUp: to.signUp,
      nobody: to.nobody,
      sentAt,
      expiresAt: sentAt + credential.lifetimeSeconds,
      deliveredToHash: to.recipient.ownHash,
      linkHash: credential.linkHash,
    }),
  };
}

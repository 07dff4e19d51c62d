import { hashSecret, newSecret } from '../../shared/domain/basis/random.ts';
import { linkLifetimeSeconds } from '../../shared/domain/credentials/magic-link.ts';
import { passcodeSettings } from '../../shared/domain/credentials/passcode-settings.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { loginPath } from '../../shared/flows/hosted-login/show-page.ts';
import {
  composeCode,
  composeLinkMail,
  type LoginLink,
  type Message,
  type SenderPorts,
} from '../../shared/flows/sending/message.ts';
import { deliverPasscode, makePasscode } from '../../shared/flows/sending/send-passcode.ts';
import type { GuessCounter, OneTimeCodeKey } from '../../shared/ports/flows.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { canContainLink, type PasscodeChannel } from '../../shared/records/channels.ts';
import { deviceName } from '../../shared/templates/device-name.ts';
import type { MailInput } from '../../shared/templates/messages/email.ts';
import type { HostedAddressee } from './addressee.ts';

export type CredentialPorts = SenderPorts &
  PortsWith<'codeMac' | 'otps.put' | 'otps.restore' | 'testCodes.put'>;

/** Lifetime of a code or link that was sent, and the hash of the link if there is one. */
interface SentCredential {
  readonly lifetimeSeconds: number;
  /** SHA-256 hash of the code in the link. */
  readonly linkHash?: string;
}

/** Functions that deliver a message and report its failure. */
export interface MessageDelivery {
  /** Composes and delivers a message. Does neither if no message may be sent to this address. */
  readonly deliver: (compose: () => Promise<Message>) => Promise<void>;
  /** Logs the error of a delivery that the page must not show, because the error would reveal that a user has the address. */
  readonly report?: (error: unknown) => void;
}

/** Creates a link that continues this login. The hash of the link's code is stored in the login itself. */
function newLink({ application, settings, login }: LoginContext): LoginLink & { readonly linkHash: string } {
  const code = newSecret();
  return {
    url: `${settings.browserOrigin}${loginPath(login.loginId)}?link=${code}`,
    lifetimeSeconds: linkLifetimeSeconds(application.loginPreferences?.link ?? {}, undefined),
    linkHash: hashSecret(code),
  };
}

/** Code to be sent: its storage key, the counter for attempts, and functions that deliver the code. */
interface Sending extends MessageDelivery {
  readonly channel: PasscodeChannel;
  readonly key: OneTimeCodeKey;
  readonly counter: GuessCounter;
  readonly adds: boolean | undefined;
}

/** Returns the purpose that the message states: to reinstate a superseded address, to sign up, or to confirm an address. */
function choosePurpose(
  { kind, isSuperseded }: HostedAddressee,
  adds: boolean | undefined,
): MailInput['purpose'] {
  if (isSuperseded) return 'letIn';
  if (kind === 'signUp') return 'signUp';
  return adds ? 'confirm' : undefined;
}

/** Returns the recipient and the appearance of a message, and the time and device of the request that causes it. */
const toEnvelope = (
  { application, settings, language, brand, now, userAgent, requestId }: LoginContext,
  to: string,
) => ({
  to,
  application,
  settings,
  language,
  brand,
  requested: { at: now, device: deviceName(language, userAgent) },
  requestId,
});

/**
 * Stores a passcode with the counter for its attempts, and delivers it. A mail also contains a link if the application uses
 * links. Code and link are saved from the same version of the login, so only one of them can succeed.
 */
export async function sendPasscode(
  ports: CredentialPorts,
  context: LoginContext,
  addressee: HostedAddressee,
  { channel, key, counter, adds, deliver, report }: Sending,
): Promise<SentCredential> {
  const { application, client, login, now } = context;
  const { kind, userId, recipient, isSuperseded } = addressee;
  const { approvalData } = login.request;
  const preference = application.loginPreferences?.[channel] ?? {};
  // A mail to a new address contains no link, because opening a link adds a factor to the login, and a new address must not
  // count as one.
  const withLink = canContainLink(channel) && !adds && application.loginPreferences?.link;
  const link = withLink ? newLink(context) : undefined;
  const passcode = await makePasscode(ports, key, passcodeSettings(preference, undefined), now);
  const envelope = toEnvelope(context, recipient.address);
  // A mail to a superseded address contains no link: an owner who opens the link of a login that an attacker
  // has begun would reinstate the address for the attacker. The page shows the same text for all addresses.
  const body = {
    ...passcode,
    link: isSuperseded ? undefined : link,
    purpose: choosePurpose(addressee, adds),
    content: undefined,
    approvalData,
    host: new URL(context.settings.browserOrigin).hostname,
  };
  const compose = async () => composeCode[channel](ports, envelope, body);
  const fields = {
    kind: kind === 'signUp' ? kind : 'known',
    userId,
    clientId: client.clientId,
    channel,
    ...counter,
    approvalData,
    purpose: 'hosted',
    sentAt: now,
  } as const;
  await deliverPasscode(ports, passcode, fields, { recipient, deliver: () => deliver(compose), report });
  return link ?? passcode;
}

/** Sends a mail with a link and without a passcode. */
export async function sendLink(
  ports: CredentialPorts,
  context: LoginContext,
  addressee: HostedAddressee,
  { adds, deliver, report }: Pick<Sending, 'adds' | 'deliver' | 'report'>,
): Promise<SentCredential> {
  const { recipient } = addressee;
  const link = newLink(context);
  const { approvalData } = context.login.request;
  const envelope = toEnvelope(context, recipient.address);
  const purpose = choosePurpose(addressee, adds);
  const body = { ...link, content: undefined, purpose, isBoundToBrowser: true, approvalData };
  // A test user has no mailbox, so nothing is sent. The page is the same.
  if (recipient.testUserId === undefined) {
    const delivered = deliver(() => composeLinkMail(ports, envelope, body));
    await (report ? delivered.catch(report) : delivered);
  }
  return link;
}

import { hashSecret, newSecret } from '../../shared/domain/basis/random.ts';
import { linkLifetimeSeconds } from '../../shared/domain/credentials/magic-link.ts';
import { passcodeSettings } from '../../shared/domain/credentials/passcode-settings.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { loginPath } from '../../shared/flows/hosted-login/show-page.ts';
import {
  composeCodeMail,
  composeLinkMail,
  composeSms,
  type LoginLink,
  type Message,
} from '../../shared/flows/sending/message.ts';
import { deliverPasscode, makePasscode } from '../../shared/flows/sending/send-passcode.ts';
import type { GuessCounter, OneTimeCodeKey } from '../../shared/ports/flows.ts';
import type { Using } from '../../shared/ports/uses.ts';
import type { MailInput } from '../../shared/templates/messages/email.ts';
import type { HostedAddressee } from './addressee.ts';

export type CredentialPorts = Using<
  'codeMac' | 'otps.put' | 'otps.restore' | 'testCodes.put' | 'mailer' | 'smsSender'
>;

interface SentCredential {
  readonly lifetimeSeconds: number;
  /** SHA-256 of a link's code. */
  readonly linkHash?: string;
}

export interface Delivering {
  /** Delivers a message, where it may go out at all. */
  readonly deliver: (compose: () => Promise<Message>) => Promise<void>;
  /** Takes the error of a delivery that the page must not tell of. */
  readonly report?: (error: unknown) => void;
}

/** A link to this very login, which keeps the link's hash itself. */
function newLink({ application, settings, login }: LoginContext): LoginLink & { readonly linkHash: string } {
  const code = newSecret();
  return {
    url: `${settings.browserOrigin}${loginPath(login.loginId)}?link=${code}`,
    lifetimeSeconds: linkLifetimeSeconds(application.loginPreferences?.link ?? {}, undefined),
    linkHash: hashSecret(code),
  };
}

interface Sending extends Delivering {
  readonly channel: 'email' | 'sms';
  readonly key: OneTimeCodeKey;
  readonly counter: GuessCounter;
  readonly adds: boolean | undefined;
}

function purposeOf({ kind, isShutOut }: HostedAddressee, adds: boolean | undefined): MailInput['purpose'] {
  if (isShutOut) return 'letIn';
  if (kind === 'signUp') return 'signUp';
  return adds ? 'confirm' : undefined;
}

/**
 * Stores digits, with where their tries count, and delivers them. By mail a link comes along where the application has links:
 * what either proves is saved from one version of the login, so of both one counts.
 */
export async function sendDigits(
  ports: CredentialPorts,
  context: LoginContext,
  addressee: HostedAddressee,
  { channel, key, counter, adds, deliver, report }: Sending,
): Promise<SentCredential> {
  const { application, client, settings, login, language, brand, now } = context;
  const { kind, userId, recipient, isShutOut } = addressee;
  const { approvalData } = login.request;
  const preference = application.loginPreferences?.[channel] ?? {};
  // A link is a factor of its login, and an address that is added is none.
  const withLink = channel === 'email' && !adds && application.loginPreferences?.link;
  const link = withLink ? newLink(context) : undefined;
  const passcode = await makePasscode(ports, key, passcodeSettings(preference, undefined), now);
  const envelope = { to: recipient.address, application, settings, language, brand };
  // Who opens a link need not be who has begun the login: it lets nothing in again. The page says the same for all.
  const body = {
    ...passcode,
    link: isShutOut ? undefined : link,
    purpose: purposeOf(addressee, adds),
    content: undefined,
    approvalData,
  };
  const compose = async () =>
    channel === 'sms'
      ? composeSms(ports, envelope, { ...passcode, host: new URL(settings.browserOrigin).hostname })
      : composeCodeMail(ports, envelope, body);
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

/** Sends a link alone. */
export async function sendLink(
  ports: CredentialPorts,
  context: LoginContext,
  addressee: HostedAddressee,
  { adds, deliver, report }: Pick<Sending, 'adds' | 'deliver' | 'report'>,
): Promise<SentCredential> {
  const { application, settings, login, language, brand } = context;
  const { recipient } = addressee;
  const link = newLink(context);
  const { approvalData } = login.request;
  const envelope = { to: recipient.address, application, settings, language, brand };
  const purpose = purposeOf(addressee, adds);
  const body = { ...link, content: undefined, purpose, opensWhereBegan: true, approvalData };
  // The page is the same for a test user, who has no mailbox.
  if (recipient.testUserId === undefined) {
    const delivered = deliver(() => composeLinkMail(ports, envelope, body));
    await (report ? delivered.catch(report) : delivered);
  }
  return link;
}

import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { SEND_ANSWER_MILLISECONDS } from '../../shared/domain/basis/limits.ts';
import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { guessCounter } from '../../shared/domain/credentials/guesses.ts';
import { isKnownBrowser } from '../../shared/domain/credentials/known-device.ts';
import { toLoginSlot } from '../../shared/domain/credentials/one-time-code.ts';
import {
  listEarlierLinks,
  type PendingCredential,
  sealAddress,
} from '../../shared/domain/hosted-login/login-transaction.ts';
import { canReceiveMail } from '../../shared/domain/identifiers/email-address.ts';
import { normaliseIdentifier } from '../../shared/domain/identifiers/identifier.ts';
import {
  countAddress,
  countMaybeSignUp,
  networkHash,
} from '../../shared/domain/rate-limits/address-window.ts';
import { countSend, type MessageRequester } from '../../shared/domain/rate-limits/send-window.ts';
import { countSmsBudget } from '../../shared/domain/rate-limits/sms-budget.ts';
import { countSmsPrefix, limitedNumber } from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import { withMinimumDuration } from '../../shared/domain/sending/at-least.ts';
import { requireDeliverable, requireMaySend } from '../../shared/domain/sending/delivery.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { allowsSignUp, type LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { toAddressAuditContext, toMessageSubject } from '../../shared/flows/sending/message-facts.ts';
import type { AuditContext, Settings } from '../../shared/operation.ts';
import type { Identifier } from '../../shared/ports/people.ts';
import type { PortsWith } from '../../shared/ports/uses.ts';
import { type AddressType, type Channel, channels, sendsCode } from '../../shared/records/channels.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import { findAddingUser, findAddressee, type HostedAddressee } from './addressee.ts';
import { type CredentialPorts, type MessageDelivery, sendLink, sendPasscode } from './send-credential.ts';

export type SendPorts = CredentialPorts &
  PortsWith<'identifiers' | 'users.find' | 'windows.count' | 'knownDevices.isKnown'>;

/** Request to send a code or link during a login. */
export interface SendRequest {
  readonly channel: Channel;
  /** Address as typed, or as stored in the user's record. */
  readonly address: string;
  /** True if the address is to be added to the user. Such an address does not count as a factor of the login. */
  readonly adds?: boolean | undefined;
  readonly isResent?: true;
}

/** Addressee of a message, the error of an exceeded rate limit, and the function that writes to the audit log. */
interface Delivery {
  readonly to: HostedAddressee;
  /** Error of a rate limit that is exceeded; undefined if the message may be sent. */
  readonly overLimit: unknown;
  readonly audit: (context: AuditContext) => void;
}

/** Result of sending a code or link: the pending credential, or the error to show on the page. */
export type SendResult = { readonly pending: PendingCredential } | { readonly error: PageError };

/**
 * Returns functions that deliver a message if a user has the address or may sign up with it, and otherwise do nothing. A page
 * that showed a failed delivery or an exceeded budget would reveal that a user has the address (N122). Before the first factor,
 * such a failure is therefore only logged. The user can request the message again.
 */
function deliveryTo(
  ports: SendPorts,
  { tenant, settings, login, now }: LoginContext,
  { channel, adds }: SendRequest,
  { to, overLimit, audit }: Delivery,
): MessageDelivery {
  const { kind, recipient } = to;
  if (kind === 'unknown')
    return {
      deliver: async () => {
        audit({ refusal: to.isDisabled ? 'user_disabled' : 'no_user' });
        // A user whose deletion is pending gets a separate notice with the link to cancel it, because they cannot log in.
        if (to.isDeletionPending && overLimit === undefined) audit({ events: ['user.erasure_reminded'] });
      },
    };
  const toUnknownNumber = kind === 'signUp' || adds === true;
  const deliver: MessageDelivery['deliver'] = async (compose) => {
    if (overLimit !== undefined) throw overLimit;
    requireDeliverable(recipient);
    await countSmsBudget(ports, { tenant, channel, toUnknownNumber, settings, audit, now });
    const { send, auditContext } = await compose();
    audit({ ...auditContext });
    audit({ ...(await send(toMessageSubject(to, recipient.ownHash))), sent: channel });
  };
  if (login.progress.userId !== undefined) return { deliver };
  const report = (error: unknown) =>
    audit({
      refusal: 'failed',
      ...(error instanceof ServiceError
        ? { ...error.detail.audit, result: error.key, cause: error.detail.cause }
        : { result: 'internal_error', cause: error }),
    });
  return { deliver, report };
}

/** Sender of a message by address type. The page names the sender, so that the user can look for the message. */
const SHOWN_SENDER: Readonly<Record<AddressType, (settings: Settings) => string | undefined>> = {
  email: ({ mailFrom }) => mailFrom,
  phone_number: () => undefined,
};

/** Finds the addressee, applies the rate limits and sends a code or link. Makes the same calls whether or not a user exists. */
async function sendToIdentifier(
  ports: SendPorts,
  context: LoginContext,
  wanted: SendRequest & { readonly identifier: Identifier },
  audit: (context: AuditContext) => void,
): Promise<SendResult> {
  const { application, tenant, browser, sourceAddress, now } = context;
  const { channel, adds, identifier } = wanted;
  const finding = (
    adds || context.login.request.undo || context.login.progress.sealedSignUp !== undefined
      ? findAddingUser(ports, context, identifier)
      : findAddressee(ports, context, identifier)
  ).then((found) => {
    // The user ID is logged before the rate limits apply, so that a rejected message appears in the user's events.
    if (found.knownId !== undefined) audit({ userId: found.knownId });
    return found;
  });
  const [to] = await awaitAll(
    finding,
    countAddress(ports, context, sourceAddress),
    countSmsPrefix(ports, { ...context, audit }, limitedNumber(channel, identifier.value)),
  );
  const { applicationId } = application;
  const identifierHash = to.recipient.ownHash;
  const signedIn = context.login.progress.userId !== undefined;
  // For an unverified address no device counts as known, because an attacker may have added the address.
  const isNew = signedIn && !to.isVerified;
  const isKnown = !isNew && (await isKnownBrowser(ports, browser, to.userId, now));
  const requester: MessageRequester =
    isKnown || (signedIn && !isNew)
      ? { kind: 'known' }
      : { kind: 'stranger', network: networkHash(tenant, sourceAddress) };
  const [, overLimit] = await awaitAll(
    countSend(ports, context, { channel, recipient: to.quotaHash, requester }),
    signedIn || !allowsSignUp(context)
      ? Promise.resolve()
      : countMaybeSignUp(ports, context, sourceAddress, to.kind === 'signUp'),
  );
  const key = { applicationId, identifierHash, slot: toLoginSlot(context.login.transaction.hash) };
  const browserHash = isKnown ? browser.hash : undefined;
  // An unverified address is treated as unknown: the attempts of all callers share one counter.
  const person = isNew ? ({ ...to, kind: 'unknown' } as const) : to;
  const counter = guessCounter(tenant, person, identifierHash, { browserHash, signedIn });
  const delivering = deliveryTo(ports, context, wanted, { to, overLimit, audit });
  let earlierLinks: PendingCredential['earlierLinks'];
  const { report } = delivering;
  const sending: MessageDelivery = report
    ? {
        ...delivering,
        report: (error) => {
          earlierLinks = listEarlierLinks(context.login.progress.pending, identifierHash);
          report(error);
        },
      }
    : delivering;
  const { lifetimeSeconds, linkHash } = sendsCode(channel)
    ? await sendPasscode(ports, context, to, { channel, key, counter, adds, ...sending })
    : await sendLink(ports, context, to, { adds, ...sending });
  const { kind, userId } = to;
  audit({ channel });
  // The time is read after the delivery, which may be slow, because the page counts the delay until a resend from this time.
  const sentAt = nowSeconds();
  return {
    pending: omitUndefined<PendingCredential>({
      channel,
      adds: adds || undefined,
      sealedAddress: sealAddress(browser, wanted.address.trim()),
      codeKey: identifierHash,
      kind,
      userId,
      sentAt,
      isResent: wanted.isResent,
      sender: SHOWN_SENDER[channels[channel].address](context.settings),
      expiresAt: sentAt + lifetimeSeconds,
      deliveredToHash: to.recipient.ownHash,
      linkHash,
      earlierLinks,
    }),
  };
}

/**
 * Sends a code or link to an address, if a user has the address or may sign up with it. The page does not reveal if a user
 * exists and, for the first factor, neither does the response time.
 * @throws `rate_limited`, and errors of the delivery
 */
export async function sendCredential(
  ports: SendPorts,
  context: LoginContext,
  wanted: SendRequest,
  audit: (context: AuditContext) => void,
): Promise<SendResult> {
  const { application, settings, login } = context;
  // After the first factor, a code by email is allowed even if the application has switched it off: the code may be the user's
  // only way to prove a fresh login.
  const confirmsByMail = wanted.channel === 'email' && login.progress.userId !== undefined;
  if (!application.loginPreferences?.[wanted.channel] && !confirmsByMail)
    return { error: { key: 'method_unavailable' } };
  const { address: type } = channels[wanted.channel];
  const identifier = normaliseIdentifier(type, wanted.address);
  if (!identifier) return { error: { key: 'identifier_invalid' } };
  // An address that cannot receive mail is rejected whether or not a user has it.
  if (type === 'email' && !canReceiveMail(identifier.value)) return { error: { key: 'email_unmailable' } };
  audit(toAddressAuditContext(context.tenant, identifier));
  requireMaySend(settings, wanted.channel, identifier.value);
  const sending = sendToIdentifier(ports, context, { ...wanted, identifier }, audit);
  const isStranger = login.progress.userId === undefined && settings.rateLimits === 'on';
  return isStranger ? withMinimumDuration(SEND_ANSWER_MILLISECONDS, sending) : sending;
}

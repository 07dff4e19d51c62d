import { atLeast } from '../../shared/domain/basis/at-least.ts';
import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { SEND_ANSWER_MILLISECONDS } from '../../shared/domain/basis/limits.ts';
import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { guessCounter } from '../../shared/domain/credentials/guesses.ts';
import { isKnownBrowser } from '../../shared/domain/credentials/known-device.ts';
import { slotOfLogin } from '../../shared/domain/credentials/one-time-code.ts';
import {
  type HostedChannel,
  linksBefore,
  type PendingCredential,
  sealAddress,
} from '../../shared/domain/hosted-login/login-transaction.ts';
import { takesMail } from '../../shared/domain/identifiers/email-address.ts';
import { normaliseIdentifier } from '../../shared/domain/identifiers/identifier.ts';
import {
  countAddress,
  countMaybeSignUp,
  networkHash,
} from '../../shared/domain/rate-limits/address-window.ts';
import { type Asker, countSend } from '../../shared/domain/rate-limits/send-window.ts';
import { countSmsBudget } from '../../shared/domain/rate-limits/sms-budget.ts';
import { countSmsPrefix } from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import { requireDeliverable, requireTextable } from '../../shared/domain/sending/delivery.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { allowsSignUp, type LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import { addressFacts, subjectOf } from '../../shared/flows/sending/message-facts.ts';
import type { AuditContext } from '../../shared/operation.ts';
import type { Identifier } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import { findAddressee, findHolder, type HostedAddressee } from './addressee.ts';
import { type CredentialPorts, type Delivering, sendDigits, sendLink } from './send-credential.ts';

export type SendPorts = CredentialPorts &
  Using<'identifiers' | 'users.find' | 'windows.count' | 'knownDevices.isKnown'>;

export interface Wanted {
  readonly channel: HostedChannel;
  /** The address as typed, or as the user's record has it. */
  readonly address: string;
  /** The number is to be added to the user; it is no factor of the login. */
  readonly adds?: boolean | undefined;
  readonly isResent?: true;
}

interface Delivery {
  readonly to: HostedAddressee;
  /** The refusal of a count that failed. */
  readonly overLimit: unknown;
  readonly audit: (context: AuditContext) => void;
}

export type Sent = { readonly pending: PendingCredential } | { readonly error: PageError };

/**
 * Delivers to a user, and not to an unknown one. A delivery or a budget can fail for an address with a user only. Before the
 * first factor such a failure stands in the log alone: on the page it would reveal the user (N122). The person can resend.
 */
function deliveryTo(
  ports: SendPorts,
  { tenant, settings, login, now }: LoginContext,
  { channel, adds }: Wanted,
  { to, overLimit, audit }: Delivery,
): Delivering {
  const { kind, recipient } = to;
  if (kind === 'unknown')
    return {
      deliver: async () => {
        audit({ refusal: to.isDisabled ? 'user_disabled' : 'no_user' });
        // A notice tells of it: what it has to say is no part of a login.
        if (to.isLeaving && overLimit === undefined) audit({ events: ['user.erasure_reminded'] });
      },
    };
  const toStranger = kind === 'signUp' || adds === true;
  const deliver: Delivering['deliver'] = async (compose) => {
    if (overLimit !== undefined) throw overLimit;
    requireDeliverable(recipient);
    await countSmsBudget(ports, { tenant, channel, toStranger, settings, audit, now });
    const { send, auditContext } = await compose();
    audit({ ...auditContext });
    audit({ ...(await send(subjectOf(to, recipient.ownHash))), sent: channel });
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

async function sendToIdentifier(
  ports: SendPorts,
  context: LoginContext,
  wanted: Wanted & { readonly identifier: Identifier },
  audit: (context: AuditContext) => void,
): Promise<Sent> {
  const { application, tenant, browser, sourceAddress, now } = context;
  const { channel, adds, identifier } = wanted;
  const finding = (
    adds || context.login.request.undo || context.login.progress.sealedSignUp !== undefined
      ? findHolder(ports, context, identifier)
      : findAddressee(ports, context, identifier)
  ).then((found) => {
    // A refused count is also in the user’s events.
    if (found.knownId !== undefined) audit({ userId: found.knownId });
    return found;
  });
  const [to] = await awaitAll(
    finding,
    countAddress(ports, context, sourceAddress),
    countSmsPrefix(ports, { ...context, audit }, channel === 'sms' ? identifier.value : undefined),
  );
  const { applicationId } = application;
  const identifierHash = to.recipient.ownHash;
  const signedIn = context.login.progress.userId !== undefined;
  // The holder of an address that this login is to prove has no known device yet: another may have set it.
  const isNew = signedIn && !to.isVerified;
  const isKnown = !isNew && (await isKnownBrowser(ports, browser, to.userId, now));
  const asker: Asker =
    isKnown || (signedIn && !isNew)
      ? { kind: 'known' }
      : { kind: 'stranger', network: networkHash(tenant, sourceAddress) };
  const [, overLimit] = await awaitAll(
    countSend(ports, context, { channel, recipient: to.countedAs, asker }),
    signedIn || !allowsSignUp(context)
      ? Promise.resolve()
      : countMaybeSignUp(ports, context, sourceAddress, to.kind === 'signUp'),
  );
  const key = { applicationId, identifierHash, slot: slotOfLogin(context.login.transaction.hash) };
  const browserHash = isKnown ? browser.hash : undefined;
  // Such an address is another's until it is proven: all tries count together.
  const person = isNew ? ({ ...to, kind: 'unknown' } as const) : to;
  const counter = guessCounter(tenant, person, identifierHash, { browserHash, signedIn });
  const delivering = deliveryTo(ports, context, wanted, { to, overLimit, audit });
  let earlierLinks: PendingCredential['earlierLinks'];
  const { report } = delivering;
  const sending: Delivering = report
    ? {
        ...delivering,
        report: (error) => {
          earlierLinks = linksBefore(context.login.progress.pending, identifierHash);
          report(error);
        },
      }
    : delivering;
  const { lifetimeSeconds, linkHash } =
    channel === 'link'
      ? await sendLink(ports, context, to, { adds, ...sending })
      : await sendDigits(ports, context, to, { channel, key, counter, adds, ...sending });
  const { kind, userId } = to;
  audit({ channel });
  // After the delivery, which may be slow: the page counts the seconds to a resend from here.
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
      sender: channel === 'sms' ? undefined : context.settings.mailFrom,
      expiresAt: sentAt + lifetimeSeconds,
      deliveredToHash: to.recipient.ownHash,
      linkHash,
      earlierLinks,
    }),
  };
}

/**
 * Sends a code or a link to an address that has a user. Neither the page nor, for the first factor, its time tells whether
 * it has one. Errors: `rate_limited`, and of the delivery.
 */
export async function sendCredential(
  ports: SendPorts,
  context: LoginContext,
  wanted: Wanted,
  audit: (context: AuditContext) => void,
): Promise<Sent> {
  const { application, settings, login } = context;
  // After the first factor the page offers a code to the mailbox where nothing else shows a fresh login.
  const confirmsByMail = wanted.channel === 'email' && login.progress.userId !== undefined;
  if (!application.loginPreferences?.[wanted.channel] && !confirmsByMail)
    return { error: { key: 'method_unavailable' } };
  const type = wanted.channel === 'sms' ? 'phone_number' : 'email';
  const identifier = normaliseIdentifier(type, wanted.address);
  if (!identifier) return { error: { key: 'identifier_invalid' } };
  // For every such address alike, known or not.
  if (type === 'email' && !takesMail(identifier.value)) return { error: { key: 'email_unmailable' } };
  audit(addressFacts(context.tenant, identifier));
  if (type === 'phone_number') requireTextable(settings, identifier.value);
  const sending = sendToIdentifier(ports, context, { ...wanted, identifier }, audit);
  const isStranger = login.progress.userId === undefined && settings.rateLimits === 'on';
  return isStranger ? atLeast(SEND_ANSWER_MILLISECONDS, sending) : sending;
}

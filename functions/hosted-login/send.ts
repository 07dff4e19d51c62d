import { atLeast } from '../../shared/domain/basis/at-least.ts';
import { awaitAll } from '../../shared/domain/basis/await-all.ts';
import { SEND_ANSWER_MILLISECONDS } from '../../shared/domain/basis/limits.ts';
import { omitUndefined } from '../../shared/domain/basis/omit-undefined.ts';
import { nowSeconds } from '../../shared/domain/basis/time.ts';
import { hostedCodeKey, strangersKey } from '../../shared/domain/credentials/known-device.ts';
import {
  type HostedChannel,
  type PendingCredential,
  sealAddress,
} from '../../shared/domain/hosted-login/login-transaction.ts';
import { normaliseIdentifier } from '../../shared/domain/identifiers/identifier.ts';
import { countAddress } from '../../shared/domain/rate-limits/address-window.ts';
import { countSend } from '../../shared/domain/rate-limits/send-window.ts';
import { countSmsBudget } from '../../shared/domain/rate-limits/sms-budget.ts';
import { countSmsPrefix } from '../../shared/domain/rate-limits/sms-prefix-window.ts';
import {
  requireDeliverable,
  requireTextable,
  storeAndDeliver,
} from '../../shared/domain/sending/delivery.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import type { LoginContext } from '../../shared/flows/hosted-login/login-context.ts';
import type { AuditContext } from '../../shared/operation.ts';
import type { Identifier } from '../../shared/ports/people.ts';
import type { Using } from '../../shared/ports/uses.ts';
import type { PageError } from '../../shared/templates/parts/form.ts';
import { type Addressee, findAddressee, findHolder } from './addressee.ts';
import { type Credential, type CredentialPorts, linkFor, passcodeFor } from './send-credential.ts';

export type SendPorts = CredentialPorts &
  Using<'identifiers' | 'users.find' | 'windows.count' | 'knownDevices.isKnown'>;

export interface Wanted {
  readonly channel: HostedChannel;
  /** As it was typed, or as it stands on the user's record. */
  readonly address: string;
  /** The number is not a factor but to be added to the user. */
  readonly addsPhone?: boolean | undefined;
}

export type Sent = { readonly pending: PendingCredential } | { readonly error: PageError };

interface Outgoing {
  readonly channel: HostedChannel;
  readonly to: Addressee;
  /** The address is no user's yet. */
  readonly toStranger: boolean;
}

/**
 * Delivers if there is somebody. A delivery fails for addresses that somebody has alone, whoever is at fault, and so does a
 * budget that is used up: before the first factor is given it stands in the log alone, for a page that told it would tell
 * that (N122). Sending again is one click away.
 */
function delivery(
  ports: SendPorts,
  { tenant, settings, login }: LoginContext,
  { deliver, smsParts }: Credential,
  { channel, to, toStranger }: Outgoing,
  audit: (note: AuditContext) => void,
): () => Promise<void> {
  if (to.nobody) return async () => {};
  const isFirst = login.progress.userId === undefined;
  const deliverIfAlive = async () => {
    requireDeliverable(to.recipient);
    await countSmsBudget(ports, { tenant, channel, toStranger, settings, audit });
    await deliver();
    audit({ sent: channel, ...(smsParts === undefined ? {} : { smsParts }) });
  };
  if (!isFirst) return deliverIfAlive;
  return async () => {
    try {
      await deliverIfAlive();
    } catch (error) {
      audit(
        error instanceof ServiceError
          ? { result: error.key, cause: error.detail.cause }
          : { result: 'internal_error', cause: error },
      );
    }
  };
}

async function sendTo(
  ports: SendPorts,
  context: LoginContext,
  wanted: Wanted,
  identifier: Identifier,
  audit: (note: AuditContext) => void,
): Promise<Sent> {
  const { application, tenant, settings, browser, sourceAddress } = context;
  const { channel, addsPhone } = wanted;
  const [to] = await awaitAll(
    addsPhone ? findHolder(ports, context, identifier) : findAddressee(ports, context, identifier),
    countAddress(ports, { tenant, application }, sourceAddress, settings),
    countSmsPrefix(ports, { application, settings, audit }, channel === 'sms' ? identifier.value : undefined),
  );
  const plainKey = { applicationId: application.applicationId, identifierHash: to.recipient.ownHash };
  // A number that is only claimed has no device of its holder yet.
  const key = addsPhone ? strangersKey(plainKey) : await hostedCodeKey(ports, plainKey, browser, to.userId);
  await countSend(ports, application, channel, key.identifierHash, settings);
  const credential =
    channel === 'link' ? linkFor(ports, context, to) : await passcodeFor(ports, context, channel, to, key);
  const toStranger = to.signUp || addsPhone === true;
  const deliver = delivery(ports, context, credential, { channel, to, toStranger }, audit);
  await storeAndDeliver({ ...credential, deliver });
  audit({ channel, ...(to.nobody || to.signUp ? {} : { userId: to.userId }) });
  const sentAt = nowSeconds();
  return {
    pending: omitUndefined<PendingCredential>({
      channel,
      addsPhone: addsPhone || undefined,
      sealedAddress: sealAddress(browser, wanted.address.trim()),
      codeKey: key.identifierHash,
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

/**
 * Sends a code or a link to an address, if it leads to somebody. Whether it does shows in nothing: not in the page, and
 * not in the time that the first of them takes. Errors: `rate_limited`, and of delivery.
 */
export async function sendCredential(
  ports: SendPorts,
  context: LoginContext,
  wanted: Wanted,
  audit: (note: AuditContext) => void,
): Promise<Sent> {
  const { application, settings, login } = context;
  if (!application.loginPreferences?.[wanted.channel]) return { error: { key: 'method_unavailable' } };
  const type = wanted.channel === 'sms' ? 'phone_number' : 'email';
  const identifier = normaliseIdentifier(type, wanted.address);
  if (!identifier) return { error: { key: 'identifier_invalid' } };
  if (type === 'phone_number') requireTextable(settings, identifier.value);
  const sending = sendTo(ports, context, wanted, identifier, audit);
  const isStranger = login.progress.userId === undefined && settings.rateLimits === 'on';
  return isStranger ? atLeast(SEND_ANSWER_MILLISECONDS, sending) : sending;
}

import { awaitAll } from '../../domain/basis/await-all.ts';
import { omitUndefined, type WithUndefined } from '../../domain/basis/omit-undefined.ts';
import { newDigits } from '../../domain/basis/random.ts';
import { guessCounter } from '../../domain/credentials/guesses.ts';
import { codeKey, computePasscodeMac, toClientSlot } from '../../domain/credentials/one-time-code.ts';
import type { PasscodeSettings } from '../../domain/credentials/passcode-settings.ts';
import { findHolderId } from '../../domain/identifiers/identifier.ts';
import { identifierHash } from '../../domain/identifiers/identifier-hash.ts';
import {
  countReportedAddress,
  countReportedSignUp,
  reportedNetwork,
} from '../../domain/rate-limits/address-window.ts';
import { countSend, recipientHash } from '../../domain/rate-limits/send-window.ts';
import { refundSmsOnFailure, withinSmsBudget } from '../../domain/rate-limits/sms-budget.ts';
import {
  countSmsPrefix,
  countSmsPrefixInParallel,
  limitedNumber,
  toSmsPrefix,
} from '../../domain/rate-limits/sms-prefix-window.ts';
import { type Recipient, storeAndDeliver } from '../../domain/sending/delivery.ts';
import type { AuditContext, ClientCaller, Settings } from '../../operation.ts';
import type { Device, OneTimeCodeKey, StoredCode } from '../../ports/flows.ts';
import type { Identifier } from '../../ports/people.ts';
import type { ApprovalData } from '../../ports/signing.ts';
import type { PortsWith } from '../../ports/uses.ts';
import type { Message } from './message.ts';
import { toMessageSubject } from './message-facts.ts';

/** Newly generated passcode that is not stored yet. */
interface Passcode extends Omit<PasscodeSettings, 'digits'> {
  readonly key: OneTimeCodeKey;
  readonly digits: string;
  readonly mac: string;
}

/** Generates a passcode and its MAC. The MAC depends on the application and the identifier for which the passcode is sent. */
export async function makePasscode(
  ports: PortsWith<'codeMac'>,
  key: OneTimeCodeKey,
  settings: PasscodeSettings,
  at: number,
): Promise<Passcode> {
  const digits = newDigits(settings.digits);
  return { ...settings, key, digits, mac: await computePasscodeMac(ports, key, digits, at) };
}

/** Fields of a stored passcode, without its digits, recipient and times. */
type CodeFields = WithUndefined<
  Pick<
    StoredCode,
    'kind' | 'userId' | 'userHash' | 'callerType' | 'clientId' | 'channel' | 'purpose' | 'sentAt'
  > &
    Partial<StoredCode>
>;

/**
 * Stores and delivers a passcode, in parallel. For a test user, stores the digits for the API instead of delivering them.
 * Throws the errors of the delivery.
 */
export async function deliverPasscode(
  ports: PortsWith<'otps.put' | 'otps.restore' | 'testCodes.put'>,
  { key, digits, mac, maxTries, lockSeconds, lifetimeSeconds }: Passcode,
  fields: CodeFields,
  {
    recipient,
    deliver,
    report,
  }: {
    readonly recipient: Recipient | undefined;
    readonly deliver: () => Promise<void>;
    readonly report?: ((error: unknown) => void) | undefined;
  },
): Promise<void> {
  const limited = limitedNumber(fields.channel, recipient?.address);
  const code = omitUndefined<StoredCode>({
    ...fields,
    mac,
    maxTries,
    lockSeconds,
    expiresAt: fields.sentAt + lifetimeSeconds,
    deliveredToHash: recipient?.ownHash,
    alternativeHash: recipient?.alternativeHash,
    smsPrefix: limited && toSmsPrefix(limited),
  });
  const { channel, sentAt, expiresAt } = code;
  const keep = (userId: string) =>
    ports.testCodes.put({ userId, ...key, code: digits, mac, channel, sentAt, expiresAt });
  const testUserId = recipient?.testUserId;
  await storeAndDeliver({
    store: () => ports.otps.put(key, code),
    deliver: testUserId === undefined ? deliver : () => keep(testUserId),
    report,
    onRefused: async (replaced) => {
      // Without an earlier code, `restore` would invalidate this code. Hosted pages, which pass `report`, must not reveal in
      // this way that the message was rejected. There, the undelivered code stays stored, and attempts are counted as for any
      // other code.
      if (replaced.length > 0 || report === undefined) await ports.otps.restore(key, mac, replaced);
    },
    // The message may have arrived despite the error, so the new code and the earlier codes all stay valid.
    onUnknown: async (replaced) => {
      if (replaced.length > 0) await ports.otps.restore(key, mac, [code, ...replaced]);
    },
  });
}

/** Validated request from a backend for a passcode, before the user is looked up. */
export interface PasscodeRequest {
  readonly channel: StoredCode['channel'];
  readonly identifier: Identifier;
  /** Address that receives the message instead of the user's own address. */
  readonly alternative?: Identifier | undefined;
  /** Phone number to which an SMS is sent, if the request contains the number. */
  readonly number: string | undefined;
  readonly settings: PasscodeSettings;
  readonly approvalData: ApprovalData | undefined;
  /** Device of the user, as the backend reports it. */
  readonly device: Device;
  /** Hash of the request ID. The code is stored apart from other codes under this ID, so that other requests cannot use it. */
  readonly requestIdHash?: string | undefined;
  /** Further fields to store with the passcode. */
  readonly fields: WithUndefined<Pick<StoredCode, 'purpose'> & Partial<StoredCode>>;
  /** Additional check that runs in parallel with the look-up of the user. */
  readonly check?: () => Promise<unknown>;
  /**
   * Finds the user and counts the message, in parallel. If no user has the identifier and sign-up is not possible, throws
   * before an SMS is counted. The result has no recipient for the channel `direct`.
   */
  readonly resolveRecipient: (
    holderId: string | undefined,
    count: () => Promise<void>,
  ) => Promise<Pick<StoredCode, 'kind' | 'userId'> & { readonly recipient: Recipient | undefined }>;
  readonly compose: (
    recipient: { readonly to: string; readonly language: string | undefined },
    body: Pick<Passcode, 'digits' | 'lifetimeSeconds'> & Pick<PasscodeRequest, 'approvalData'>,
  ) => Message | Promise<Message>;
}

/**
 * Sends a passcode for a backend in three round trips and returns its digits. Errors: `rate_limited`, and the errors of `order`
 * and of the delivery.
 */
export async function sendPasscode(
  ports: PortsWith<
    | 'identifiers'
    | 'windows.count'
    | 'windows.uncount'
    | 'codeMac'
    | 'otps.put'
    | 'otps.restore'
    | 'testCodes.put'
  >,
  input: {
    readonly caller: ClientCaller;
    readonly request: { readonly now: number };
    readonly settings: Settings;
    readonly audit: (context: AuditContext) => void;
  },
  order: PasscodeRequest,
): Promise<string> {
  const { caller, settings, audit } = input;
  const { now } = input.request;
  const { application, tenant, client } = caller;
  const { channel, identifier, alternative, number, approvalData } = order;
  const slot = toClientSlot(application, client.clientId, order.requestIdHash);
  const key = codeKey(tenant, application, identifier, slot);
  const sender = { ...caller, settings, now };
  const sms = { ...sender, channel, audit };
  // First round trip: users of the addresses, and the limits that do not depend on the user.
  const [holderId, alternativeId, passcode] = await awaitAll(
    findHolderId(ports, tenant, identifier),
    alternative ? findHolderId(ports, tenant, alternative) : Promise.resolve(undefined),
    makePasscode(ports, key, order.settings, now),
    order.check?.() ?? Promise.resolve(),
    countReportedAddress(ports, sender, order.device),
    countSmsPrefix(ports, sms, number),
  );
  const recipientId = alternative ? alternativeId : holderId;
  const counted = {
    channel,
    recipient: recipientHash(tenant, recipientId, alternative ?? identifier),
    requester: { kind: 'backend', network: reportedNetwork(caller, order.device) },
  } as const;
  const count = async () => {
    await awaitAll(
      countSend(ports, sender, counted),
      countReportedSignUp(ports, sender, order.device, holderId),
    );
  };
  // Second round trip: the user, the send limits and the SMS budget.
  const resolving = order.resolveRecipient(holderId, count);
  const spender = { ...sms, toUnknownNumber: holderId === undefined };
  const { recipient, ...user } = await withinSmsBudget(ports, spender, resolving);

  // The message is composed first, because an error must occur before storing and delivering start in parallel.
  const message =
    recipient &&
    (await order.compose(
      { to: recipient.address, language: recipient.language },
      { ...passcode, approvalData },
    ));
  audit(message?.auditContext ?? {});
  // If the number comes only from the user's record, its prefix is counted in parallel with the delivery.
  const uncounted = number === undefined ? limitedNumber(channel, recipient?.address) : undefined;
  const starting = countSmsPrefixInParallel(ports, sms, uncounted && toSmsPrefix(uncounted));
  const { counting } = await refundSmsOnFailure(ports, spender, starting);
  const counter = guessCounter(tenant, user, key.identifierHash);
  const { clientId } = client;
  const fields = { ...order.fields, ...user, ...counter, clientId, channel, approvalData, sentAt: now };
  const subject = toMessageSubject(user, identifierHash(tenant, alternative ?? identifier));
  // Third round trip: store and deliver.
  const deliver = async () => audit((await message?.send(subject)) ?? {});
  if (recipient?.testUserId !== undefined) audit({ refusal: 'test_user' });
  await awaitAll(deliverPasscode(ports, passcode, fields, { recipient, deliver }), counting);
  audit({ sent: channel });
  return passcode.digits;
}

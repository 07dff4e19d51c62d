import { once } from '../domain/basis/await-all.ts';
import { SENT_SMS_KEPT_SECONDS } from '../domain/basis/limits.ts';
import { newId } from '../domain/basis/random.ts';
import { nowSeconds } from '../domain/basis/time.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SenderRefusal } from '../ports/audit.ts';
import type { Delivery, DeliveryTokens, Mailer, SendReceipt, SmsSender } from '../ports/delivery.ts';
import { createAwsCall } from './aws-call.ts';
import { sendOnce } from './sending.ts';
import { type Environment, requireVariable } from './settings.ts';

/** Time limit of an invocation in milliseconds. It leaves enough of a request's time budget for sending the response. */
const INVOKE_MILLISECONDS = 4500;
const RETRY_AFTER_SECONDS = 2;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Reasons with which the function may refuse a message. True if the reason concerns only the recipient. */
const REFUSALS: Readonly<Record<SenderRefusal, boolean>> = {
  provider_refused: false,
  provider_unreachable: false,
  country: true,
  number_at_risk: true,
  mail_bounced: true,
  mail_complaint: true,
};

const isRefusal = (reason: unknown): reason is SenderRefusal =>
  typeof reason === 'string' && Object.hasOwn(REFUSALS, reason);

/**
 * Pattern of a provider's error code in a refusal. It does not match longer texts, because a provider could repeat the
 * recipient's address in them.
 */
const PROVIDER_ERROR = /^[\w.-]{1,24}$/;

type Message = Omit<Parameters<SmsSender['send']>[0] | Parameters<Mailer['send']>[0], 'text' | 'raw'>;

interface Answer {
  readonly outcome?: unknown;
  readonly reason?: unknown;
  readonly provider_error?: unknown;
}

/** Parses the response of the function. Returns an empty object if the response is not a JSON object. */
function readAnswer(body: string | undefined): Answer {
  try {
    const answer: unknown = JSON.parse(body ?? '');
    return typeof answer === 'object' && answer !== null ? answer : {};
  } catch {
    return {};
  }
}

/** Creates the error for an unknown outcome. The message may still arrive, so it must not be sent again. */
const unknownOutcome = (providerError: string) =>
  new ServiceError('service_unavailable', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    mayArrive: true,
    audit: { refusal: 'provider_unreachable', providerError },
  });

/** Throws if the function did not accept the message. The error depends on the reason in the function's response. */
function requireAccepted({ outcome, reason, provider_error: code }: Answer, { facts, to }: Message): void {
  if (outcome === 'accepted') return;
  if (outcome !== 'refused' || !isRefusal(reason))
    throw unknownOutcome(outcome === 'unknown' ? 'FunctionUnknown' : 'FunctionAnswer');
  const isCode = typeof code === 'string' && PROVIDER_ERROR.test(code);
  // The error is logged, and the log must contain neither the code nor the address.
  const isSafe = isCode && !code.includes(facts.code ?? to) && !code.includes(to.replace('+', ''));
  const audit = { refusal: reason, providerError: isSafe ? code : 'FunctionRefused' };
  if (REFUSALS[reason]) throw new ServiceError('recipient_unreachable', { audit });
  if (reason === 'provider_refused')
    throw new ServiceError('external_provider_configuration_error', { audit });
  throw new ServiceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, audit });
}

/** Adds the message ID to an error, so that support can find later delivery reports of the message. */
const withMessageId = (error: ServiceError, messageId: string): ServiceError =>
  Object.assign(error, { detail: { ...error.detail, audit: { ...error.detail.audit, messageId } } });

/** Creates a function that sends messages through a Lambda function of the operator (functions/events/README.md). */
function senderFunction(arn: string, env: Environment, tokens: DeliveryTokens) {
  const invoke = once(() =>
    createAwsCall('lambda', { variable: 'AWS_ENDPOINT_URL_LAMBDA', milliseconds: INVOKE_MILLISECONDS, env }),
  );
  const callbackUrl = `${requireVariable(env, 'BASE_URL').replace(/\/$/, '')}/v1/deliveries/callback`;

  /** Sends a message once. Errors: those for the reasons in `REFUSALS`, and `service_unavailable` if the outcome is unknown. */
  return async (sent: Delivery['sent'], message: Message, content: object): Promise<SendReceipt> => {
    const { to, tenantId, subject, facts, requestId } = message;
    const sentAt = nowSeconds();
    const expiresAt = sentAt + SENT_SMS_KEPT_SECONDS;
    const messageId = newId();
    const token = await tokens.seal({ messageId, sent, to, tenantId, subject, sentAt, expiresAt });
    const body = JSON.stringify({
      version: 1,
      channel: sent,
      to,
      purpose: facts.purpose,
      code: facts.code,
      link: facts.link,
      ...content,
      language: facts.language,
      application: { id: subject.applicationId, name: facts.applicationName },
      message_id: messageId,
      request_id: requestId,
      callback: { url: callbackUrl, token, expires_at: new Date(expiresAt * 1000).toISOString() },
    });
    const path = `/2015-03-31/functions/${encodeURIComponent(arn)}/invocations`;
    try {
      const answer = await sendOnce(() => invoke()({ path, headers: JSON_TYPE, body }), new Set());
      // The function has thrown or exceeded its time limit. It may already have passed the message on.
      if (answer.headers['x-amz-function-error'] !== undefined) throw unknownOutcome('FunctionFailed');
      requireAccepted(readAnswer(answer.body), message);
      return { messageId };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw withMessageId(error, messageId);
    }
  };
}

/** Creates a mailer that sends through a Lambda function of the operator. */
export function functionMailer(arn: string, env: Environment, tokens: DeliveryTokens): Mailer {
  const send = senderFunction(arn, env, tokens);
  return {
    send: ({ from, raw, parts, ...mail }) =>
      send('email', mail, { from, ...parts, mime: Buffer.from(raw).toString('base64') }),
  };
}

/** Creates an SMS sender that sends through a Lambda function of the operator. */
export function functionSmsSender(arn: string, env: Environment, tokens: DeliveryTokens): SmsSender {
  const send = senderFunction(arn, env, tokens);
  return { send: ({ text, senderId, ...sms }) => send('sms', sms, { text, sender_id: senderId }) };
}

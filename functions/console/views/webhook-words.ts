// Texts about the responses of webhook receivers.

import { isJson, type Json } from '../engine/document.ts';
import { renderText, renderTime, toAttributeText } from '../engine/values.ts';

const NOT_TRUSTED = 'its certificate is not trusted';
const TOO_SLOW = 'it did not answer within 5 seconds';

/** Texts for delivery attempts that got no HTTP response, by the code or name of the error in Node.js. */
const ERRORS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed without an answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the host cannot be reached',
  AbortError: TOO_SLOW,
  TimeoutError: TOO_SLOW,
  RefusedTarget: 'the address is not public',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
};

const STATUSES: Readonly<Record<number, string>> = {
  401: 'the receiver asks for a login',
  403: 'the receiver does not let us in',
  404: 'the receiver has no such address',
  410: 'the receiver says that it is gone',
  413: 'the receiver finds the event too large',
  429: 'the receiver gets too many requests',
};

function describeStatus(status: number): string {
  if (status < 300) return 'the receiver accepted the event';
  if (status < 400) return 'the receiver redirects, which is not followed';
  return STATUSES[status] ?? (status < 500 ? 'the receiver refuses the event' : 'the receiver has an error');
}

/** Describes the result of an attempt to post an event, such as `the name does not exist`. */
export function answerHtml({ status, error }: Json): string {
  if (typeof status === 'number') return toAttributeText(`${describeStatus(status)} (answered ${status})`);
  if (typeof error !== 'string') return 'no answer';
  const words = Object.hasOwn(ERRORS, error) ? ERRORS[error] : undefined;
  return words === undefined ? `no answer (${renderText(error)})` : toAttributeText(words);
}

/** Renders a webhook's health as a tag and a sentence. */
export function healthHtml({ health, enabled }: Json): string {
  if (enabled === false) return '<p><span class="tag">Off</span> Nothing is posted until it is enabled.</p>';
  if (!isJson(health)) return '';
  const { state, failing_since, last_attempt_at } = health;
  const last = renderTime(String(last_attempt_at ?? ''));
  if (state === 'failing')
    return `<p><span class="tag off">Failing</span> since ${renderTime(String(failing_since))}. Last answer: ${answerHtml(health)}, ${last}.</p>`;
  if (state === 'delivered')
    return `<p><span class="tag yes">Delivered</span> Last answer: ${answerHtml(health)}, ${last}.</p>`;
  return '<p><span class="tag">Unused</span> No event in the last seven days. Send a test event to try it.</p>';
}

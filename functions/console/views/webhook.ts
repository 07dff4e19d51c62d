// Screen of a webhook: its deliveries with the responses of the receiver, and actions to send an event again.

import { isJson, type Json } from '../engine/document.ts';
import { listHtml, recordHtml, renderActions, type ScreenData, type View } from '../engine/render.ts';
import { renderText, renderTime, toAttributeText } from '../engine/values.ts';

/** Renders one delivery attempt as a sentence. */
function attemptHtml({ at, status, error }: Json): string {
  const when = typeof at === 'string' ? `${renderTime(at)}: ` : '';
  const code = typeof status === 'number' ? status : undefined;
  const said = code === undefined ? 'no answer' : `answered ${code}`;
  const why = typeof error === 'string' ? ` (${renderText(error)})` : '';
  const next =
    code !== undefined && code < 300
      ? ''
      : code === 410
        ? ' The receiver says that it is gone.'
        : ' Retried later.';
  return `<li>${when}${toAttributeText(said)}${why}.${toAttributeText(next)}</li>`;
}

/** Returns true if the receiver has accepted at least one delivery attempt. */
const hasArrived = ({ attempts }: Json): boolean =>
  Array.isArray(attempts) &&
  attempts.some((each) => isJson(each) && typeof each.status === 'number' && each.status < 300);

function deliveryItem(of: ScreenData, read: string, delivery: Json): string {
  const { type, time, attempts, payload } = delivery;
  const tries = Array.isArray(attempts) ? attempts.filter(isJson) : [];
  const state = hasArrived(delivery)
    ? '<span class="tag">Arrived</span>'
    : '<span class="tag off">Not arrived</span>';
  const body = isJson(payload)
    ? `<details><summary>Payload</summary><pre tabindex="0">${renderText(JSON.stringify(payload, undefined, 2))}</pre></details>`
    : '';
  return `<li><strong>${renderText(String(type ?? 'Event'))}</strong> ${state} <span class="soft">${renderTime(String(time ?? ''))}</span>${tries.length > 0 ? `<ul>${tries.map(attemptHtml).join('')}</ul>` : '<p class="soft">Not tried yet.</p>'}${body}${renderActions(of, read, delivery)}</li>`;
}

export const webhookView = (of: ScreenData): View => ({
  html: `${recordHtml(of, 'getWebhook')}<h2>Deliveries of the last seven days</h2>${renderActions(of, 'listWebhookDeliveries')}${of.answers.has('listWebhookDeliveries') ? listHtml(of, 'listWebhookDeliveries', deliveryItem) : ''}`,
});

import { isJson, type Json } from '../engine/document.ts';
import { actsHtml, listHtml, recordHtml, type Shown, type View } from '../engine/render.ts';
import { moment, plainly, shown } from '../engine/values.ts';

/** A webhook with what was sent to it: the answers of its address, and the way to send again. */

/** One try in a sentence. */
function attemptHtml({ at, status, error }: Json): string {
  const when = typeof at === 'string' ? `${moment(at)}: ` : '';
  const code = typeof status === 'number' ? status : undefined;
  const said = code === undefined ? 'no answer' : `answered ${code}`;
  const why = typeof error === 'string' ? ` (${shown(error)})` : '';
  const next =
    code !== undefined && code < 300
      ? ''
      : code === 410
        ? ' It says that it is gone.'
        : ' It is tried again later.';
  return `<li>${when}${plainly(said)}${why}.${plainly(next)}</li>`;
}

const hasArrived = ({ attempts }: Json): boolean =>
  Array.isArray(attempts) &&
  attempts.some((each) => isJson(each) && typeof each.status === 'number' && each.status < 300);

function deliveryItem(of: Shown, read: string, delivery: Json): string {
  const { type, time, attempts, payload } = delivery;
  const tries = Array.isArray(attempts) ? attempts.filter(isJson) : [];
  const state = hasArrived(delivery)
    ? '<span class="tag">Arrived</span>'
    : '<span class="tag off">Not arrived</span>';
  const body = isJson(payload)
    ? `<details><summary>Payload</summary><pre tabindex="0">${shown(JSON.stringify(payload, undefined, 2))}</pre></details>`
    : '';
  return `<li><strong>${shown(String(type ?? 'Event'))}</strong> ${state} <span class="soft">${moment(String(time ?? ''))}</span>${tries.length > 0 ? `<ul>${tries.map(attemptHtml).join('')}</ul>` : '<p class="soft">Not tried yet.</p>'}${body}${actsHtml(of, read, delivery)}</li>`;
}

export const webhookView = (of: Shown): View => ({
  html: `${recordHtml(of, 'getWebhook')}<h2>Deliveries of the last seven days</h2>${actsHtml(of, 'listWebhookDeliveries')}${of.answers.has('listWebhookDeliveries') ? listHtml(of, 'listWebhookDeliveries', deliveryItem) : ''}`,
});

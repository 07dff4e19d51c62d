// Screens of webhooks: the list with the health of each webhook, and one webhook with its deliveries and the receiver's
// responses.

import { isJson, type Json } from '../engine/document.ts';
import { findApplicationName } from '../engine/names.ts';
import {
  buildScreenUrl,
  destructiveHtml,
  listHtml,
  readRecord,
  recordHtml,
  renderActions,
  type ScreenData,
  type View,
} from '../engine/render.ts';
import { renderText, renderTime, toAttributeText } from '../engine/values.ts';
import { describeEventType } from '../words/events.ts';
import { answerHtml, healthHtml } from './webhook-words.ts';

/** Renders one delivery attempt as a sentence. */
function attemptHtml(attempt: Json): string {
  const { at, status } = attempt;
  const when = typeof at === 'string' ? `${renderTime(at)}: ` : '';
  const next = typeof status === 'number' && (status < 300 || status === 410) ? '' : ' Retried later.';
  return `<li>${when}${answerHtml(attempt)}.${next}</li>`;
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
  return `<li><strong>${toAttributeText(describeEventType(String(type)))}</strong> ${state} <span class="soft">${renderText(String(type))}, ${renderTime(String(time ?? ''))}</span>${tries.length > 0 ? `<ul>${tries.map(attemptHtml).join('')}</ul>` : '<p class="soft">Not tried yet.</p>'}${body}${renderActions(of, read, delivery)}</li>`;
}

const isFailing = ({ health }: Json): boolean => isJson(health) && health.state === 'failing';

function webhookItem(of: ScreenData, read: string, webhook: Json): string {
  const { webhook_id, url, app_id, events } = webhook;
  const types = Array.isArray(events) && events.length > 0 ? events.join(', ') : 'all events';
  const owner =
    typeof app_id === 'string'
      ? `<span>application: ${renderText(findApplicationName(of, app_id))}</span>`
      : '';
  return `<li><a href="${buildScreenUrl(of, `webhooks/${encodeURIComponent(String(webhook_id))}`)}">${renderText(String(url))}</a>${healthHtml(webhook)}<p class="soft meta"><span>${renderText(types)}</span>${owner}</p>${renderActions(of, read, webhook)}</li>`;
}

/** Renders the webhooks with their health. Failing webhooks come first. */
export function webhooksView(of: ScreenData): View {
  const read = 'listWebhooks';
  const answer = of.answers.get(read);
  if (answer?.ok && Array.isArray(answer.json.result)) {
    const result = answer.json.result
      .filter(isJson)
      .toSorted((one, other) => Number(isFailing(other)) - Number(isFailing(one)));
    const sorted = {
      ...of,
      answers: new Map([[read, { ok: true, json: { ...answer.json, result } } as const]]),
    };
    return { html: `${renderActions(of, read)}${listHtml(sorted, read, webhookItem)}` };
  }
  return { html: listHtml(of, read) };
}

export function webhookView(of: ScreenData): View {
  const read = 'getWebhook';
  const { health, ...webhook } = readRecord(of, read) ?? {};
  // The health is a sentence above the record, so the record's fields leave it out.
  const record = of.answers.get(read)?.ok
    ? { ...of, answers: new Map([...of.answers, [read, { ok: true, json: { result: webhook } } as const]]) }
    : of;
  return {
    html: `${healthHtml({ ...webhook, health }).replace('<p>', '<p class="card">')}${recordHtml(record, read)}<h2>Deliveries of the last seven days</h2>${renderActions(of, 'listWebhookDeliveries')}${of.answers.has('listWebhookDeliveries') ? listHtml(of, 'listWebhookDeliveries', deliveryItem) : ''}${destructiveHtml(record, read)}`,
  };
}

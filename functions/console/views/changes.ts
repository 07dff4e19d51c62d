// Screen of the change log: who changed which record, with the values before and after.

import { isJson, type Json } from '../engine/document.ts';
import { hrefOf, listHtml, type Shown, selfOf, type View } from '../engine/render.ts';
import { moment, plainly, shown, words } from '../engine/values.ts';

const READ = 'listChanges';

const isOfPage = (name: string): boolean => name === 'limit' || name === 'cursor';

/** Renders the filter of the list. Its fields are the query parameters of the operation in the API document. */
function filterHtml(of: Shown): string {
  const { parameters = [], ...operation } = of.document.operations.get(READ) ?? {};
  const fields = parameters
    .filter(({ name, in: where }) => where === 'query' && !isOfPage(name))
    .map(({ name, schema }) => {
      const [label, given] = [plainly(words(name)), of.query[name] ?? ''];
      const options = (schema.enum ?? []).map(
        (each) => `<option${each === given ? ' selected' : ''}>${plainly(String(each))}</option>`,
      );
      const input =
        options.length > 0
          ? `<select name="${plainly(name)}"><option value="">all</option>${options.join('')}</select>`
          : `<input name="${plainly(name)}" value="${plainly(given)}" maxlength="128" autocomplete="off" spellcheck="false">`;
      return `<label>${label}${input}</label>`;
    });
  return 'id' in operation
    ? `<form class="filter" method="get" action="${selfOf(of)}">${fields.join('')}<button class="act">Show</button></form>`
    : '';
}

const valueHtml = (label: string, value: unknown): string =>
  `<span class="unseen">${label} </span>${typeof value === 'string' ? shown(value) : '<span class="soft">nothing</span>'}`;

const fieldHtml = ({ field, before, after }: Json): string =>
  `<div><dt>${shown(String(field))}</dt><dd><span class="soft">${valueHtml('before:', before)}</span> → ${valueHtml('after:', after)}</dd></div>`;

/** Renders a change with its author, its reason, and the values before and after. */
function changeItem(of: Shown, _read: string, change: Json): string {
  const { time, operation, record_kind, record_id, user_id, operator, client_id, reason, changes } = change;
  const fields = Array.isArray(changes) ? changes.filter(isJson) : [];
  const by = [
    operator && `<span>operator: ${shown(String(operator))}</span>`,
    !operator && client_id && `<span>client: ${shown(String(client_id))}</span>`,
    record_id && record_id !== user_id && `<span>record: ${shown(String(record_id))}</span>`,
    user_id &&
      `<span>person: <a href="${hrefOf(of, `people/${encodeURIComponent(String(user_id))}`)}">${shown(String(user_id))}</a></span>`,
    reason && `<span>reason: ${shown(String(reason))}</span>`,
  ].filter(Boolean);
  const kind = typeof record_kind === 'string' ? ` <span class="tag">${plainly(record_kind)}</span>` : '';
  const did = words(String(operation).split('/').slice(1).join(' ').replaceAll('-', ' '));
  return `<li><strong>${plainly(did)}</strong>${kind} <span class="soft">${moment(String(time))}</span><p class="soft meta">${by.join('')}</p>${fields.length > 0 ? `<dl>${fields.map(fieldHtml).join('')}</dl>` : ''}</li>`;
}

export const changesView = (of: Shown): View => ({
  html: `${filterHtml(of)}${listHtml(of, READ, changeItem)}`,
});

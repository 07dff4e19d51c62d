// Screen of the change log: who changed which record, with the values before and after.

import { isJson, type Json } from '../engine/document.ts';
import { readNames } from '../engine/names.ts';
import {
  buildOwnUrl,
  buildScreenUrl,
  listHtml,
  readRecords,
  type ScreenData,
  type View,
} from '../engine/render.ts';
import { describeDuration, renderText, renderTime, toAttributeText, toWords } from '../engine/values.ts';
import { findWords } from '../words/find-words.ts';
import type { FieldWords, WordsTable } from '../words/words.ts';

const READ = 'listChanges';

const isPagingParameter = (name: string): boolean => name === 'limit' || name === 'cursor';

const LABELS: Readonly<Record<string, string>> = { user_id: "Person's user ID", kind: 'Kind of record' };

/**
 * Renders the filter above the list of changes, with a field for each query parameter of the operation in the API document.
 * Operators are chosen by name.
 */
function filterHtml(of: ScreenData): string {
  const { parameters = [], ...operation } = of.document.operations.get(READ) ?? {};
  // Changes with AWS credentials have the name of the credentials as their operator.
  const listed = readRecords(of, READ).flatMap(({ operator }) => (operator ? [String(operator)] : []));
  const fields = parameters
    .filter(({ name }) => !isPagingParameter(name))
    .map(({ name, schema }) => {
      const [label, given] = [LABELS[name] ?? toWords(name), of.query[name] ?? ''];
      const names = name === 'operator' ? readNames(of, 'listOperators') : undefined;
      const values = names
        ? [...new Set([...Object.keys(names), ...listed, given])]
        : (schema.enum ?? []).map(String);
      const options = values
        .filter(Boolean)
        .map(
          (each) =>
            `<option value="${toAttributeText(each)}"${each === given ? ' selected' : ''}>${toAttributeText(names?.[each] ?? toWords(each))}</option>`,
        );
      const input =
        options.length > 0
          ? `<select name="${toAttributeText(name)}"><option value="">all</option>${options.join('')}</select>`
          : `<input name="${toAttributeText(name)}" value="${toAttributeText(given)}" maxlength="128" autocomplete="off" spellcheck="false">`;
      return `<label>${toAttributeText(label)}${input}</label>`;
    });
  return 'id' in operation
    ? `<form class="filter" method="get" action="${buildOwnUrl(of)}">${fields.join('')}<button class="act">Show</button></form>`
    : '';
}

/** Recorded value that is a list of strings. */
const LIST = /^\["[^"\\]*"(?:,"[^"\\]*")*\]$/;

const listWords = (value: string): string =>
  LIST.test(value) ? value.slice(2, -2).replaceAll('","', ', ') : value;

/** Renders a recorded value, which is text, with the words of its field. */
function valueHtml(label: string, value: unknown, { unit, choices }: FieldWords): string {
  const words = (text: string) =>
    unit && /^\d+$/.test(text) ? describeDuration(Number(text), unit) : (choices?.[text] ?? listWords(text));
  return `<span class="unseen">${label} </span>${typeof value === 'string' ? renderText(words(value)) : '<span class="soft">nothing</span>'}`;
}

/**
 * Returns the words for a field. The label names the objects that contain the field, such as `Branding, Colour of buttons`.
 */
function findFieldWords(path: string, words: WordsTable): FieldWords {
  const [name = '', ...rest] = path.split('.');
  const own = words[name] ?? { label: toWords(name) };
  if (rest.length === 0) return own;
  const inner = findFieldWords(rest.join('.'), own.inner ?? {});
  return { ...inner, label: `${own.label}, ${inner.label}` };
}

function fieldHtml({ field, before, after }: Json, table: WordsTable): string {
  const words = findFieldWords(String(field), table);
  return `<div><dt>${renderText(words.label)}</dt><dd><span class="soft">${valueHtml('before:', before, words)}</span> → ${valueHtml('after:', after, words)}</dd></div>`;
}

/** Renders a change with its author, its reason, and the values before and after. */
function changeItem(of: ScreenData, _read: string, change: Json): string {
  const { time, operation, record_kind, record_id, user_id, operator, client_id, reason, changes } = change;
  const words = findWords(`${record_kind ?? 'user'}s`);
  const fields = Array.isArray(changes) ? changes.filter(isJson) : [];
  const by = [
    operator &&
      `<span>operator: ${renderText(readNames(of, 'listOperators')?.[String(operator)] ?? String(operator))}</span>`,
    !operator && client_id && `<span>client: ${renderText(String(client_id))}</span>`,
    record_id && record_id !== user_id && `<span>record: ${renderText(String(record_id))}</span>`,
    user_id &&
      `<span>person: <a href="${buildScreenUrl(of, `people/${encodeURIComponent(String(user_id))}`)}">${renderText(String(user_id))}</a></span>`,
    reason && `<span>reason: ${renderText(String(reason))}</span>`,
  ].filter(Boolean);
  const kind =
    typeof record_kind === 'string' ? ` <span class="tag">${toAttributeText(record_kind)}</span>` : '';
  const did = toWords(String(operation).split('/').slice(1).join(' ').replaceAll('-', ' '));
  return `<li><strong>${toAttributeText(did)}</strong>${kind} <span class="soft">${renderTime(String(time))}</span><p class="soft meta">${by.join('')}</p>${fields.length > 0 ? `<dl>${fields.map((each) => fieldHtml(each, words)).join('')}</dl>` : ''}</li>`;
}

export const changesView = (of: ScreenData): View => ({
  html: `${filterHtml(of)}${listHtml(of, READ, changeItem)}`,
});

// Renders the lists and records of a screen from the responses of the API and their schemas.

import type { OperatorRole } from '../../../shared/ports/operators.ts';
import { type ApiAnswer, readResult } from './call.ts';
import {
  type ApiDocument,
  type ApiOperation,
  findRecordSchema,
  isJson,
  isList,
  type Json,
  listFields,
  type Schema,
} from './document.ts';
import { listFormPages } from './forms.ts';
import { findRecordScreenPath, listActions, resolveParameters } from './home.ts';
import { findNamedWords } from './names.ts';
import { REMEDIES, type Screen } from './screens.ts';
import { labelAction, renderTitle, TITLE_TIMES, toTitleText } from './titles.ts';
import { fieldNames, toAttributeText, toLabel, toWords, valueHtml, wordedFactsHtml } from './values.ts';

/** Data for rendering a screen: the API document, the operator's role and tenant, the URL, and the responses of the API. */
export interface ScreenData {
  readonly document: ApiDocument;
  readonly role: OperatorRole;
  readonly tenantId: string;
  readonly screen: Screen;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Responses of the screen's read operations by operation ID. Operations that were not called have no entry. */
  readonly answers: ReadonlyMap<string, ApiAnswer>;
  readonly baseUrl: string;
  readonly now: number;
}

/** Content that a console screen shows below its heading. */
export interface View {
  readonly html: string;
  /** Styles of an embedded frame, which the page's Content Security Policy must permit. */
  readonly styles?: readonly string[];
}

/**
 * Returns the escaped URL of a page of the console.
 * @param path percent-encoded path that follows the tenant in the URL
 */
export const buildScreenUrl = (
  { tenantId }: Pick<ScreenData, 'tenantId'>,
  path: string,
  query: Readonly<Record<string, string>> = {},
): string => {
  const parameters = new URLSearchParams(query);
  return toAttributeText(
    `/${encodeURIComponent(tenantId)}/${path}${parameters.size > 0 ? `?${parameters}` : ''}`,
  );
};

/** Returns the HTML-escaped URL of the current screen. `query` replaces all query parameters of the screen. */
export const buildOwnUrl = (
  of: Pick<ScreenData, 'tenantId' | 'screen' | 'parameters'>,
  query: Readonly<Record<string, string>> = {},
): string => {
  const path = of.screen.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(of.parameters[name] ?? ''),
  );
  return buildScreenUrl(of, path, query);
};

/** Returns the record that a read operation returned, or undefined if the operation failed or returned a list. */
export function readRecord({ answers }: ScreenData, read: string): Json | undefined {
  const answer = answers.get(read);
  const result = answer?.ok ? readResult(answer.json) : undefined;
  return isJson(result) ? result : undefined;
}

/** Returns the records of the list that a read operation returned, or an empty list if the operation failed. */
export function readRecords({ answers }: ScreenData, read: string): readonly Json[] {
  const answer = answers.get(read);
  const result = answer?.ok ? readResult(answer.json) : undefined;
  return Array.isArray(result) ? result.filter(isJson) : [];
}

/** Returns the schema of the record or list entries that a read operation returns. */
export const findAnswerSchema = ({ document }: ScreenData, read: string): Schema => {
  const operation = document.operations.get(read);
  return operation ? findRecordSchema(document, operation) : {};
};

/** Returns true if the operator must type a name to confirm an action: a DELETE operation that does not undo or stop harm. */
export const isDestructive = ({ id, method }: ApiOperation): boolean =>
  method === 'DELETE' && !REMEDIES.includes(id);

/** Renders links to the forms of actions: the screen's actions or, if a record is given, the actions of that list entry. */
export function renderActions(
  of: ScreenData,
  read: string,
  record?: Json,
  without: readonly string[] = [],
): string {
  const links = listActions(of.document, { screen: of.screen, read }, of.role)
    // Destructive actions come last.
    .toSorted((one, other) => Number(isDestructive(one)) - Number(isDestructive(other)))
    .flatMap((operation) => {
      const own = resolveParameters(operation, of.parameters);
      const found = record ? resolveParameters(operation, of.parameters, record) : own;
      if (!found || (record && own) || without.includes(operation.id)) return [];
      const more = Object.fromEntries(Object.entries(found).filter(([name]) => !(name in of.parameters)));
      const named = record ? `<span class="unseen"> ${renderTitle(record)}</span>` : '';
      return `<a class="act${isDestructive(operation) ? ' bad-act' : ''}" href="${buildOwnUrl(of, { act: operation.id, ...more })}">${toAttributeText(labelAction(operation))}${named}</a>`;
    });
  return links.length === 0 ? '' : `<p class="acts">${links.join('')}</p>`;
}

/** Renders the error message of a failed read operation. Returns an empty string if the operation succeeded. */
export function renderError({ answers }: ScreenData, read: string): string {
  const answer = answers.get(read);
  return answer && !answer.ok ? `<p class="error"><span>${toAttributeText(answer.message)}</span></p>` : '';
}

const SHORT = ['string', 'number', 'integer', 'boolean'];

/** Fields omitted from a record's line in a list, because they say little about the record. */
const QUIET: readonly string[] = ['tenant_id', 'kind', 'created_at', 'updated_at'];

/** Returns true for values that are omitted from a record's line in a list: undefined, the empty string, and false. */
const isBlank = (value: unknown): boolean => value === undefined || value === '' || value === false;

/** Renders up to four short fields of a record, for its line in a list. Omits IDs of records that contain the list. */
function summaryHtml(of: ScreenData, read: string, record: Json): string {
  const title = toTitleText(record);
  const schema = findAnswerSchema(of, read);
  const words = findNamedWords(of, of.document.operations.get(read)?.path ?? '');
  const fields = listFields(of.document, schema).filter(
    ([name, { type }]) =>
      SHORT.includes(type ?? '') &&
      !QUIET.includes(name) &&
      !words[name]?.advanced &&
      !words[name]?.hidden &&
      !isBlank(record[name]) &&
      !Object.values(of.parameters).includes(String(record[name])),
  );
  const facts = fields
    .filter(([name]) => String(record[name]) !== title)
    .slice(0, 4)
    .map(
      ([name, field]) =>
        `<span>${toAttributeText(words[name]?.label ?? toLabel(name))}: ${valueHtml(of.document, record[name], field, words[name])}</span>`,
    );
  return facts.length === 0 ? '' : `<p class="soft meta">${facts.join('')}</p>`;
}

/** Renders a record as an entry of a list, with a link to the record's screen and the record's actions. */
export function itemHtml(
  of: ScreenData,
  read: string,
  record: Json,
  without: readonly string[] = [],
): string {
  const title = renderTitle(record);
  const path = findRecordScreenPath(of.screen, of.parameters, record);
  const name =
    path === undefined ? `<strong>${title}</strong>` : `<a href="${buildScreenUrl(of, path)}">${title}</a>`;
  return `<li>${name}${summaryHtml(of, read, record)}${renderActions(of, read, record, without)}</li>`;
}

/** Read operations whose lists have an order with a meaning, such as newest first. */
const ORDERED: readonly string[] = [
  'findUsers',
  'listChanges',
  'listSessions',
  'listWebhookDeliveries',
  'listWebhooks',
];

/** Number of entries from which a list has a filter. */
const FILTERED_FROM = 11;

/** Renders the filter of a list, which keeps the records whose title contains the text. */
function filterHtml(of: ScreenData): string {
  const name = toAttributeText(of.query.name ?? '');
  return `<form class="filter" method="get" action="${buildOwnUrl(of)}"><label>Name contains<input name="name" value="${name}" maxlength="100" autocomplete="off" spellcheck="false"></label><button class="act">Show</button></form>`;
}

/** Sorts the records of a complete list by title and, if the list has a filter, removes those that do not match it. */
function arrange(of: ScreenData, records: readonly Json[], isFiltered: boolean): readonly Json[] {
  const part = isFiltered ? (of.query.name?.trim().toLowerCase() ?? '') : '';
  return records
    .map((record) => ({ record, title: toTitleText(record) }))
    .filter(({ title }) => title.toLowerCase().includes(part))
    .toSorted((one, other) => one.title.localeCompare(other.title, 'en'))
    .map(({ record }) => record);
}

/**
 * Renders the records of a list with their actions, and a link to the next page. A list that fits on one page is sorted by
 * title and, if it is long, has a filter.
 */
export function listHtml(
  of: ScreenData,
  read: string,
  item: (of: ScreenData, read: string, record: Json) => string = itemHtml,
): string {
  const answer = of.answers.get(read);
  if (!answer?.ok) return renderError(of, read);
  const records = readRecords(of, read);
  const { next_cursor } = answer.json;
  const more =
    typeof next_cursor === 'string'
      ? `<p><a class="act" href="${buildOwnUrl(of, { ...of.query, cursor: next_cursor })}">Next page</a></p>`
      : '';
  if (records.length === 0)
    return `<p class="card soft">${toAttributeText(more ? 'Nothing on this page.' : (of.screen.empty ?? 'There is nothing here.'))}</p>${more}`;
  const isWhole = !more && of.query.cursor === undefined && !ORDERED.includes(read);
  const isFiltered = isWhole && records.length >= FILTERED_FROM;
  const shown = isWhole ? arrange(of, records, isFiltered) : records;
  const items = shown.map((record) => item(of, read, record)).join('');
  const list = items
    ? `<ul class="items">${items}</ul>`
    : '<p class="card soft">No name contains this text.</p>';
  return `${isFiltered ? filterHtml(of) : ''}${list}${more}`;
}

/** Finds lists within a record whose entries have their own actions. A client's secrets, for example, can each be revoked. */
function findListsWithActions(of: ScreenData, read: string, record: Json) {
  return Object.entries(record).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [];
    const items = value.filter(isJson).map((each) => [each, renderActions(of, read, each)] as const);
    return items.some(([, acts]) => acts !== '') ? [{ name, items }] : [];
  });
}

/** Renders the lists within a record, each below a heading, with the actions of their entries. */
function partsHtml(of: ScreenData, read: string, parts: ReturnType<typeof findListsWithActions>): string {
  return parts
    .map(({ name, items }) => {
      const fields = of.document.resolve(
        Object.fromEntries(listFields(of.document, findAnswerSchema(of, read)))[name],
      );
      return `<h2>${toAttributeText(toWords(name))}</h2><ul class="items">${items.map(([each, acts]) => `<li><strong>${renderTitle(each)}</strong>${wordedFactsHtml(of.document, each, of.document.resolve(fields.items), { names: Object.keys(each).filter((field) => !TITLE_TIMES.includes(field)) })}${acts}</li>`).join('')}</ul>`;
    })
    .join('');
}

/** Finds the action that changes the record of a read operation, if the operator's role permits it. */
const findUpdate = (of: ScreenData, read: string): ApiOperation | undefined =>
  listActions(of.document, { screen: of.screen, read }, of.role).find(
    ({ method, path }) => method === 'PUT' && path === of.document.operations.get(read)?.path,
  );

/** Renders the settings of a record by page, each with a link to the page's form if the operator may change a field on it. */
function settingsHtml(of: ScreenData, read: string, record: Json): string {
  const words = findNamedWords(of, of.document.operations.get(read)?.path ?? '');
  const update = findUpdate(of, read);
  const changeable = update
    ? listFormPages({ document: of.document, schema: update.body, role: of.role, words })
    : [];
  return Object.entries(of.screen.pages ?? {})
    .map(([page, title]) => {
      const names = Object.keys(words).filter((name) => words[name]?.page === page);
      const facts = wordedFactsHtml(of.document, record, findAnswerSchema(of, read), { names, words });
      const change =
        update && changeable.includes(page)
          ? `<a class="act" href="${buildOwnUrl(of, { act: update.id, page })}">Change<span class="unseen"> ${toAttributeText(title)}</span></a>`
          : '';
      return facts || change
        ? `<section class="card"><div class="head"><h2>${toAttributeText(title)}</h2>${change}</div>${facts || '<p class="soft">Nothing is set.</p>'}</section>`
        : '';
    })
    .join('');
}

/** Renders a record with its actions, except destructive ones. Settings are rendered page by page if the screen has pages. */
export function recordHtml(of: ScreenData, read: string): string {
  const record = readRecord(of, read);
  if (!record) return renderError(of, read);
  const schema = findAnswerSchema(of, read);
  const words = findNamedWords(of, of.document.operations.get(read)?.path ?? '');
  const parts = findListsWithActions(of, read, record);
  const { pages } = of.screen;
  const shownElsewhere = parts.map(({ name }) => name);
  const rest = fieldNames(of.document, record, schema).filter(
    (name) => !shownElsewhere.includes(name) && !words[name]?.page,
  );
  const facts = wordedFactsHtml(of.document, record, schema, { names: rest, words });
  const heading = pages ? '<h2>More</h2>' : '';
  const update = pages && findUpdate(of, read)?.id;
  const destructive = listActions(of.document, { screen: of.screen, read }, of.role).filter(isDestructive);
  const hidden = [...destructive.map(({ id }) => id), ...(update ? [update] : [])];
  const actions = renderActions(of, read, undefined, hidden);
  return `${actions}${settingsHtml(of, read, record)}${facts && `<section class="card">${heading}${facts}</section>`}${partsHtml(of, read, parts)}`;
}

/** Renders the destructive actions of a record, which stand at the end of its screen. */
export function destructiveHtml(of: ScreenData, read: string): string {
  if (!readRecord(of, read)) return '';
  const all = listActions(of.document, { screen: of.screen, read }, of.role);
  const others = all.filter((operation) => !isDestructive(operation)).map(({ id }) => id);
  return renderActions(of, read, undefined, others);
}

/**
 * Renders the results of a screen's read operations, for a screen without its own view. All lists except the first have a
 * heading.
 */
export function genericHtml(of: ScreenData): string {
  const parts = of.screen.reads
    .map((read, index) => {
      const operation = of.document.operations.get(read);
      if (!operation) return '';
      if (!isList(of.document, operation)) return recordHtml(of, read);
      const heading = index === 0 ? '' : `<h2>${toAttributeText(toWords(read.replace(/^list/, '')))}</h2>`;
      return `${heading}${renderActions(of, read)}${listHtml(of, read)}`;
    })
    .join('');
  const destructive = of.screen.reads.map((read) => destructiveHtml(of, read));
  return `${parts}${destructive.join('')}`;
}

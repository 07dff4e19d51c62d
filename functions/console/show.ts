// Pages of the console: the frame with navigation and search around a screen or the form of an action.

import { GUARDED_SECONDS } from '../../shared/domain/operators/operators.ts';
import { type ApiOperation, isJson, isPermitted } from './engine/document.ts';
import { type FormSchema, hasInputs, isGuardedForm, listFormPages, readBody, START } from './engine/forms.ts';
import { findActionLocation, isUnder, resolveParameters } from './engine/home.ts';
import { inputsHtml, toInputId } from './engine/inputs.ts';
import { findNamedWords } from './engine/names.ts';
import { type ConsolePage, consolePage, messagePage, type PageStatus } from './engine/page.ts';
import { findProblem, type Problem } from './engine/problem.ts';
import {
  buildOwnUrl,
  buildScreenUrl,
  isDestructive,
  readRecord,
  readRecords,
  type ScreenData,
} from './engine/render.ts';
import { findRecordName, labelAction, renderTitle, toTitleText } from './engine/titles.ts';
import { renderText as textHtml, toAttributeText, toWords } from './engine/values.ts';
import { type ConsoleSession, computeCsrfToken } from './session.ts';
import { applyForm, renderPreview } from './views/application.ts';
import { renderView } from './views/views.ts';
import { type ConsoleRequest, navigation, type Operator } from './visit.ts';
import { describeAction } from './words/actions.ts';

/** Value of the checkbox that confirms a destructive action on a record without a name. */
const CHECKED = 'yes';

const csrfField = (session: ConsoleSession): string =>
  `<input type="hidden" name="csrf" value="${computeCsrfToken(session)}">`;

const logoutForm = (session: ConsoleSession): string =>
  `<form method="post" action="/logout">${csrfField(session)}<button class="act">Log out</button></form>`;

/** Renders the search field. */
function searchForm({ document, role, tenantId, query }: ScreenData): string {
  const find = document.operations.get('findUsers');
  if (!isPermitted(role, find?.role)) return '';
  return `<form role="search" method="get" action="${buildScreenUrl({ tenantId }, 'people')}"><label class="unseen" for="search">Find a person</label><input id="search" name="beginning" value="${toAttributeText(query.beginning ?? '')}" placeholder="Find a person ( / )" autocomplete="off" spellcheck="false" maxlength="320"></form>`;
}

/** Title, content, status and styles of a page inside the console's frame. */
interface FramedContent {
  readonly title: string;
  /** Content of the page as HTML. */
  readonly content: string;
  readonly status?: PageStatus | undefined;
  readonly styles?: readonly string[];
}

/** Renders a page of a tenant: header with search and navigation, and the given content. */
export function renderFramedPage(
  { shown, who, session }: ConsoleRequest,
  { title, content, status, styles = [] }: FramedContent,
): ConsolePage {
  const { document, role, screen, tenantId } = shown;
  const grant = who.grants.find((each) => each.tenantId === tenantId);
  const links = navigation(document, role).map(({ path, title: label }) => {
    const isHere = isUnder(screen.path, path);
    return `<a href="${buildScreenUrl(shown, path)}"${isHere ? ' aria-current="page"' : ''}>${toAttributeText(label)}</a>`;
  });
  const others = who.grants.length > 1 ? ' <a href="/">other tenants</a>' : '';
  return consolePage({
    title: `${title} · ${grant?.name ?? ''}`,
    status,
    styles,
    body: `<a class="skip" href="#main">Skip to the content</a>
<header class="top"><div><span><strong>${textHtml(grant?.name ?? tenantId)}</strong> <span class="tag">${toAttributeText(role)}</span>${others}</span>${searchForm(shown)}${logoutForm(session)}</div>
<nav aria-label="Screens">${links.join('')}</nav></header>
<main id="main" tabindex="-1">${content}</main>`,
  });
}

/** Renders the link to the parent screen, and a confirmation if an action has just been done. */
function breadcrumbsHtml({ shown }: ConsoleRequest): string {
  const { screen } = shown;
  const segments = screen.path.split('/');
  const parent = segments.length > 1 ? findParent(shown) : undefined;
  return `${parent ? `<p class="crumbs"><a href="${buildScreenUrl(shown, parent.path)}">${toAttributeText(parent.label)}</a></p>` : ''}${doneHtml(shown)}`;
}

/** Renders a confirmation if an action has just been done. */
function doneHtml({ query, document }: ScreenData): string {
  const done = query.done === undefined ? undefined : document.operations.get(query.done);
  return done
    ? `<p class="notice" role="status"><span>Done: ${toAttributeText(labelAction(done))}.</span></p>`
    : '';
}

/** Returns the path and label of the parent screen. */
export function findParent({ screen, parameters }: Pick<ScreenData, 'screen' | 'parameters'>): {
  readonly path: string;
  readonly label: string;
} {
  const all = screen.path.split('/');
  // The screen of a record also shows the lists that belong to the record. Such a list has no screen of its own.
  const segments = all.slice(0, Math.max(1, all.length - 2));
  const path = segments
    .map((segment) =>
      segment.replace(/^\{(\w+)\}$/, (_, name: string) => encodeURIComponent(parameters[name] ?? '')),
    )
    .join('/');
  const label = segments.at(-1)?.startsWith('{')
    ? (segments.at(-2) ?? '').replace(/s$/, '')
    : (segments.at(-1) ?? '');
  return { path, label: toWords(label.replaceAll('-', ' ')) };
}

/** Renders a screen from the responses of its read operations. */
export function screenPage(visit: ConsoleRequest): ConsolePage {
  const { shown } = visit;
  const [first = ''] = shown.screen.reads;
  const main = shown.answers.get(first);
  const record = readRecord(shown, first);
  const isRecord = shown.screen.path.includes('{');
  const { html, styles = [] } = renderView(shown);
  const shownRecord = isRecord ? record : undefined;
  return renderFramedPage(visit, {
    title: shownRecord ? toTitleText(shownRecord) : shown.screen.title,
    styles,
    status: isRecord && main && !main.ok && main.status === 404 ? 404 : 200,
    content: `${breadcrumbsHtml(visit)}<h1>${shownRecord ? renderTitle(shownRecord) : textHtml(shown.screen.title)}</h1>${html}`,
  });
}

/** An action that an operator has chosen, with its parameters and the record that it changes. */
export interface ChosenAction {
  readonly operation: ApiOperation;
  readonly parameters: Readonly<Record<string, string>>;
  /** Record that the action changes. Empty if the action creates a record. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Record that the operator has chosen, or else the record of the screen. */
  readonly about: Readonly<Record<string, unknown>>;
  /** Record of the screen, if the operator has chosen an entry of one of its lists. */
  readonly owner?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns the action of a form, or undefined if the action belongs to another screen, is not permitted, or lacks a parameter.
 */
export function findAction(
  shown: ScreenData,
  operationId: string,
  given: Readonly<Record<string, string>>,
): ChosenAction | undefined {
  const operation = shown.document.operations.get(operationId);
  if (!operation || operation.method === 'GET' || !isPermitted(shown.role, operation.role)) return undefined;
  const home = findActionLocation(shown.document, operation);
  if (home?.screen !== shown.screen) return undefined;
  const parameters = resolveParameters(operation, { ...given, ...shown.parameters });
  if (!parameters) return undefined;
  // The record may be an entry of the screen's list, or of a list within the screen's record. Such an entry contains the IDs
  // that the screen's URL lacks.
  const candidates = [
    ...readRecords(shown, home.read),
    ...listNestedRecords(readRecord(shown, home.read) ?? {}),
  ];
  const extra = Object.keys(parameters).filter((name) => !(name in shown.parameters));
  const item = candidates.find(
    (each) =>
      extra.length > 0 &&
      extra.every((name) => resolveParameters({ path: `{${name}}` }, {}, each)?.[name] === parameters[name]),
  );
  const main = readRecord(shown, shown.screen.reads[0] ?? '');
  const record = operation.method === 'POST' ? {} : (item ?? readRecord(shown, home.read) ?? main ?? {});
  return { operation, parameters, record, about: item ?? main ?? {}, owner: item && main };
}

const listNestedRecords = (
  record: Readonly<Record<string, unknown>>,
): readonly Readonly<Record<string, unknown>>[] =>
  Object.values(record).flatMap((value) => (Array.isArray(value) ? value.filter(isJson) : []));

/** Request to show the form of an action. After a rejected submission, it contains the submitted values and the reason. */
interface RequestedForm {
  readonly operationId: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly refusal?: string;
}

/**
 * Redirects to a fresh login that returns to the form of the action.
 * @param more additional query parameters of that form
 */
const freshLogin = (
  { shown }: ConsoleRequest,
  operationId: string,
  more: Readonly<Record<string, string>> = {},
): { readonly redirect: string } => ({
  redirect: `/login?${new URLSearchParams({ fresh: '', to: buildOwnUrl(shown, { ...shown.query, ...more, act: operationId }).replaceAll('&amp;', '&') })}`,
});

/** Redirects to a fresh login after a submission with a login that was too old. The form then says that nothing was saved. */
export const repeatAfterLogin = (
  visit: ConsoleRequest,
  { operation, parameters }: ChosenAction,
  page: string | undefined,
) => {
  const own = Object.entries(parameters).filter(([name]) => !(name in visit.shown.parameters));
  return freshLogin(visit, operation.id, {
    ...Object.fromEntries(own),
    ...(page === undefined ? {} : { page }),
    again: 'yes',
  });
};

/** Returns the schema of an action's form, for the requested page or else for the first page that the role may change. */
export function toFormSchema(
  shown: ScreenData,
  operation: ApiOperation,
  requested: string | undefined,
): FormSchema {
  const { document, role } = shown;
  const of = { document, schema: operation.body, role, words: findNamedWords(shown, operation.path) };
  const pages = listFormPages(of);
  const [first] = pages;
  if (first === undefined) return of;
  return {
    ...of,
    page: operation.method === 'POST' ? START : (pages.find((page) => page === requested) ?? first),
  };
}

/** Renders the links between the pages of a form. */
function formPagesHtml(shown: ScreenData, operation: ApiOperation, of: FormSchema): string {
  const { pages } = shown.screen;
  if (!pages || of.page === undefined) return '';
  const links = listFormPages(of).map(
    (page) =>
      `<a href="${buildOwnUrl(shown, { act: operation.id, page })}"${page === of.page ? ' aria-current="page"' : ''}>${toAttributeText(pages[page] ?? page)}</a>`,
  );
  return `<nav class="pages" aria-label="Settings">${links.join('')}</nav>`;
}

/** Returns true if the operator's login is too old for a guarded action, or will be too old within a minute. */
const isStale = ({ who, shown }: ConsoleRequest): boolean => shown.now - who.authTime > GUARDED_SECONDS - 60;

/** Renders the error of a rejected form, with a link to the input if a page of the form contains the input. */
function problemHtml(shown: ScreenData, { id }: ApiOperation, problem: Problem): string {
  const { name, label = '', page, text } = problem;
  const href = page === undefined ? `#${toInputId(name ?? '')}` : buildOwnUrl(shown, { act: id, page });
  const link = name === undefined ? '' : `<a href="${href}">${toAttributeText(label)}</a>: `;
  return `<p class="error" role="alert"><span>Nothing was changed. ${link}${textHtml(text)}</span></p>`;
}

/** Renders the titles of the record to which an action belongs and of that record's owner, and describes the action. */
function aboutHtml({ operation, about, owner, parameters }: ChosenAction): string {
  const of = owner ? ` <span class="soft">${renderTitle(owner)}</span>` : '';
  const named =
    Object.keys(parameters).length > 0 ? `<p><strong>${renderTitle(about)}</strong>${of}</p>` : '';
  return `${named}<p>${toAttributeText(describeAction(operation))}</p>`;
}

/** Renders the input that confirms a destructive action: the name of the record, or a checkbox if the record has none. */
function confirmationHtml(about: ChosenAction['about']): string {
  const name = findRecordName(about);
  return name === undefined
    ? `<label class="check"><input type="checkbox" name="_typed" value="${CHECKED}" required><span>Yes, I mean <q>${renderTitle(about)}</q></span></label>`
    : `<label for="typed">Type <q>${textHtml(name)}</q> to confirm</label><input id="typed" name="_typed" required autocomplete="off" spellcheck="false">`;
}

/** Returns true if the form of a destructive action confirms the record that the action destroys. */
export const isConfirmed = ({ about }: ChosenAction, typed: string | undefined): boolean =>
  typed?.trim() === (findRecordName(about) ?? CHECKED).trim();

/** Pages of an application's settings with a preview, because they change the first page of a login. */
const PREVIEWED = ['look', 'login'];

/** Renders the form of an action below a description of its effect. Redirects first if the action requires a fresh login. */
export function renderActionPage(
  visit: ConsoleRequest,
  { operationId, form, refusal }: RequestedForm,
): ConsolePage | { readonly redirect: string } {
  const { shown, session } = visit;
  const acting = findAction(shown, operationId, form ?? shown.query);
  if (!acting)
    return messagePage({
      title: 'Not permitted',
      text: 'This action does not exist here, or your role does not permit it.',
      action: { href: buildOwnUrl(shown).replaceAll('&amp;', '&'), label: 'Back' },
      status: 403,
    });
  const { operation, parameters, record, about } = acting;
  const of = toFormSchema(shown, operation, form?.page ?? shown.query.page);
  if ((operation.role === 'guarded' || isGuardedForm(of)) && isStale(visit))
    return freshLogin(visit, operationId);
  const pages = formPagesHtml(shown, operation, of);
  const label = labelAction(operation);
  const title = pages === '' ? label : (shown.screen.pages?.[of.page ?? ''] ?? label);
  const destroys = isDestructive(operation);
  const refused =
    refusal ??
    (shown.query.again === undefined ? undefined : 'Your login was too old. Enter the change again.');
  const hidden = Object.entries({ ...parameters, act: operation.id, ...(of.page && { page: of.page }) }).map(
    ([key, value]) =>
      `<input type="hidden" name="${toAttributeText(key)}" value="${toAttributeText(value)}">`,
  );
  const problem = refused === undefined ? undefined : findProblem(of, refused, form);
  const inputs = hasInputs(of) ? inputsHtml(of, record, form && { form, problem }) : '';
  const typed = destroys ? confirmationHtml(about) : '';
  const why = `<label for="reason">Reason${destroys ? '' : ' (optional)'}</label><input id="reason" name="_reason" value="${toAttributeText(form?._reason ?? '')}" maxlength="200" autocomplete="off"${destroys ? ' required' : ''} aria-describedby="reason-hint"><p class="soft hint" id="reason-hint">Recorded in the event of this change. At most 200 characters.</p>`;
  const preview = PREVIEWED.includes(of.page ?? '')
    ? renderPreview(form ? applyForm(record, readBody(of, form)) : record)
    : undefined;
  const main = `<form class="wide" method="post"${preview ? ' data-preview' : ''} action="${buildOwnUrl(shown)}">${csrfField(session)}${hidden.join('')}${inputs}${typed}${why}<p class="acts"><button class="button${destroys ? ' danger' : ''}">${pages === '' ? toAttributeText(label) : 'Save'}</button>${preview ? '<noscript><button class="button second" name="preview">Preview</button></noscript>' : ''}<a class="button second" href="${buildOwnUrl(shown)}">Cancel</a></p></form>`;
  return renderFramedPage(visit, {
    styles: preview?.styles ?? [],
    title: problem ? `Error: ${title}` : title,
    status: refusal === undefined ? 200 : 400,
    content: `<p class="crumbs"><a href="${buildOwnUrl(shown)}">${pages === '' ? 'Back' : renderTitle(about)}</a></p>${refused === undefined ? doneHtml(shown) : ''}<h1>${toAttributeText(title)}</h1>${pages === '' ? aboutHtml(acting) : pages}
${problem ? problemHtml(shown, operation, problem) : ''}
${preview ? `<div class="two">${main}<aside>${preview.html}</aside></div>` : main}`,
  });
}

/** Renders the list of tenants, for an operator with roles in several tenants or in none. */
export const tenantsPage = ({ grants, email }: Operator, session: ConsoleSession): ConsolePage =>
  consolePage({
    title: 'Tenants',
    body: `<main><h1>Tenants</h1>${
      grants.length === 0
        ? `<p class="card">${textHtml(email)} has no role in any tenant yet. Ask an admin to invite you and to confirm your enrolment.</p>`
        : `<ul class="items">${grants.map(({ tenantId, name, role }) => `<li><a href="${buildScreenUrl({ tenantId }, '')}">${textHtml(name)}</a> <span class="tag">${toAttributeText(role)}</span></li>`).join('')}</ul>`
    }${logoutForm(session)}</main>`,
  });

// Screen of people: the newest people, with filters, or the people that a search has found.

import { isJson, type Json } from '../engine/document.ts';
import { findApplicationName, readNames } from '../engine/names.ts';
import {
  buildOwnUrl,
  buildScreenUrl,
  listHtml,
  readRecords,
  renderActions,
  renderError,
  type ScreenData,
  type View,
} from '../engine/render.ts';
import { toTitleText } from '../engine/titles.ts';
import { renderText, renderTime, toAttributeText, toWords } from '../engine/values.ts';

const READ = 'findUsers';

/** Text for each problem of a person, by the name of the problem in the API. */
const PROBLEMS: Readonly<Record<string, string>> = {
  user_disabled: 'Disabled or deleted',
  mail_bounced: 'Mail came back',
  mail_complaint: 'Called our mail spam',
  number_at_risk: 'Number at risk',
  wrong_codes: 'Wrong codes since the last login',
};

/** Option of the filter by problem: its label, the order of the list, and the text that is shown if no person matches. */
interface ProblemFilter {
  readonly label: string;
  readonly order: string;
  readonly empty: string;
}
const LATEST = 'The latest problem first.';
const FILTERS: Readonly<Record<string, ProblemFilter>> = {
  true: {
    label: 'has a problem',
    order: 'Newest people first. People with wrong codes in the last 24 hours come last.',
    empty: 'No person with a problem matches these filters.',
  },
  locked: { label: 'locked now', order: LATEST, empty: 'No codes are locked now.' },
  failed_login: {
    label: 'login failed in the last 24 hours',
    order: LATEST,
    empty:
      'No login of a known person failed in the last 24 hours. Attempts with unknown addresses are not listed.',
  },
};

const valueIn = (given: unknown): string => String((isJson(given) ? given.value : given) ?? '');

const texts = (given: unknown): readonly string[] => (Array.isArray(given) ? given.map(String) : []);

function personItem(of: ScreenData, _read: string, user: Json): string {
  const { user_id, status, found_by, last_auth, applications, locked_until } = user;
  // If codes are locked, the lock is shown instead of the wrong codes that caused it.
  const problems = texts(user.problems).filter((each) => !(locked_until && each === 'wrong_codes'));
  const tags = [
    ...(typeof locked_until === 'string'
      ? [`<span class="tag off">Locked until ${renderTime(locked_until)}</span>`]
      : []),
    ...(status === 'Pending' ? ['<span class="tag">Pending</span>'] : []),
    ...problems.map(
      (problem) => `<span class="tag off">${toAttributeText(PROBLEMS[problem] ?? toWords(problem))}</span>`,
    ),
  ];
  const title = toTitleText(user);
  const facts = [valueIn(user.email), valueIn(user.phone_number), user.username && `@${user.username}`]
    .filter((fact) => fact && fact !== title)
    .map((fact) => `<span>${renderText(String(fact))}</span>`);
  const by =
    typeof found_by === 'string'
      ? `<span>found by ${toAttributeText(found_by.replace('_id', ' ID').replaceAll('_', ' '))}</span>`
      : '';
  const login =
    typeof last_auth === 'string' ? `last login ${renderTime(last_auth)}` : 'has not logged in yet';
  const apps = texts(applications);
  const where =
    apps.length > 0
      ? `<span>${renderText(apps.map((id) => findApplicationName(of, id)).join(', '))}</span>`
      : '';
  return `<li><a href="${buildScreenUrl(of, `people/${encodeURIComponent(String(user_id))}`)}">${renderText(title)}</a> ${tags.join(' ')}<p class="soft meta">${facts.join('')}<span>${login}</span>${where}${by}</p></li>`;
}

const optionHtml = (value: string, label: string, chosen: string | undefined): string =>
  `<option value="${toAttributeText(value)}"${value === (chosen ?? '') ? ' selected' : ''}>${toAttributeText(label)}</option>`;

/** Renders the filters of the list: by status, by application, and by problem. */
function filterHtml(of: ScreenData): string {
  const { status, app_id, has_problem } = of.query;
  const listed = readRecords(of, READ).flatMap(({ applications }) => texts(applications));
  const apps = new Set([...Object.keys(readNames(of, 'listApplications') ?? {}), ...listed]);
  if (app_id) apps.add(app_id);
  const statuses = ['', 'Active', 'Pending', 'Disabled'];
  return `<form class="filter" method="get" action="${buildOwnUrl(of)}"><label>Status<select name="status">${statuses.map((each) => optionHtml(each, each || 'all', status)).join('')}</select></label><label>Application<select name="app_id">${['', ...apps].map((each) => optionHtml(each, each ? findApplicationName(of, each) : 'all', app_id)).join('')}</select></label><label>Problems<select name="has_problem">${optionHtml('', 'all people', has_problem)}${Object.entries(
    FILTERS,
  )
    .map(([value, { label }]) => optionHtml(value, label, has_problem))
    .join('')}</select></label><button class="act">Show</button></form>`;
}

/** Renders the newest people, with filters and instructions for the search. */
function newestHtml(of: ScreenData): string {
  const { status, app_id, has_problem = '' } = of.query;
  const empty =
    FILTERS[has_problem]?.empty ??
    (status || app_id
      ? 'No person matches these filters.'
      : 'No person yet. People appear here when they sign up, or when you create them.');
  const order = FILTERS[has_problem]?.order ?? 'Newest first.';
  const list = listHtml({ ...of, screen: { ...of.screen, empty } }, READ, personItem);
  return `${filterHtml(of)}<p class="soft">${order} To find a person, type into the search field above what they tell you: the beginning of an email address, a name or a username, a complete phone number, an external ID, or the ID of a user, session or request. Press <kbd>/</kbd> on any page to go there.</p>${list}`;
}

/** Renders the newest people, or the people that a search has found. While the operator types, a script replaces this part. */
export const findView = (of: ScreenData): View => ({ html: `<div data-found>${peopleHtml(of)}</div>` });

function peopleHtml(of: ScreenData): string {
  const acts = renderActions(of, READ);
  const typed = of.query.beginning?.trim() ?? '';
  if (typed === '') return `${acts}${newestHtml(of)}`;
  if (readRecords(of, READ).length > 0) return listHtml(of, READ, personItem);
  const trouble = renderError(of, READ);
  const to =
    typed.includes('@') || typed.startsWith('+')
      ? `<p><a class="act" href="${buildScreenUrl(of, 'deliveries', { to: typed })}">Show messages to this address</a></p>`
      : '';
  return (
    trouble ||
    `<p class="card">No person found for “${renderText(typed)}”. Try fewer letters, or another identifier with which the person may have signed up.</p>${to}${acts}`
  );
}

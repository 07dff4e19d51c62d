// Start page: the numbers of the last 24 hours, and statistics of the last seven days as charts, by application and by hour.

import { isJson, type Json } from '../engine/document.ts';
import {
  buildScreenUrl,
  readRecord,
  readRecords,
  renderError,
  type ScreenData,
  type View,
} from '../engine/render.ts';
import { countOf, renderText, renderTime, toAttributeText, toWords } from '../engine/values.ts';

const READ = 'getStatistics';
const FAILURES = 'listDeliveries';
/** ID of the table of hours. Browsers open the collapsed part of the page if a link leads to this ID. */
const HOURS_ID = 'hours';
const HOURS_OF_DAY = 24;
// Size of a chart in SVG units. BASE is the y coordinate of the time axis.
const [WIDTH, HEIGHT, BASE] = [672, 128, 104];

const dayOf = (hour: string): string =>
  new Date(hour).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' });

const readNumber = (hour: Json, name: string): number => Number(hour[name] ?? 0);
const total = (hours: readonly Json[], name: string): number =>
  hours.reduce((all, hour) => all + readNumber(hour, name), 0);

type Query = Readonly<Record<string, string>>;

/** Returns the number of failed messages that the screen of deliveries lists, such as `3`, or `100+` if it has more pages. */
function countFailures(of: ScreenData): string {
  const answer = of.answers.get(FAILURES);
  if (!answer?.ok) return '–';
  return `${readRecords(of, FAILURES).length}${answer.json.next_cursor === undefined ? '' : '+'}`;
}

/** Renders the numbers of the last 24 hours, each with a link to what it counts, and links to lists of people. */
function tilesHtml(of: ScreenData, hours: readonly Json[]): string {
  const people = (query: Query = {}) => buildScreenUrl(of, 'people', query);
  const day = hours.slice(-HOURS_OF_DAY);
  const tiles = [
    ['Failed message', countFailures(of), buildScreenUrl(of, 'deliveries')],
    ['Failed login', total(day, 'failures'), `#${HOURS_ID}`],
    ['Login', total(day, 'logins'), `#${HOURS_ID}`],
  ].map(
    ([title, count, href]) =>
      `<li><a class="tile" href="${href}"><strong>${count}</strong> <span>${title}${String(count) === '1' ? '' : 's'}</span></a></li>`,
  );
  const link = (label: string, query?: Query) => `<a class="act" href="${people(query)}">${label}</a>`;
  return `<h2>Last 24 hours</h2><ul class="tiles">${tiles.join('')}</ul><p class="acts">${link('Locked now', { has_problem: 'locked' })}${link('People whose login failed', { has_problem: 'failed_login' })}${link('People with a problem', { has_problem: 'true' })}${link('Newest people')}</p>`;
}

/** Chart of two counts per hour. The bars of `bad` are stacked on the bars of `good`. */
interface Chart {
  readonly title: string;
  readonly good: string;
  readonly bad: string;
}
const CHARTS: readonly Chart[] = [
  { title: 'Logins and failures', good: 'logins', bad: 'failures' },
  { title: 'Messages sent and refused', good: 'sends', bad: 'refusals' },
];

/** Renders a chart as SVG, with the totals of 24 hours and of seven days as its caption. */
function chartHtml({ title, good, bad }: Chart, hours: readonly Json[]): string {
  const most = Math.max(0, ...hours.map((hour) => readNumber(hour, good) + readNumber(hour, bad)));
  // An even number, because a line of the grid is at its half.
  const top = Math.max(2, most + (most % 2));
  const step = WIDTH / hours.length;
  const tall = (count: number) => Math.round((count / top) * (BASE - 16) * 10) / 10;
  // Each hour has a bar for `good` and, stacked on it, a bar for `bad`. The chart's height is the highest sum of both.
  const bars = hours.map((hour, index) => {
    const [first, second] = [tall(readNumber(hour, good)), tall(readNumber(hour, bad))];
    const bar = (kind: string, height: number, below: number) =>
      height > 0
        ? `<rect class="${kind}" x="${(index * step).toFixed(1)}" y="${(BASE - below - height).toFixed(1)}" width="${Math.max(1, step - 1).toFixed(1)}" height="${height}"/>`
        : '';
    return bar('yes', first, 0) + bar('no', second, first);
  });
  // A line and a weekday at each midnight in UTC, which the page's script moves to midnight in the reader's time zone. Today's
  // label is at the right edge, where a label at the line would be cut off.
  const [today = ''] = String(hours.at(-1)?.hour).split('T');
  const days = hours.flatMap(({ hour }, index) =>
    String(hour).includes('T00')
      ? [
          `<g data-midnight="${toAttributeText(String(hour))}" data-step="${step}"><path d="M${(index * step).toFixed(1)} 12V${BASE}"/><text x="${(index * step + 3).toFixed(1)}" y="${HEIGHT - 2}">${String(hour).startsWith(today) ? '' : dayOf(String(hour))}</text></g>`,
        ]
      : [],
  );
  days.push(`<text x="${WIDTH}" y="${HEIGHT - 2}" text-anchor="end">Today</text>`);
  const scale = [top, top / 2].map((count) => {
    const y = (BASE - tall(count)).toFixed(1);
    return `<path d="M0 ${y}H${WIDTH}"/><text x="2" y="${Number(y) + 3}" dominant-baseline="hanging">${count}</text>`;
  });
  const sum = (some: readonly Json[]) =>
    [good, bad].map((name) => countOf(total(some, name), name.replace(/s$/, ''))).join(', ');
  return `<figure class="card"><figcaption><h2>${toAttributeText(title)}</h2><p>Last 24 hours: <strong>${sum(hours.slice(-HOURS_OF_DAY))}</strong>. Seven days: ${sum(hours)}. Highest hour: ${most}. The ${toAttributeText(bad)} are on top, in red.</p></figcaption><svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${toAttributeText(`${title} by the hour of seven days; the table below has the numbers`)}">${days.join('')}${bars.join('')}${scale.join('')}<path d="M0 ${BASE}H${WIDTH}"/></svg></figure>`;
}

const COLUMNS = ['logins', 'failures', 'sends', 'refusals', 'texts'];

const rowHtml = (hour: Json): string =>
  `<tr><th scope="row">${renderTime(String(hour.hour))}</th>${COLUMNS.map((name) => `<td>${readNumber(hour, name)}</td>`).join('')}</tr>`;

/** Renders the table of the statistics, newest first, without hours in which nothing happened. */
function tableHtml(hours: readonly Json[]): string {
  const rows = hours.filter((hour) => COLUMNS.some((name) => readNumber(hour, name) > 0)).toReversed();
  return `<details class="part"><summary>The numbers as a table</summary><div class="scroll" id="${HOURS_ID}" tabindex="0" role="region" aria-label="Numbers by the hour"><table><caption class="unseen">Hours in which something happened, newest first</caption><thead><tr><th scope="col">Hour</th>${COLUMNS.map((name) => `<th scope="col">${toAttributeText(toWords(name))}</th>`).join('')}</tr></thead><tbody>${rows.map(rowHtml).join('')}</tbody></table></div></details>`;
}

/** Renders the share of the sent codes and links with which people logged in. */
function applicationRowHtml(of: ScreenData, application: Json): string {
  const { app_id, name = app_id } = application;
  const [sends, logins, texts] = ['sends', 'logins', 'texts'].map((each) => readNumber(application, each));
  const share = sends ? `${Math.round((100 * (logins ?? 0)) / sends)}%` : '–';
  const path = `applications/${encodeURIComponent(String(app_id))}`;
  return `<tr><th scope="row"><a href="${buildScreenUrl(of, path)}">${renderText(String(name))}</a></th>${[sends, logins, share, texts].map((each) => `<td>${each}</td>`).join('')}</tr>`;
}

/** Renders the messages of each application, and how many of them led to a login. */
function applicationsHtml(of: ScreenData, applications: readonly Json[]): string {
  if (applications.length === 0) return '';
  const columns = ['Application', 'Sent', 'Logins', 'Conversion', 'Texts'];
  return `<h2>Codes and links of the last seven days</h2><div class="scroll" tabindex="0" role="region" aria-label="Messages and logins by application"><table><thead><tr>${columns.map((each) => `<th scope="col">${each}</th>`).join('')}</tr></thead><tbody>${applications.map((each) => applicationRowHtml(of, each)).join('')}</tbody></table></div>`;
}

/** Renders a limit with its usage, if the usage is known. A tag shows whether the limit is nearly reached. */
function limitHtml({ limit, of, used, near }: Json): string {
  const how = used === undefined ? `at most ${of}` : `${used} of ${of}`;
  const tag = near ? ' <span class="tag off">near</span>' : '';
  return `<div><dt>${toAttributeText(toWords(String(limit)))}</dt><dd>${toAttributeText(how)}${tag}</dd></div>`;
}

const filterRecords = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isJson) : []);

export function todayView(of: ScreenData): View {
  const statistics = readRecord(of, READ);
  if (!statistics) return { html: renderError(of, READ) };
  const hours = filterRecords(statistics.hours);
  return {
    html: `${tilesHtml(of, hours)}${CHARTS.map((chart) => chartHtml(chart, hours)).join('')}${applicationsHtml(of, filterRecords(statistics.applications))}${tableHtml(hours)}<h2>Limits and SMS budget</h2><section class="card"><dl>${filterRecords(statistics.limits).map(limitHtml).join('')}</dl></section>`,
  };
}

import { expect, test } from '@jest/globals';
import { FAILED, renderScreen, toText } from './support.ts';

// Screen "Today" of the console: charts, tables and limits, rendered from the statistics of the API.

const HOURS = [
  { hour: '2026-11-29T22:00:00.000Z', logins: 3, failures: 1 },
  { hour: '2026-11-29T23:00:00.000Z' },
  { hour: '2026-11-30T00:00:00.000Z', logins: 4, failures: 1, texts: 1 },
];
const show = (statistics: object) =>
  renderScreen('today', { getStatistics: { hours: HOURS, applications: [], limits: [], ...statistics } });

test('the charts of the screen "Today" stack failures on logins, below a scale with an even maximum', async () => {
  const [, logins = '', messages = ''] = (await show({})).split('<figure class="card">');
  expect(toText(logins)).toContain('Seven days: 7 logins, 2 failures. Highest hour: 5.');
  const [, chart = ''] = /<svg[^>]*>(.*)<\/svg>/.exec(logins) ?? [];
  expect(logins).toContain('viewBox="0 0 672 128"');
  expect(chart.split(/(?=<(?:g|rect|path d="M0|text x="672))/)).toEqual([
    '<g data-midnight="2026-11-30T00:00:00.000Z" data-step="224"><path d="M448.0 12V104"/><text x="451.0" y="126"></text></g>',
    '<text x="672" y="126" text-anchor="end">Today</text>',
    '<rect class="yes" x="0.0" y="60.0" width="223.0" height="44"/>',
    '<rect class="no" x="0.0" y="45.3" width="223.0" height="14.7"/>',
    '<rect class="yes" x="448.0" y="45.3" width="223.0" height="58.7"/>',
    '<rect class="no" x="448.0" y="30.6" width="223.0" height="14.7"/>',
    '<path d="M0 16.0H672"/><text x="2" y="19" dominant-baseline="hanging">6</text>',
    '<path d="M0 60.0H672"/><text x="2" y="63" dominant-baseline="hanging">3</text>',
    '<path d="M0 104H672"/>',
  ]);
  expect(toText(messages)).toContain('Highest hour: 0.');
  expect([...messages.matchAll(/hanging">(\d)</g)].map(([, count]) => count)).toEqual(['2', '1']);
});

test('the table of the screen "Today" lists the hours in which something happened, newest first', async () => {
  const [, table = ''] = (await show({})).split('<tbody>');
  expect(table.split('</tr>').slice(0, -1).map(toText)).toEqual([
    '2026-11-30 00:00 UTC 4 1 0 0 1',
    '2026-11-29 22:00 UTC 3 1 0 0 0',
  ]);
  const [first, second] = HOURS;
  const few = await show({
    hours: [
      { ...first, logins: 100 },
      { ...second, texts: 1 },
    ],
  });
  expect(few).toMatch(/<rect class="no" [^>]* height="0.9"/);
  expect(few.split('<tbody>')[1]?.match(/<tr>/g)).toHaveLength(2);
});

test('the screen "Today" shows the used part of each limit if it is known, and a dash for an unknown number', async () => {
  const html = await show({
    limits: [
      { limit: 'sms_per_day', of: 100, used: 80, near: true },
      { limit: 'webhooks', of: 5 },
    ],
  });
  expect(toText(html)).toMatch(/SMS per day 80 of 100 near Webhooks at most 5$/);
  expect(html).toContain('<strong>–</strong> <span>Failed messages</span>');
  expect(html).not.toContain('Codes and links');
});

test('the screen "Today" shows only the error if the API returns no statistics', async () => {
  expect(toText(await renderScreen('today', { getStatistics: FAILED }))).toBe(FAILED.message);
});

import { expect, test } from '@jest/globals';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { errorPage } from '../../shared/flows/browser/error-page.ts';
import { rateLimited, requestWrong } from '../../shared/templates/texts/dead-ends.ts';

const page = errorPage('request', { requestWrong, rateLimited });

/** Returns the page of an error, or undefined if the client gets JSON. */
const show = (
  accept: string | undefined,
  { query = '', method = 'GET', error = new ServiceError('system_invalid_input') } = {},
) =>
  page(error, {
    request: { method, headers: { accept }, cookies: {}, requestId: 'id', errorPage: {} },
    query: new URLSearchParams(query),
  } as never)?.html;

test.each([
  ['text/html', true],
  ['TEXT/HTML; q=0.1', true],
  ['text/html,*/*;q=0.8', true],
  ['text/html;q=0.8,*/*;q=0.8', true],
  ['text/html,application/json;q=0.9', true],
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  ['text/html;q=0', false],
  ['text/html;q=0.8,*/*', false],
  ['text/html,application/json', false],
  ['text/html;q=0.9,application/json', false],
])('an error is shown as a page only if the client prefers HTML: %s (%s)', (accept, isPage) => {
  expect(show(accept) !== undefined).toBe(isPage);
});

test.each([
  [{}, true],
  [{ query: 'language=de' }, true],
  [{ query: 'language=de&state=text' }, false],
  [{ method: 'POST' }, false],
])('an error page has language links only if a link can repeat the request: %j (%s)', (request, hasLinks) => {
  expect(show('text/html', request)?.includes('language=fr')).toBe(hasLinks);
});

test('only the page about too many requests says when the next attempt is possible', () => {
  const detail = { retryAfterSeconds: 7 };
  const [limited, other] = (['rate_limited', 'system_invalid_input'] as const).map((key) =>
    show('text/html', { error: new ServiceError(key, detail) }),
  );
  expect(limited).toMatch(/7 seconds/);
  expect(other).not.toMatch(/7 seconds/);
});

import { expect, test } from '@jest/globals';
import { operations } from '../../functions/operations.ts';
import { listNamedMethods, listPaths } from '../../shared/http/path.ts';
import type { Operation } from '../../shared/operation.ts';

/** Operations that receive forms. With a redirect status other than 302 or 303, a browser would resubmit the form elsewhere. */
const forms = Object.entries(operations)
  .map(([name, row]): [string, Operation] => [name, row])
  // An operation with a JSON response is called by scripts, not by HTML forms.
  .filter(
    ([, row]) => row.reach === 'browser' && listNamedMethods(row).includes('POST') && !('json' in row.output),
  );

const listFormFields = ({ input: { form } }: Operation): object =>
  form !== undefined && 'entries' in form && typeof form.entries === 'object' ? (form.entries ?? {}) : {};

test('the tests cover more than three operations that receive HTML forms', () => {
  expect(forms.length).toBeGreaterThan(3);
});

test.each(forms)(
  'N014 after a redirect by the operation %s, browsers do not submit the form again',
  (_name, row) => {
    // The specification requires 302 under /v1/auth. Browsers follow it with GET, and these forms contain no credentials.
    const specified = listPaths(row).every((path) => path.startsWith('/v1/auth/'));
    expect(row.output.status).toBe(specified ? 302 : 303);
    if (specified) expect(Object.keys(listFormFields(row))).toEqual(['csrf']);
  },
);

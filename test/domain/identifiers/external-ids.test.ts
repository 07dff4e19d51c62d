import { expect, test } from '@jest/globals';
import {
  changedExternalIds,
  externalIdAt,
  withExternalApplication,
} from '../../../shared/domain/identifiers/external-ids.ts';
import { someApplication } from '../../support/server/records.ts';

const [main, side] = [
  { applicationId: 'main', value: 'm' },
  { applicationId: 'side', value: 's' },
];

test.each([
  ['the ID of the application', [main, side], 'side', 's'],
  ['no ID for another application', [main], 'side', undefined],
  ['the only ID for the tenant', [main], undefined, 'm'],
  ['no ID for the tenant if there are several', [main, side], undefined, undefined],
])('externalIdAt returns %s', (_title, externalIds, applicationId, expected) => {
  const application = applicationId === undefined ? undefined : someApplication({ applicationId });
  expect(externalIdAt({ externalIds }, application)).toBe(expected);
});

test.each([
  ['the only application of the caller', ['main'], { external_user_id: 'x' }, 'main'],
  ['no application if the request has no external ID', ['main'], { external_user_id: undefined }, undefined],
  ['no application if the caller has several', ['main', 'side'], { external_user_id: 'x' }, undefined],
  [
    'the named application',
    ['main', 'side'],
    { external_user_id: null, external_application: 'side' },
    'side',
  ],
])('a request with an external ID applies to %s', (_title, known, fields, expected) => {
  expect(withExternalApplication(known, fields)).toEqual(
    expected === undefined ? fields : { ...fields, external_application: expected },
  );
});

test('a request with an external ID cannot name an application that the caller does not have', () => {
  expect(() =>
    withExternalApplication(['main'], { external_user_id: 'x', external_application: 'side' }),
  ).toThrow('external_application: must be an application of the caller');
});

test.each([
  ['unchanged without a new value', [main, side], [], {}, [main, side]],
  ['still empty if a missing ID is removed', [], [], { external_user_id: null }, []],
  ['added at the only application', [], ['main'], { external_user_id: 'm' }, [main]],
  [
    'added at the named application',
    [main],
    ['main'],
    { external_user_id: 's', external_application: 'side' },
    [main, side],
  ],
  ['replaced', [main], [], { external_user_id: 'new' }, [{ ...main, value: 'new' }]],
  ['removed', [main, side], [], { external_user_id: null, external_application: 'main' }, [side]],
])(
  'the external IDs of a user after a change are %s',
  (_title, externalIds, applications, fields, expected) => {
    expect(changedExternalIds({ externalIds, applications }, fields)).toEqual(expected);
  },
);

test('an external ID that the user already has keeps its mark as an imported ID', () => {
  const externalIds = [{ ...main, isImported: true as const }];
  const user = { externalIds, applications: [] };
  expect(changedExternalIds(user, { external_user_id: 'm' })).toBe(externalIds);
});

test.each([
  ['no application', [], []],
  ['several applications', [main], ['side']],
])(
  'a change of the external ID of a user with %s must name the application',
  (_title, externalIds, applications) => {
    expect(() => changedExternalIds({ externalIds, applications }, { external_user_id: 'x' })).toThrow(
      'external_application: is required',
    );
  },
);

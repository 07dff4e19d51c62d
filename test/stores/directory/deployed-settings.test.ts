import { expect, test } from '@jest/globals';
import type { AreaName } from '../../../shared/domain/basis/areas.ts';
import { limitToDeployment } from '../../../shared/dynamo/directory/deployed-settings.ts';
import { someApplication } from '../../support/server/records.ts';

const application = someApplication({
  applicationId: 'app',
  loginPreferences: { email: {}, link: {}, google: { clientId: 'client' } },
  openidProviders: [],
  testIdentities: true,
});

test.each<[readonly AreaName[] | 'all', boolean, string | undefined, object]>([
  ['all', true, undefined, {}],
  ['all', true, 'app', {}],
  ['all', true, 'other', { loginPreferences: { email: {}, google: { clientId: 'client' } } }],
  ['all', false, undefined, { testIdentities: false }],
  [['agents'], true, undefined, { loginPreferences: { email: {}, link: {} }, openidProviders: [] }],
  [['social'], true, undefined, { clientDocumentHosts: [] }],
])(
  'an application keeps only the settings that its deployment supports (areas: %j, test identities: %s, links of: %s)',
  (areas, testIdentities, linkApplicationId, change) => {
    const deployment = { areas, testIdentities, linkApplicationId };
    expect(limitToDeployment(application, deployment)).toEqual({ ...application, ...change });
  },
);

test('an application without login preferences keeps none', () => {
  const { loginPreferences: _, ...without } = application;
  expect(limitToDeployment(without, { areas: 'all', testIdentities: true })).toEqual(without);
});

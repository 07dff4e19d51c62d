import { expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { buildLinkDestination, checkMagicLink } from '../../../shared/domain/credentials/magic-link.ts';
import { listCodeProofs } from '../../../shared/domain/credentials/mailed-link.ts';
import type { MagicLink } from '../../../shared/ports/flows.ts';
import { someAuthorizationCode } from '../../support/fixtures/flow-records.ts';
import { someLink, someUse, T } from '../../support/server/records.ts';

const presented = { applicationId: 'app', code: 'code', requestId: undefined };

test.each<[string, Partial<MagicLink> | undefined, boolean]>([
  ['a link within its lifetime is accepted', { expiresAt: T + 1 }, true],
  ['a link at the end of its lifetime is rejected', { expiresAt: T }, false],
  ['a link that has been used is rejected', { consumedAt: T - 1 }, false],
  ['a link of another application is rejected', { applicationId: 'other' }, false],
  [
    'a link that requires a request ID is rejected without one',
    { requestIdHash: hashSecret('request') },
    false,
  ],
  ['a link that was never sent is rejected', undefined, false],
])('a magic link is accepted only while it is valid: %s', async (_, change, isGood) => {
  const link = change && someLink({ applicationId: 'app', ...change });
  const checking = checkMagicLink({ links: { find: async () => link } }, presented, T);
  if (isGood) expect(await checking).toEqual(link);
  else await expect(checking).rejects.toMatchObject({ key: 'magic_link_code_invalid' });
});

test.each<[string, Partial<MagicLink>, boolean]>([
  ['a link within its lifetime', { expiresAt: T + 1 }, true],
  ['a link at the end of its lifetime', { expiresAt: T }, false],
  ['a link that has been used', { consumedAt: T - 1 }, false],
])('%s leads to the application with its code (expected: %s)', (_, change, alive) => {
  const link = someLink({ redirectUri: 'https://example.com/', state: 's', ...change });
  const opened = buildLinkDestination(link, 'code', T);
  const error = { error: 'invalid_link', error_description: 'The link has expired or was used already' };
  const parameters = { ...(alive ? { code: 'code' } : error), state: 's' };
  expect(opened.alive).toBe(alive);
  expect(Object.fromEntries(new URL(opened.url).searchParams)).toEqual(parameters);
});

test('the proof of a mailed link has the time at which the link is used', () => {
  const methods = [someUse({ method: 'sms', at: T }), someUse({ method: 'eml', at: T })];
  const proofs = (change: object) => listCodeProofs(someAuthorizationCode({ methods, ...change }), T + 9);
  const [first, last] = methods;
  expect(proofs({ origin: 'code-based' })).toEqual([first, { ...last, at: T + 9 }]);
  expect(proofs({ origin: 'oidc' })).toEqual(methods);
  expect(proofs({ origin: 'code-based', methods: methods.toReversed() })).toEqual([last, first]);
});

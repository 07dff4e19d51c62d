import { expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { checkMagicLink } from '../../../shared/domain/credentials/magic-link.ts';
import type { MagicLink } from '../../../shared/ports/flows.ts';
import { someLink, T } from '../../support/server/records.ts';

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

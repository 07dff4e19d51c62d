import { expect, test } from '@jest/globals';
import { hashSecret } from '../../../shared/domain/basis/random.ts';
import { checkMagicLink } from '../../../shared/domain/credentials/magic-link.ts';
import type { MagicLink } from '../../../shared/ports/flows.ts';
import { someLink, T } from '../../support/server/records.ts';

const presented = { applicationId: 'app', code: 'code', requestId: undefined };

test.each<[string, Partial<MagicLink> | undefined, boolean]>([
  ['in its life', { expiresAt: T + 1 }, true],
  ['at its end', { expiresAt: T }, false],
  ['that is used', { consumedAt: T - 1 }, false],
  ['of another application', { applicationId: 'other' }, false],
  ['that asks for a request ID', { requestIdHash: hashSecret('request') }, false],
  ['that nobody sent', undefined, false],
])('a link %s', async (_, change, isGood) => {
  const link = change && someLink({ applicationId: 'app', ...change });
  const checking = checkMagicLink({ links: { find: async () => link } }, presented, T);
  if (isGood) expect(await checking).toEqual(link);
  else await expect(checking).rejects.toMatchObject({ key: 'magic_link_code_invalid' });
});

import type { Environment } from '../../stacks/environments/environment.ts';
import { toNamePrefix, toTableName } from '../../stacks/environments/environment.ts';
import { findNewestCopy, openBackupClient } from '../restore/from-vault.ts';
import type { NewestCopy } from './facts.ts';

/** Finds the newest copy of each table in the vault of an environment, and in the vault of second copies if there is one. */
export async function readNewestCopies(environment: Environment): Promise<readonly NewestCopy[]> {
  const { region, copyRegion } = environment;
  const prefix = toNamePrefix(environment);
  const vaults = [
    { vault: prefix, region },
    ...(copyRegion === undefined ? [] : [{ vault: `${prefix}-copy`, region: copyRegion }]),
  ];
  const asked = vaults.flatMap((vault) =>
    (['directory', 'people'] as const).map((of) => ({ ...vault, table: toTableName(environment, of) })),
  );
  return Promise.all(
    asked.map(async ({ vault, table, ...at }) => {
      const copy = await findNewestCopy(openBackupClient(at.region), { vault, table });
      return { vault, table, madeAt: copy && new Date(copy.CreationDate * 1000) };
    }),
  );
}

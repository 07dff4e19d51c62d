import { operations } from '../../../functions/operations.ts';
import { type EnvironmentName, environmentNames } from '../../../lib/environments.ts';
import { extendedTable } from './added-row.ts';
import type { SynthesizeOptions } from './synthesize.ts';

export type VariantName = EnvironmentName | 'eu with an added row' | 'eu with keys that KMS has sealed';

interface Variant extends Pick<SynthesizeOptions, 'table' | 'change'> {
  readonly environment: EnvironmentName;
}

const asTheyAre = Object.fromEntries(environmentNames.map((environment) => [environment, { environment }]));

/** What the tests look at: the environments as they are, and others with something changed. */
export const variants = {
  ...(asTheyAre as Record<EnvironmentName, Variant>),
  'eu with an added row': { environment: 'eu', table: extendedTable },
  'eu with keys that KMS has sealed': {
    environment: 'eu',
    table: Object.fromEntries(Object.entries(operations).filter(([name]) => name === 'token')),
    change: { signingModes: ['kms-envelope', 'kms'] },
  },
} as const satisfies Readonly<Record<VariantName, Variant>>;

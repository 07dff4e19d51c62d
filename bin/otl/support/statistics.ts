import { STATISTICS_HOURS } from '../../../shared/domain/basis/limits.ts';
import { nowSeconds } from '../../../shared/domain/basis/time.ts';
import { statisticsRecord } from '../../../shared/domain/support/statistics.ts';
import { check } from '../../../shared/http/parse.ts';
import { StatisticsQuery } from '../../../shared/schemas/timeline.ts';
import type { CommandGroup } from '../engine/command.ts';

export const statistics: CommandGroup = {
  name: 'statistics',
  summary: 'logins, failures and messages by the hour, and limits that are near',
  commands: [
    {
      verb: 'show',
      isDefault: true,
      summary: 'Counts what happened by the hour, oldest first (times in UTC)',
      options: { 'hours <number>': `how many hours up to now (default: ${STATISTICS_HOURS})` },
      examples: ['', '--hours 24 --json'],
      run: async ({ ports, tenant, option }) => {
        const { hours = STATISTICS_HOURS } = check(StatisticsQuery, { hours: option('hours') });
        return { record: await statisticsRecord(ports, await tenant(), Number(hours), nowSeconds()) };
      },
    },
  ],
};

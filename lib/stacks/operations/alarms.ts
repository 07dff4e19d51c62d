import type { AlarmRule, Watched } from './alarm-rule.ts';
import { attacks } from './attacks.ts';
import { backgroundWork } from './background-work.ts';
import { failures } from './failures.ts';
import { limits } from './limits.ts';

/** All alarms, each with what it means. */
export const alarmRules = (watched: Watched): readonly AlarmRule[] => [
  ...failures(watched),
  ...limits(watched),
  ...attacks(watched),
  ...backgroundWork(watched),
];

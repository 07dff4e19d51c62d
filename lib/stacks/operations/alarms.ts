import type { AlarmContext, AlarmRule } from './alarm-rule.ts';
import { attacks } from './attacks.ts';
import { backgroundWork } from './background-work.ts';
import { failures } from './failures.ts';
import { limits } from './limits.ts';

/** Returns the rules of all alarms, each with its meaning. */
export const alarmRules = (watched: AlarmContext): readonly AlarmRule[] => [
  ...failures(watched),
  ...limits(watched),
  ...attacks(watched),
  ...backgroundWork(watched),
];

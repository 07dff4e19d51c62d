import { Duration } from 'aws-cdk-lib';
import type { AlarmRule, Watched } from './alarm-rule.ts';
import { math, own } from './metrics.ts';

const FIVE_MINUTES = Duration.minutes(5);
const QUARTER = Duration.minutes(15);

/** Alarms of attacks. */
export function attacks({ environment }: Watched): readonly AlarmRule[] {
  const verifiedShare = (channel: 'email' | 'sms'): AlarmRule => ({
    name: `${channel}-not-verified`,
    reason: `Less than 20 % of what is sent by ${channel} is used. Either it does not arrive, or somebody sends it to people who want nothing.`,
    metric: math(
      'IF(FILL(sends, 0) > 50, 100 * FILL(verifications, 0) / sends, 100)',
      {
        sends: own(environment, 'sends', { channel, period: QUARTER }),
        verifications: own(environment, 'verifications', { channel, period: QUARTER }),
      },
      QUARTER,
    ),
    below: 20,
    breaching: 2,
    periods: 3,
  });
  return [
    {
      name: 'lockouts',
      reason:
        'More than 50 tries a minute meet a lock: somebody guesses passcodes of many people. The log tells from where.',
      metric: own(environment, 'lockouts'),
      above: 50,
      breaching: 3,
      periods: 5,
    },
    {
      name: 'sms-pumping',
      reason:
        'More than 20 SMS in 15 minutes were refused (or would be, where limits are only tried): somebody has codes sent to numbers that begin alike, or a tenant has used up its budget. sms_guard in the log tells which.',
      metric: own(environment, 'smsRefusals', { period: QUARTER }),
      above: 20,
      breaching: 1,
      periods: 1,
    },
    verifiedShare('sms'),
    verifiedShare('email'),
    {
      name: 'edge-bypassed',
      reason:
        'Requests come around the edge; they are refused. Their number costs: find out how the address became known.',
      metric: own(environment, 'edgeBypasses', { period: FIVE_MINUTES }),
      above: 100,
      breaching: 2,
      periods: 3,
    },
  ];
}

import { Duration } from 'aws-cdk-lib';
import type { AlarmRule, Watched } from './alarm-rule.ts';
import { math, own } from './metrics.ts';

const FIVE_MINUTES = Duration.minutes(5);
const QUARTER = Duration.minutes(15);

/** Alarms of attacks. */
export function attacks({ environment }: Watched): readonly AlarmRule[] {
  const verifiedShare = (channel: 'email' | 'sms'): AlarmRule => ({
    name: `${channel}-not-verified`,
    reason: `Less than 20 % of what is sent by ${channel} is used: it does not arrive, or goes to people who want nothing.`,
    first: 'send a code to yourself. If it comes, it is an attack; if not, the provider.',
    step: channel === 'sms' ? 'INCIDENTS.md#sms-pumping' : 'INCIDENTS.md#messages-do-not-arrive',
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
      reason: 'More than 50 tries a minute meet a lock: an attacker guesses passcodes of many people.',
      first: 'count the tries in the log by client and address: locks hold meanwhile.',
      step: 'INCIDENTS.md#find-out',
      metric: own(environment, 'lockouts'),
      above: 50,
      breaching: 3,
      periods: 5,
    },
    {
      name: 'sms-pumping',
      reason:
        'More than 20 SMS in 15 minutes were refused (or would be, where limits are only tried): codes go to numbers that begin alike, or a tenant has used up its budget.',
      first: 'see by sms_guard in the log which of the two it is; the range has closed by itself.',
      step: 'INCIDENTS.md#sms-pumping',
      metric: own(environment, 'smsRefusals', { period: QUARTER }),
      above: 20,
      breaching: 1,
      periods: 1,
    },
    verifiedShare('sms'),
    verifiedShare('email'),
    {
      name: 'edge-bypassed',
      reason: 'Requests come around the edge; they are refused, but each costs a function.',
      first: 'nothing tonight. If any of them was answered 200, raise edgeSecret and deploy.',
      step: 'INCIDENTS.md#find-out',
      metric: own(environment, 'edgeBypasses', { period: FIVE_MINUTES }),
      above: 100,
      breaching: 2,
      periods: 3,
    },
  ];
}

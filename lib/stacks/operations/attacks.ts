import { Duration } from 'aws-cdk-lib';
import { PASSCODE_CHANNELS, type PasscodeChannel } from '../../../shared/records/channels.ts';
import type { AlarmContext, AlarmRule } from './alarm-rule.ts';
import { createMetricExpression, createServiceMetric } from './metrics.ts';

const FIVE_MINUTES = Duration.minutes(5);
const QUARTER = Duration.minutes(15);

/** Sections of INCIDENTS.md about codes that are sent but not used, by channel. */
const NOT_VERIFIED: Readonly<Record<PasscodeChannel, string>> = {
  email: 'INCIDENTS.md#messages-do-not-arrive',
  sms: 'INCIDENTS.md#sms-pumping',
};

/** Returns the alarms for guessed codes, SMS pumping, unused codes and requests that bypass CloudFront. */
export function attacks({ environment }: AlarmContext): readonly AlarmRule[] {
  const verifiedShare = (channel: PasscodeChannel): AlarmRule => ({
    name: `${channel}-not-verified`,
    reason: `Less than 20 % of the codes and links sent by ${channel} are used. Either they do not arrive, or they go to people who did not ask.`,
    firstStep:
      'send a code to yourself. If it arrives, this is an attack; if not, the provider has a problem.',
    runbookSection: NOT_VERIFIED[channel],
    metric: createMetricExpression(
      'IF(FILL(sends, 0) > 50, 100 * FILL(verifications, 0) / sends, 100)',
      {
        sends: createServiceMetric(environment, 'sends', { channel, period: QUARTER }),
        verifications: createServiceMetric(environment, 'verifications', { channel, period: QUARTER }),
      },
      QUARTER,
    ),
    below: 20,
    breachingPeriods: 2,
    periods: 3,
  });
  return [
    {
      name: 'lockouts',
      reason:
        'Lockouts reject more than 50 attempts a minute: an attacker is guessing passcodes of many users.',
      firstStep:
        'count the attempts in the log by client and address. The lockouts protect the users meanwhile.',
      runbookSection: 'INCIDENTS.md#find-out',
      metric: createServiceMetric(environment, 'lockouts'),
      above: 50,
      breachingPeriods: 3,
      periods: 5,
    },
    {
      name: 'sms-pumping',
      reason:
        'More than 20 SMS in 15 minutes were rejected (or would have been, if sms_dry_run were off). Either codes go to numbers with the same prefix, or a tenant has used up its budget.',
      firstStep:
        'look at sms_guard in the log to see which of the two it is. A range of numbers has been blocked automatically.',
      runbookSection: 'INCIDENTS.md#sms-pumping',
      metric: createServiceMetric(environment, 'smsRefusals', { period: QUARTER }),
      above: 20,
      breachingPeriods: 1,
      periods: 1,
    },
    ...PASSCODE_CHANNELS.map(verifiedShare),
    {
      name: 'edge-bypassed',
      reason:
        'Requests reach the functions without CloudFront. They are rejected, but each one costs a function call.',
      firstStep: 'nothing tonight. If the response to any of them was 200, raise edgeSecret and deploy.',
      runbookSection: 'INCIDENTS.md#find-out',
      metric: createServiceMetric(environment, 'edgeBypasses', { period: FIVE_MINUTES }),
      above: 100,
      breachingPeriods: 2,
      periods: 3,
    },
  ];
}

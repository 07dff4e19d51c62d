import { describe, expect, test } from '@jest/globals';
import { environmentNames } from '../../lib/stacks/environments/environment.ts';
import { environments } from '../../lib/stacks/environments/environments.ts';
import { Cloud } from './support/cloud.ts';
import { synthesized } from './support/synthesized.ts';

const findSmsActions = (name: Parameters<typeof synthesized>[0], function_: string) => {
  const deployed = new Cloud(synthesized(name).templates).functions().find((each) => each.name === function_);
  if (!deployed) throw new Error(`no function ${function_}`);
  return Object.entries(deployed.variables).filter(([variable]) => variable.startsWith('SMS_'));
};

describe('SMS settings of an environment', () => {
  test('functions that send SMS have the SMS countries and the sender number of their environment', () => {
    const changed = 'eu with restored tables, and SMS from a number of its own';
    expect(Object.fromEntries(findSmsActions(changed, 'otl-eu-one-time-send-otp'))).toEqual({
      SMS_COUNTRIES: 'DE,AT',
      SMS_ORIGINATION_NUMBER: '+4915112345678',
    });
    expect(Object.fromEntries(findSmsActions('eu', 'otl-eu-one-time-send-otp'))).toEqual({
      SMS_COUNTRIES: 'DE',
    });
  });

  test('functions that send no SMS have no SMS settings', () => {
    expect(findSmsActions('eu', 'otl-eu-users-get-user')).toEqual([]);
  });

  test('each environment allows SMS to one country by default', () => {
    for (const { sms } of environments())
      expect(sms.countries).toEqual([expect.stringMatching(/^[A-Z]{2}$/)]);
    expect(environments()).toHaveLength(environmentNames.length);
  });
});

import { type Checks, fail, ok, type Verdict, warn } from './verdict.ts';

/**
 * Compares the monthly limit of SMS costs that a service enforces with the limit of the environment.
 * @param service Service that sends SMS, as in `SMS of <service>`
 * @param setIt AWS CLI command that sets the limit
 */
function compareLimit(service: string, limit: number | undefined, wanted: number, setIt: string): Verdict {
  if (limit === undefined)
    return warn(
      `${service} reports no monthly limit of SMS costs`,
      `Set the limit of the environment: ${setIt}.`,
    );
  const found = `SMS of ${service} stop at ${limit} USD a month, the environment is set to ${wanted}`;
  if (limit === wanted) return ok(found);
  if (limit > wanted)
    return fail(found, `An attacker who pumps SMS may spend the difference. Deploy again, or run: ${setIt}.`);
  return warn(
    found,
    `The quota of the account is lower, or the limit was set by hand. Request a higher quota if necessary, then run: ${setIt}.`,
  );
}

const NO_POOL = ok('no pool of End User Messaging is set');

export const smsChecks: Checks = {
  async 'sms-limit'({ sms, smsLimitUsd }) {
    const { monthlySpendLimit } = await sms();
    const setIt = `aws sns set-sms-attributes --attributes MonthlySpendLimit=${smsLimitUsd}`;
    return compareLimit('SNS', monthlySpendLimit, smsLimitUsd, setIt);
  },
  async 'sms-pool-limit'({ smsPool, smsSpendLimits, smsLimitUsd, region }) {
    if (smsPool === undefined) return NO_POOL;
    const { enforced } = await smsSpendLimits();
    const setIt = `aws pinpoint-sms-voice-v2 set-text-message-spend-limit-override --region ${region} --monthly-limit ${smsLimitUsd}`;
    return compareLimit('End User Messaging', enforced, smsLimitUsd, setIt);
  },
  async 'sms-pool'({ smsPool, smsConfigurationSet, smsPoolState, region }) {
    if (smsPool === undefined) return NO_POOL;
    const { origin, hasConfigurationSet } = await smsPoolState();
    const withoutPool = 'deploy without OTL_SMS_POOL_<ENV>. Until then no SMS is sent.';
    if (origin === undefined)
      return fail(
        `${smsPool} does not exist in this account and region`,
        `Create it in End User Messaging, name another one, or ${withoutPool}`,
        `aws pinpoint-sms-voice-v2 describe-pools --region ${region}`,
      );
    const { status, messageTypes } = origin;
    if (status !== 'ACTIVE')
      return fail(
        `${smsPool} is ${status}, not ACTIVE`,
        `Wait until AWS has activated it, name another one, or ${withoutPool}`,
      );
    if (!messageTypes.includes('TRANSACTIONAL'))
      return fail(
        `${smsPool} sends only promotional SMS, but codes are transactional`,
        `Create a transactional one in End User Messaging, or ${withoutPool}`,
      );
    if (smsConfigurationSet === undefined) return ok(`${smsPool} is active`);
    if (hasConfigurationSet)
      return ok(`${smsPool} is active, with the configuration set ${smsConfigurationSet}`);
    return fail(
      `the configuration set ${smsConfigurationSet} does not exist in this account and region`,
      'Create it, or deploy without OTL_SMS_CONFIGURATION_SET_<ENV>. Until then no SMS is sent.',
      `aws pinpoint-sms-voice-v2 create-configuration-set --region ${region} --configuration-set-name ${smsConfigurationSet}`,
    );
  },
};

import type { AccountFacts } from './facts.ts';
import { buildQuotaRequest, QUOTAS } from './quotas.ts';
import { type Checks, fail, ok, warn } from './verdict.ts';

/** Run time of functions in seconds for a login by code: two calls as measured in lib/SIZING.md, plus time for cold starts. */
const FUNCTION_SECONDS_PER_LOGIN = 0.2;
/** Signatures per login: one for the access token and one for the ID token. */
const SIGNATURES_PER_LOGIN = 2;

const count = (number: number): string => Math.floor(number).toLocaleString('en');

/** Checks of the account's sandboxes and quotas in a region. Each finding says how the limit affects logins. */
export const accountChecks: Checks<AccountFacts> = {
  async 'lambda-concurrency'({ quota, region }) {
    const atOnce = await quota('functions at once');
    const found = `Lambda runs ${count(atOnce)} functions at once: about ${count(atOnce / FUNCTION_SECONDS_PER_LOGIN)} logins a second`;
    if (atOnce >= QUOTAS['functions at once'].wanted) return ok(found);
    return warn(
      found,
      'Requests above this number get 503. Request a higher quota.',
      buildQuotaRequest('functions at once', region),
    );
  },
  async 'kms-signatures'({ quota, region, signingModes }) {
    if (signingModes[0] === 'kms-envelope') return ok('functions sign without KMS');
    const signatures = await quota('RSA operations a second');
    const found = `KMS signs ${count(signatures)} tokens a second: ${count(signatures / SIGNATURES_PER_LOGIN)} logins a second`;
    if (signatures >= QUOTAS['RSA operations a second'].wanted) return ok(found);
    return warn(
      found,
      'Request a higher quota, or use the mode kms-envelope (signingModes of the environment).',
      buildQuotaRequest('RSA operations a second', region),
    );
  },
  async 'ses-sandbox'({ sesAccount, mail, region }) {
    const { productionAccess, sendingEnabled } = await sesAccount();
    if (!sendingEnabled)
      return fail(
        'SES has paused sending',
        'If AWS paused it, answer the support case that AWS opened. Read "SES has paused sending" in lib/INCIDENTS.md.',
        `aws sesv2 get-account --region ${region} --query EnforcementStatus`,
      );
    if (productionAccess && mail.sandbox)
      return warn(
        'production access, but the functions still have the wider SES permission that only the sandbox needs',
        'Deploy without the variable OTL_MAIL_SANDBOX of the environment.',
      );
    if (productionAccess) return ok('production access');
    return fail(
      'SES is in its sandbox: only verified addresses get mail',
      mail.sandbox
        ? 'Request production access, which takes about a day.'
        : 'Request production access, which takes about a day. Until then, deploy with the variable OTL_MAIL_SANDBOX of the environment. Without it IAM refuses even mails to verified addresses.',
      `aws sesv2 put-account-details --region ${region} --production-access-enabled --mail-type TRANSACTIONAL --website-url https://${mail.identity} --use-case-description "Codes and links for logins, sent when a user asks for one. Bounces and complaints end the sending."`,
    );
  },
  async 'ses-quota'({ sesAccount, region }) {
    const { mailsPerSecond, mailsPerDay, productionAccess } = await sesAccount();
    const found = `SES sends ${count(mailsPerSecond)} mails a second and ${count(mailsPerDay)} a day: as many logins by mail`;
    const low = (['mails a second', 'mails a day'] as const).filter(
      (name) => (name === 'mails a second' ? mailsPerSecond : mailsPerDay) < QUOTAS[name].wanted,
    );
    if (low.length === 0) return ok(found);
    if (!productionAccess) return warn(found, 'Production access raises it.');
    return warn(
      found,
      'Request higher quotas.',
      low.map((name) => buildQuotaRequest(name, region)).join('\n'),
    );
  },
  async sms({ sms }) {
    const { sandbox } = await sms();
    if (!sandbox) return ok('SMS can be sent to any number');
    return fail(
      'SNS is in its SMS sandbox: only verified numbers get SMS',
      'Request to leave it in the SNS console: Text messaging (SMS), Exit SMS sandbox.',
    );
  },
  async 'sms-quota'({ smsSpendLimits, smsLimitUsd }) {
    const { maximum: quota } = await smsSpendLimits();
    if (quota === undefined) return ok('AWS reports no quota of SMS costs');
    const found = `AWS allows ${count(quota)} USD of SMS a month, the environment is set to ${smsLimitUsd}`;
    if (quota >= smsLimitUsd) return ok(found);
    return warn(
      found,
      `An SMS costs about 1 to 10 cents, so ${count(quota)} USD are ${count(quota * 10)} to ${count(quota * 100)} logins. Request ${smsLimitUsd} in a support case: Service quota increase, AWS End User Messaging SMS, account spend limit.`,
    );
  },
};

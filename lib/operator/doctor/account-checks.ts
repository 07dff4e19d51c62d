import type { AccountFacts } from './facts.ts';
import { QUOTAS, requestOf } from './quotas.ts';
import { type Checks, fail, ok, warn } from './verdict.ts';

/** Seconds of functions for a login by code: its two calls as in lib/SIZING.md, and room for cold starts. */
const FUNCTION_SECONDS_PER_LOGIN = 0.2;
/** The access token and the ID token. */
const SIGNATURES_PER_LOGIN = 2;

const count = (number: number): string => Math.floor(number).toLocaleString('en');

/** The sandboxes and quotas of an account and region, and what they mean for logins. */
export const accountChecks: Checks<AccountFacts> = {
  async 'lambda-concurrency'({ quota, region }) {
    const atOnce = await quota('functions at once');
    const found = `Lambda runs ${count(atOnce)} functions at once: about ${count(atOnce / FUNCTION_SECONDS_PER_LOGIN)} logins a second`;
    if (atOnce >= QUOTAS['functions at once'].wanted) return ok(found);
    return warn(
      found,
      'What comes above it at the same moment is answered with 503. Ask for more.',
      requestOf('functions at once', region),
    );
  },
  async 'kms-signatures'({ quota, region, signingModes }) {
    if (signingModes[0] === 'kms-envelope') return ok('functions sign, without KMS');
    const signatures = await quota('RSA operations a second');
    const found = `KMS signs ${count(signatures)} tokens a second: ${count(signatures / SIGNATURES_PER_LOGIN)} logins a second`;
    if (signatures >= QUOTAS['RSA operations a second'].wanted) return ok(found);
    return warn(
      found,
      'Ask for more, or sign in envelopes: signingModes of the environment.',
      requestOf('RSA operations a second', region),
    );
  },
  async 'ses-sandbox'({ sesAccount, mail, region }) {
    const { productionAccess, sendingEnabled } = await sesAccount();
    if (!sendingEnabled) return fail('SES has paused sending', 'See the health of the account in SES.');
    if (productionAccess && mail.sandbox)
      return warn(
        'production access, and the functions may still send in the name of any recipient',
        'Deploy without the variable OTL_MAIL_SANDBOX of the environment.',
      );
    if (productionAccess) return ok('production access');
    return fail(
      'SES is in its sandbox: only verified addresses get mail',
      mail.sandbox
        ? 'Ask for production access, which takes about a day.'
        : 'Ask for production access, which takes about a day. Until then deploy with the variable OTL_MAIL_SANDBOX of the environment: without it IAM refuses mails to verified addresses, too.',
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
    if (!productionAccess) return warn(found, 'More comes with production access.');
    return warn(found, 'Ask for more.', low.map((name) => requestOf(name, region)).join('\n'));
  },
  async sms({ sms }) {
    const { sandbox } = await sms();
    if (!sandbox) return ok('SMS go to any number');
    return fail(
      'SNS is in its SMS sandbox: only verified numbers get SMS',
      'Ask AWS to leave it: in the console of SNS, Text messaging (SMS), Exit SMS sandbox.',
    );
  },
  async 'sms-quota'({ smsQuotaUsd, smsLimitUsd }) {
    const quota = await smsQuotaUsd();
    if (quota === undefined) return ok('AWS tells no quota of SMS costs');
    const found = `AWS allows ${count(quota)} USD of SMS a month, the environment says ${smsLimitUsd}`;
    if (quota >= smsLimitUsd) return ok(found);
    return warn(
      found,
      `An SMS costs about 1 to 10 cents, so ${count(quota)} USD are ${count(quota * 10)} to ${count(quota * 100)} logins. Ask for ${smsLimitUsd} in a support case: Service quota increase, AWS End User Messaging SMS, account spend limit.`,
    );
  },
};

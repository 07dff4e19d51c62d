import { type Checks, fail, ok, warn } from './verdict.ts';

const HOUR_MILLISECONDS = 60 * 60 * 1000;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;
/**
 * Age in hours above which a daily copy is overdue: a day, up to eight hours until AWS Backup begins, and the time for copying.
 */
const COPY_HOURS = 36;
/** Remaining validity in days below which ACM should already have renewed a certificate. The alarm has the same limit. */
const CERTIFICATE_DAYS = 30;
/**
 * Used percentage of the daily mail quota above which the check warns that logins by mail may fail. The alarm has the same
 * limit.
 */
const MAIL_PERCENT = 80;

/**
 * Checks that alarms have receivers and that the mail quota is not nearly used up. Also checks what AWS should have done
 * without notifying operators: renew the certificate and make the daily copies.
 */
export const alertChecks: Checks = {
  async 'alarm-receivers'({ alarms, alarmTopics }) {
    if (!alarms) return ok('the environment has no alarms');
    const topics = await alarmTopics();
    const pending = topics.flatMap(({ region, arn, pending }) =>
      pending.map((endpoint) => ({ region, arn, endpoint })),
    );
    if (pending.length > 0)
      return fail(
        `not confirmed: ${pending.map(({ endpoint, region }) => `${endpoint} in ${region}`).join(', ')}`,
        'Open the link in the mail from AWS Notifications. There is one mail for each region. To get a new mail, subscribe again.',
        pending
          .map(
            ({ region, arn, endpoint }) =>
              `aws sns subscribe --region ${region} --topic-arn ${arn} --protocol email --notification-endpoint '${endpoint}'`,
          )
          .join('\n'),
      );
    const silent = topics.filter(({ confirmed }) => confirmed === 0).map(({ region }) => region);
    if (silent.length === 0) return ok('alarms of each region have a receiver');
    return warn(
      `no one receives the alarms of ${silent.join(' and ')}`,
      'Set OTL_ALARM_MAIL of the environment and deploy, or subscribe your own endpoint to the topic.',
    );
  },
  async 'mails-today'({ sesAccount }) {
    const { mailsPerDay, mailsSent } = await sesAccount();
    const found = `${mailsSent} mails in the last 24 hours, of at most ${mailsPerDay}`;
    if (mailsSent <= (MAIL_PERCENT / 100) * mailsPerDay) return ok(found);
    return warn(
      found,
      'At the maximum, logins by mail fail. Request a higher quota (ses-quota), and check whether the codes are used.',
    );
  },
  async certificate({ certificateEnd }) {
    const days = Math.floor(((await certificateEnd()).getTime() - Date.now()) / DAY_MILLISECONDS);
    if (days >= CERTIFICATE_DAYS) return ok(`ends in ${days} days`);
    return fail(
      `ends in ${days} days, and ACM has not renewed it`,
      'Restore the DNS records that validate the certificate.',
      'aws acm list-certificates --region us-east-1',
    );
  },
  async copies({ production, newestCopies }) {
    if (!production) return ok('not in production: there is no vault');
    const copies = await newestCopies();
    const late = copies.filter(
      ({ madeAt }) => madeAt && Date.now() - madeAt.getTime() > COPY_HOURS * HOUR_MILLISECONDS,
    );
    const names = (list: typeof copies) => list.map(({ table, vault }) => `${table} in ${vault}`).join(', ');
    if (late.length > 0)
      return fail(
        `older than ${COPY_HOURS} hours: ${names(late)}`,
        'Look at the failed jobs of AWS Backup, and fix their cause.',
        'aws backup list-backup-jobs --by-state FAILED',
      );
    const missing = copies.filter(({ madeAt }) => madeAt === undefined);
    if (missing.length === 0) return ok(`each table has a copy from the last ${COPY_HOURS} hours`);
    return warn(
      `no copy of ${names(missing)}`,
      'AWS Backup makes copies at 3:00 UTC. If there is none a day after the deployment, look at its failed jobs.',
    );
  },
};

import { readMailQuotaUsed } from '../../shared/aws/mail-quota.ts';
import { toMetricFields } from '../../shared/http/emf.ts';
import { log } from '../../shared/http/log.ts';
import type { CreateBackground } from '../background.ts';

/**
 * Records metrics on a schedule. The value 0 of `Requests` does not change the sum, but gives the metric data when there are no
 * requests, so that an alarm can notice that there are none.
 * @throws if SES cannot be called. `Requests` is recorded before.
 */
export const create: CreateBackground<'watch', object> = () => async () => {
  log('info', { event: 'watch', ...toMetricFields({ requests: 0 }) });
  log('info', { event: 'watch', ...toMetricFields({ mailQuotaUsed: await readMailQuotaUsed() }) });
};

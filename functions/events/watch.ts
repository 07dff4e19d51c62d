import { readMailQuotaUsed } from '../../shared/aws/mail-quota.ts';
import { toMetricFields } from '../../shared/http/emf.ts';
import { log } from '../../shared/http/log.ts';
import type { CreateBackground } from '../background.ts';

/**
 * Records metrics on a schedule. The value 0 for `Requests` does not change its sum, but gives the metric data while there are
 * no requests. An alarm can then notice that there are none.
 * @throws if SES cannot be called; `Requests` has already been recorded by then
 */
export const create: CreateBackground<'watch', object> = () => async () => {
  log('info', { event: 'watch', ...toMetricFields({ requests: 0 }) });
  log('info', { event: 'watch', ...toMetricFields({ mailQuotaUsed: await readMailQuotaUsed() }) });
};

import { readMailQuotaUsed } from '../../shared/aws/watch-facts.ts';
import { toMetricFields } from '../../shared/http/emf.ts';
import { log } from '../../shared/http/log.ts';
import type { CreateBackground } from '../background.ts';
import { logInSynthetically } from './synthetic-login.ts';

/** Records whether the synthetic user could log in, and why not. */
async function recordLogin(baseUrl: string, secretId: string): Promise<void> {
  const result = await logInSynthetically(baseUrl, secretId);
  const fields = toMetricFields({ syntheticLogins: result === 'ok' ? 1 : 0 });
  log('info', { event: 'synthetic-login', result, ...fields });
}

/**
 * Records metrics on a schedule. If the environment has a synthetic login, also logs the synthetic user in. The value 0 for
 * `Requests` does not change its sum, but gives the metric data while there are no requests. An alarm can then notice that
 * there are none.
 * @throws if SES cannot be called; the other metrics have already been recorded by then
 */
export const create: CreateBackground<'watch', object> =
  (_, { BASE_URL = '', SYNTHETIC_SECRET }) =>
  async () => {
    log('info', { event: 'watch', ...toMetricFields({ requests: 0 }) });
    if (SYNTHETIC_SECRET) await recordLogin(BASE_URL, SYNTHETIC_SECRET);
    log('info', { event: 'watch', ...toMetricFields({ mailQuotaUsed: await readMailQuotaUsed() }) });
  };

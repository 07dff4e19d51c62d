import { isPrefetch } from '../../shared/domain/prefetch.ts';
import { isProvider } from '../../shared/domain/provider.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { loginContext } from '../browser/login/context.ts';
import { loginPage } from '../browser/login/show.ts';
import { firstStep } from '../browser/login/standing.ts';
import { deadEnd, toPage } from '../browser/login/step.ts';
import { startHostedSocialLogin as operation } from '../rows/social.ts';
import { toProvider } from './to-provider.ts';

/** Where a provider's button of the login page leads: to the provider, or back to the page with what was wrong. */
export const useCase: UseCase<typeof operation> = async ({ path, request, settings, audit }, ports) => {
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const { loginId, provider } = path;
  try {
    const context = await loginContext(ports, loginId, request, settings);
    const { tenantId, applicationId, clientId } = context.login.transaction;
    audit({ tenantId, applicationId, clientId });
    if (!isProvider(provider) || context.login.progress.userId !== undefined) return toPage(context);
    audit({ channel: provider });
    try {
      const purpose = { login: 'hosted', loginId, direct: false } as const;
      return { redirect: await toProvider(ports, context, provider, purpose), cookies: [] };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      audit({ ...error.detail.about, result: error.key });
      return loginPage(context, firstStep(context), { error: { key: 'provider_failed' } });
    }
  } catch (error) {
    return deadEnd(error, { ...request, byLink: false }, audit);
  }
};

export const handler = lambda(operation, useCase);

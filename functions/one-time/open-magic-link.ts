import { destinationOf } from '../../shared/domain/magic-link.ts';
import { isPrefetch } from '../../shared/domain/prefetch.ts';
import { hashSecret } from '../../shared/domain/random.ts';
import { stillLeadsTo } from '../../shared/domain/redirect-uri.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { negotiateLanguage } from '../../shared/templates/language.ts';
import { continuePage } from '../../shared/templates/pages/continue-page.ts';
import { pageHeaders } from '../../shared/templates/pages/frame.ts';
import { linkUnknownPage } from '../../shared/templates/pages/link-unknown-page.ts';
import { linkErrorPage } from '../browser/error-page.ts';
import { openMagicLink as operation } from '../rows/one-time.ts';

/**
 * A1. Opens a mailed link: leads to the caller with the link code. Never consumes and never writes, because mail scanners
 * open links; a HEAD never redirects, and a prefetch gets nothing at all.
 */
export const useCase: UseCase<typeof operation> = async ({ query, request, audit }, ports) => {
  if (isPrefetch(request.headers)) return { none: true };
  const acceptLanguage = request.headers['accept-language'];
  const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });

  const link = await ports.links.find(hashSecret(query.code));
  if (!link) return { html: linkUnknownPage({ language }), status: 404, headers: pageHeaders };
  const { userId, tenantId, applicationId, clientId } = link;
  audit({ userId, tenantId, applicationId, clientId });
  if (request.method === 'HEAD') return { none: true, status: 200 };

  const application = await ports.applications.find(applicationId);
  if (!stillLeadsTo(application, link))
    return { html: linkUnknownPage({ language }), status: 404, headers: pageHeaders };
  const { alive, url } = destinationOf(link, query.code);
  if (!alive || !link.interstitial) return { redirect: url };
  const page = continuePage({ language, applicationName: application.name, href: url });
  return { html: page, headers: pageHeaders };
};

export const handler = lambda(operation, useCase, linkErrorPage);

import { isPrefetch } from '../../shared/domain/basis/browser.ts';
import { hashSecret } from '../../shared/domain/basis/random.ts';
import { allowsRedirect } from '../../shared/domain/basis/redirect-uri.ts';
import { buildLinkDestination } from '../../shared/domain/credentials/magic-link.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { chooseLanguage, readPageBrand } from '../../shared/flows/browser/browser-context.ts';
import type { UseCase } from '../../shared/operation.ts';
import { continuePage } from '../../shared/templates/pages/continue-page.ts';
import { textPageHeaders } from '../../shared/templates/parts/frame.ts';
import type * as rows from './rows.ts';

/**
 * Opens an emailed link: redirects to the caller with the link's code (SPEC A1). Because mail scanners open links, this neither
 * consumes the code nor writes anything. A HEAD request gets no redirect, and a prefetch gets nothing.
 */
export const openMagicLink: UseCase<typeof rows.openMagicLink> = async ({ query, request, audit }, ports) => {
  if (isPrefetch(request.headers)) return { none: true };
  const language = chooseLanguage(request, query.ui_locales);

  const link = await ports.links.find(hashSecret(query.code));
  if (!link) throw new ServiceError('link_not_found');
  const { userId, tenantId, applicationId, clientId } = link;
  audit({ userId, tenantId, applicationId, clientId });
  if (request.method === 'HEAD') return { none: true, status: 200 };

  const application = await ports.applications.find(applicationId);
  if (!allowsRedirect(application, link)) throw new ServiceError('link_not_found');
  const { alive, url } = buildLinkDestination(link, query.code, request.now);
  if (!alive || !link.interstitial) return { redirect: url };
  const brand = readPageBrand(application);
  return { html: continuePage({ language, brand, href: url }), headers: textPageHeaders(brand) };
};

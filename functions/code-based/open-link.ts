import { isPrefetch } from '../../shared/domain/basis/browser.ts';
import { allowsRedirect } from '../../shared/domain/basis/redirect-uri.ts';
import { buildLinkDestination } from '../../shared/domain/credentials/magic-link.ts';
import { isMailedLink } from '../../shared/domain/credentials/mailed-link.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { chooseLanguage, readPageBrand } from '../../shared/flows/browser/browser-context.ts';
import { findReplacedLogin } from '../../shared/flows/redirect-login/replaced-login.ts';
import type { OperationPorts, OperationRequest, UseCase } from '../../shared/operation.ts';
import type { AuthorizationCode } from '../../shared/ports/authorization.ts';
import type { Application } from '../../shared/ports/directory.ts';
import type { Language } from '../../shared/templates/language.ts';
import { continuePage } from '../../shared/templates/pages/continue-page.ts';
import { textPageHeaders } from '../../shared/templates/parts/frame.ts';
import { continueForm } from './continue-form.ts';
import { findCode } from './login-code.ts';
import type * as rows from './rows.ts';

/**
 * Renders the Continue page of a link that changes the browser's login. If the link replaces another user's login, the page
 * names that user.
 */
async function factorPage(
  ports: OperationPorts<typeof rows.openCodeBasedLink>,
  shown: {
    readonly code: string;
    readonly link: AuthorizationCode;
    readonly application: Application;
    readonly language: Language;
  },
  request: Pick<OperationRequest<typeof rows.openCodeBasedLink>['request'], 'cookies' | 'now'>,
) {
  const { link: record, ...rest } = shown;
  const tenant = await ports.tenants.find(record.tenantId);
  const replaces = tenant && (await findReplacedLogin(ports, tenant, record, request));
  return continueForm({ ...rest, record, cookies: request.cookies, replaces });
}

/**
 * Opens an emailed link (SPEC C): redirects to the caller with the link's code, which the caller's backend exchanges. Opening
 * the link does not consume the code and writes nothing, because mail scanners open links. If the link is one of two factors,
 * shows a Continue page instead.
 */
export const openCodeBasedLink: UseCase<typeof rows.openCodeBasedLink> = async (
  { query, request, audit },
  ports,
) => {
  if (isPrefetch(request.headers)) return { none: true };
  const language = chooseLanguage(request, query.ui_locales);

  const link = await findCode(ports, query.code, audit);
  if (!link || !isMailedLink(link)) throw new ServiceError('link_not_found');
  if (request.method === 'HEAD') return { none: true, status: 200 };

  const application = await ports.applications.find(link.applicationId);
  if (!allowsRedirect(application, link)) throw new ServiceError('link_not_found');
  const { alive, url } = buildLinkDestination(link, query.code, request.now);
  if (!alive) return { redirect: url };
  if (link.requireMfa) return factorPage(ports, { code: query.code, link, application, language }, request);
  if (!application.loginPreferences?.link?.interstitial) return { redirect: url };
  const brand = readPageBrand(application);
  return { html: continuePage({ language, brand, href: url }), headers: textPageHeaders(brand) };
};

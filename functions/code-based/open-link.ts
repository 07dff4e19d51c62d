import { destinationOf } from '../../shared/domain/magic-link.ts';
import { isPrefetch } from '../../shared/domain/prefetch.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { negotiateLanguage } from '../../shared/templates/language.ts';
import { continuePage } from '../../shared/templates/pages/continue-page.ts';
import { pageHeaders } from '../../shared/templates/pages/frame.ts';
import { linkUnknownPage } from '../../shared/templates/pages/link-unknown-page.ts';
import { openCodeBasedLink as operation } from '../rows/code-based.ts';
import { continueForm } from './continue-form.ts';
import { findLink } from './find-link.ts';

/**
 * C. Opens a mailed link: leads to the caller with the link's code, which its backend exchanges. Never consumes and never
 * writes, because mail scanners open links; where the link is one of two factors, a person has to go on from a page.
 */
export const useCase: UseCase<typeof operation> = async ({ query, request, audit }, ports) => {
  if (isPrefetch(request.headers)) return { none: true };
  const acceptLanguage = request.headers['accept-language'];
  const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });

  const link = await findLink(ports, query.code, audit);
  if (!link) return { html: linkUnknownPage({ language }), status: 404, headers: pageHeaders };
  if (request.method === 'HEAD') return { none: true, status: 200 };

  const { alive, url } = destinationOf(link, query.code);
  if (!alive) return { redirect: url };
  const application = await ports.applications.find(link.applicationId);
  if (link.requireMfa && application)
    return continueForm({ code: query.code, link, application, language, cookies: request.cookies });
  if (!application?.loginPreferences?.link?.interstitial) return { redirect: url };
  const page = continuePage({ language, applicationName: application.name, href: url });
  return { html: page, headers: pageHeaders };
};

export const handler = lambda(operation, useCase);

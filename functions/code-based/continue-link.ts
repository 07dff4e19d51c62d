import { isOwnForm, readBrowser } from '../../shared/domain/browser.ts';
import { destinationOf } from '../../shared/domain/magic-link.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { negotiateLanguage } from '../../shared/templates/language.ts';
import { pageHeaders } from '../../shared/templates/pages/frame.ts';
import { linkUnknownPage } from '../../shared/templates/pages/link-unknown-page.ts';
import { continueCodeBasedLink as operation } from '../rows/code-based.ts';
import { deadEnd } from './dead-end.ts';
import { findLink } from './find-link.ts';
import { leadOn } from './lead-on.ts';

/** C. Goes on from the Continue page of a mailed link: counts the link as one factor of the login in this browser. */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { query, form, request, audit } = input;
  const acceptLanguage = request.headers['accept-language'];
  const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });

  const link = await findLink(ports, query.code, audit);
  if (!link) return { html: linkUnknownPage({ language }), status: 404, headers: pageHeaders };
  const { alive, url } = destinationOf(link, query.code);
  if (!alive) return { redirect: url };
  // Without its cookie the browser could not hold what the link proves, and another site may have sent the form.
  if (!isOwnForm(readBrowser(request.cookies), link.hash, form.csrf))
    return deadEnd(language, 400, 'cookies_needed');
  return (await leadOn(ports, query.code, link, input)) ?? deadEnd(language, 400);
};

export const handler = lambda(operation, useCase);

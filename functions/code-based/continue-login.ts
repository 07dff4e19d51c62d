import { lambda } from '../../shared/aws/lambda.ts';
import { readBrowser } from '../../shared/domain/basis/browser.ts';
import { linkErrorPage } from '../../shared/flows/hosted-login/error-page.ts';
import { leadOn } from '../../shared/flows/redirect-login/lead-on.ts';
import type { UseCase } from '../../shared/operation.ts';
import { negotiateLanguage } from '../../shared/templates/language.ts';
import { linkUnknownPage } from '../../shared/templates/pages/link-unknown-page.ts';
import { pageHeaders } from '../../shared/templates/parts/frame.ts';
import { isFormOf } from './continue-form.ts';
import { deadEnd } from './dead-end.ts';
import { findCode } from './find-code.ts';
import { continueCodeBasedLogin as operation } from './rows.ts';

/**
 * C. Goes on from a Continue page: counts a mailed link as one factor of the login in this browser, or puts the login that
 * a passcode proved in the place of somebody else's.
 */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { query, form, request, audit } = input;
  const acceptLanguage = request.headers['accept-language'];
  const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });

  const record = await findCode(ports, query.code, audit);
  if (!record) return { html: linkUnknownPage({ language }), status: 404, headers: pageHeaders };
  const browser = readBrowser(request.cookies);
  // Without its cookie the browser could not hold what the code proves, and another site may have sent the form.
  const mayGoOn = (other: string | undefined) => isFormOf(browser, record, other, form.csrf);
  const led = await leadOn(ports, query.code, record, input, mayGoOn);
  if (led && 'asks' in led) return deadEnd(language, 400, 'cookies_needed');
  return led ?? deadEnd(language, 400);
};

export const handler = lambda(operation, useCase, linkErrorPage);

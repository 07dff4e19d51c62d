import { lambda } from '../../shared/aws/lambda.ts';
import { isPrefetch } from '../../shared/domain/basis/prefetch.ts';
import { isMailedLink } from '../../shared/domain/credentials/mailed-link.ts';
import { linkErrorPage } from '../../shared/flows/hosted-login/error-page.ts';
import { leadOn } from '../../shared/flows/redirect-login/lead-on.ts';
import type { UseCase } from '../../shared/operation.ts';
import { negotiateLanguage } from '../../shared/templates/language.ts';
import { continueForm } from './continue-form.ts';
import { deadEnd } from './dead-end.ts';
import { findCode } from './find-code.ts';
import { resumeLogin as operation } from './rows.ts';

/**
 * C. Leads the browser back to the caller with the code of a validated passcode. Nothing is written, unless two factors are
 * needed: then the browser gets hold of the first one, and the code of the second becomes exchangeable. Who is logged in as
 * somebody else is asked before.
 */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { query, request, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const acceptLanguage = request.headers['accept-language'];
  const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });

  const { code } = query;
  const record = await findCode(ports, code, audit);
  // The Continue page stands before the codes of links.
  if (!record || isMailedLink(record)) return deadEnd(language, 404);
  // The address may have been sent by a stranger: nobody's login gives way to it unasked.
  const led = await leadOn(ports, code, record, input, (other) => other === undefined);
  if (!led || !('asks' in led)) return led ?? deadEnd(language, 400);
  const { asks: other, application } = led;
  return continueForm({ code, record, application, language, cookies: request.cookies, other });
};

export const handler = lambda(operation, useCase, linkErrorPage);

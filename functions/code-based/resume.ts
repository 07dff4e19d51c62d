import { destinationOf } from '../../shared/domain/magic-link.ts';
import { isMailedLink } from '../../shared/domain/mailed-link.ts';
import { isPrefetch } from '../../shared/domain/prefetch.ts';
import { hashSecret } from '../../shared/domain/random.ts';
import { lambda } from '../../shared/http/lambda.ts';
import type { UseCase } from '../../shared/operation.ts';
import { negotiateLanguage } from '../../shared/templates/language.ts';
import { resumeLogin as operation } from '../rows/code-based.ts';
import { deadEnd } from './dead-end.ts';
import { leadOn } from './lead-on.ts';

/**
 * C. Leads the browser back to the caller with the code of a validated passcode. Nothing is written, unless two factors are
 * needed: then the browser gets hold of the first one, and the code of the second becomes exchangeable.
 */
export const useCase: UseCase<typeof operation> = async (input, ports) => {
  const { query, request, audit } = input;
  if (isPrefetch(request.headers)) return { none: true };
  if (request.method === 'HEAD') return { none: true, status: 200 };
  const acceptLanguage = request.headers['accept-language'];
  const language = negotiateLanguage({ uiLocales: query.ui_locales, acceptLanguage });

  const record = await ports.codes.find(hashSecret(query.code));
  // The Continue page stands before the codes of links.
  if (record?.origin !== 'code-based' || isMailedLink(record)) return deadEnd(language, 404);
  const { userId, tenantId, applicationId, clientId } = record;
  audit({ userId, tenantId, applicationId, clientId });
  if (!destinationOf(record, query.code).alive) return deadEnd(language, 400);
  return (await leadOn(ports, query.code, record, input)) ?? deadEnd(language, 400);
};

export const handler = lambda(operation, useCase);

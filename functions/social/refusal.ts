import type { AnswerTarget } from '../../shared/domain/oauth/authorization-answer.ts';
import { type CatalogueEntry, catalogue } from '../../shared/errors/catalogue.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { type BrowserAnswer, returnErrorToClient } from '../../shared/flows/browser/browser-answer.ts';
import type { BrowserContext } from '../../shared/flows/browser/browser-context.ts';
import type { AuditContext } from '../../shared/operation.ts';

/** An error as a redirect tells it: what OAuth has no word for is access denied. What is no answer is thrown on. */
export function asRedirectError(error: unknown): ServiceError {
  if (!(error instanceof ServiceError)) throw error;
  const { oauth, message }: CatalogueEntry = catalogue[error.key];
  if (oauth !== undefined) return error;
  return new ServiceError('access_denied', { ...error.detail, message: error.detail.message ?? message });
}

/** Leads back to the caller with an error; the log has it as it was. */
export function refusal(
  target: AnswerTarget,
  error: unknown,
  context: BrowserContext,
  audit: (note: AuditContext) => void,
): BrowserAnswer {
  const answer = returnErrorToClient(asRedirectError(error), target, context, audit);
  if (error instanceof ServiceError) audit({ result: error.key });
  return answer;
}

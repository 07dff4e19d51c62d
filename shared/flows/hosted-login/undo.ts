import type { ErrorKey } from '../../errors/catalogue.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { AuditContext } from '../../operation.ts';
import type { AuditEvent } from '../../ports/audit.ts';
import {
  type NoticeLinkOutcome,
  noticeLinkDonePage,
  type Undone,
} from '../../templates/pages/notice-link-page.ts';
import { textPageHeaders } from '../../templates/parts/frame.ts';
import type { BrowserAnswer } from '../browser/browser-answer.ts';
import type { BrowserContext } from '../browser/browser-context.ts';

/** What a link of a notice does, and the page that says what came of it. */

const OUTCOMES: Partial<Readonly<Record<ErrorKey, 'taken' | 'over'>>> = {
  identifier_taken: 'taken',
  notice_link_over: 'over',
  user_not_found: 'over',
};

/** Throws what its page cannot say. */
export async function outcomeOf(
  undoes: Undone,
  act: () => Promise<readonly AuditEvent[]>,
  audit: (context: AuditContext) => void,
): Promise<NoticeLinkOutcome> {
  try {
    audit({ events: await act() });
    return { outcome: 'done', undoes };
  } catch (error) {
    const outcome = error instanceof ServiceError ? OUTCOMES[error.key] : undefined;
    if (!outcome || !(error instanceof ServiceError)) throw error;
    audit({ result: error.key });
    return { outcome };
  }
}

export function outcomePage(
  { language, brand }: Pick<BrowserContext, 'language' | 'brand'>,
  outcome: NoticeLinkOutcome,
): Extract<BrowserAnswer, { readonly html: string }> {
  const html = noticeLinkDonePage({ language, brand, ...outcome });
  const status = outcome.outcome === 'done' ? 200 : 400;
  return { html, status, headers: textPageHeaders(brand), cookies: [] };
}

import { escapeHtml, oneLine } from '../html.ts';
import { formatWaitingTime, type Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { renderHomeButton, renderLinkButton } from '../parts/exits.ts';
import { renderPage } from '../parts/frame.ts';
import { deadEndWords } from '../texts/all.ts';
import type * as deadEnds from '../texts/dead-ends.ts';
import { fill } from '../texts/fill.ts';

export type DeadEndKey = keyof typeof deadEnds;

export type DeadEnd = (typeof deadEnds)[DeadEndKey];

export interface DeadEndPageInput {
  readonly language: Language;
  readonly reason: DeadEndKey;
  readonly end: DeadEnd;
  /** ID under which operators find the request in the log. */
  readonly requestId: string;
  /** Branding of the application, if the application is known. */
  readonly brand?: Brand | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Detail of the error in English, for the application's developers. */
  readonly detail?: string | undefined;
}

/** Renders the page of an error after which the login cannot continue. The page says what happened and what the user can do. */
export function deadEndPage(input: DeadEndPageInput): string {
  const { language, brand, end, requestId, retryAfterSeconds, detail, reason } = input;
  const texts = deadEndWords[language];
  const { heading, body, hint } = end[language];
  const advice =
    retryAfterSeconds === undefined
      ? hint
      : fill(texts.retryIn, { wait: formatWaitingTime(language, retryAfterSeconds) });
  const signOut = reason === 'hintBroken' ? renderLinkButton('/oidc/session/end', texts.signOut) : '';
  const mistake =
    detail === undefined ? '' : `<span dir="ltr" lang="en">${escapeHtml(oneLine(detail))}</span><br>`;
  return renderPage({
    language,
    brand,
    title: heading,
    content: `<h1>${heading}</h1>
<p>${body}</p>
<p>${detail === undefined ? advice : `${advice} ${texts.report}`}</p>${signOut}${renderHomeButton(brand, language)}
<p class="soft">${mistake}${texts.requestId}: <span dir="ltr">${escapeHtml(requestId)}</span></p>`,
  });
}

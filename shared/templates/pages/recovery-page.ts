import { escapeHtml, oneLine } from '../html.ts';
import { formatWaitingTime, type Language } from '../language.ts';
import type { Brand } from '../parts/brand.ts';
import { renderExitSection } from '../parts/exits.ts';
import { renderPage } from '../parts/frame.ts';
import { loginTexts, recoveryPageTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { type AskPageInput, askPage } from './ask-page.ts';

/**
 * Renders the page that asks users who have lost their second factor whether they want to start a recovery. The recovery takes
 * effect after `afterSeconds`. `undoes` is true if the user wants to undo a change without the lost factor.
 */
export function recoveryPage(
  input: AskPageInput & { readonly afterSeconds: number; readonly undoes?: boolean },
): string {
  const { afterSeconds, undoes, ...asked } = input;
  const { heading, body, undoBody, button, tip } = recoveryPageTexts[input.language];
  const duration = formatWaitingTime(input.language, afterSeconds);
  return askPage(asked, { heading, body: fill(undoes ? undoBody : body, { duration }), button, tip });
}

/**
 * Renders the page shown after a recovery was started. If `afterSeconds` is undefined, the page says that no recovery was
 * started, because no address of the user can be notified.
 */
export function recoveryStartedPage(input: {
  readonly language: Language;
  readonly brand: Brand;
  readonly afterSeconds: number | undefined;
  readonly undoes?: boolean;
  readonly backHref?: string | undefined;
}): string {
  const { language, brand, afterSeconds, backHref } = input;
  const texts = recoveryPageTexts[language];
  const startedBody = input.undoes ? texts.undoStartedBody : texts.startedBody;
  const [heading, body] =
    afterSeconds === undefined
      ? [texts.impossibleHeading, fill(texts.impossibleBody, { app: oneLine(brand.name) })]
      : [texts.startedHeading, fill(startedBody, { duration: formatWaitingTime(language, afterSeconds) })];
  return renderPage({
    language,
    brand,
    title: heading,
    content: `<h1>${heading}</h1>
<p dir="auto">${escapeHtml(body)}</p>${renderExitSection({ backHref }, loginTexts[language])}`,
  });
}

/**
 * Renders the page shown if the application offers too few factor types for a recovery. `place` is the name of another
 * application that offers enough of them, if there is one.
 */
export function recoveryElsewherePage(input: AskPageInput & { readonly place: string | undefined }): string {
  const { place, ...asked } = input;
  const { impossibleHeading: heading, elsewhereBody, anotherApp } = recoveryPageTexts[input.language];
  const names = { app: oneLine(input.brand.name), place: oneLine(place ?? anotherApp) };
  const body = escapeHtml(fill(elsewhereBody, names));
  return askPage(asked, { heading, body, button: loginTexts[input.language].back });
}

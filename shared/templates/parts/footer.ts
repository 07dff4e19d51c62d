import { LANGUAGES } from '../../records/languages.ts';
import { escapeHtml, oneLine } from '../html.ts';
import { type Language, languageAttributes } from '../language.ts';
import { footerTexts, ownName } from '../texts/all.ts';
import type { Brand, LinkName } from './brand.ts';
import { icons } from './icons.ts';

const NAMES: readonly LinkName[] = ['help', 'terms', 'privacy', 'home'];

/**
 * Renders the footer of a page: the application's texts and links, and the language picker. URLs in the texts do not become
 * links.
 */
export function renderFooter(brand: Brand | undefined, language: Language): string {
  const own = brand?.texts?.[language] ?? {};
  const entries = NAMES.map((name) => {
    const href = brand?.links?.[name];
    const given = own[name];
    // Error pages always contain the link to the home page, so the footer contains it only if the application has set a text
    // for it.
    const words = given ?? (href !== undefined && name !== 'home' ? footerTexts[language][name] : undefined);
    if (words === undefined) return '';
    const text = escapeHtml(oneLine(words));
    return href === undefined
      ? `<span dir="auto">${text}</span>`
      : `<a class="plain" dir="auto" href="${escapeHtml(href)}" rel="noreferrer">${text}</a>`;
  }).filter(Boolean);
  const all = [
    ...entries,
    brand?.languagePickerHref === undefined ? '' : languagePicker(brand.languagePickerHref, language),
  ];
  const shown = all.filter(Boolean);
  return shown.length === 0 ? '' : `\n<footer>${shown.join('\n')}</footer>`;
}

/**
 * Renders a link for each other language, labelled with the language's name in that language. The links work without
 * JavaScript. Their target stores the choice in a cookie.
 */
function languagePicker(address: string, language: Language): string {
  const before = `${address}${address.includes('?') ? '&' : '?'}`;
  const links = LANGUAGES.map((each) =>
    each === language
      ? ''
      : `<a class="plain" href="${escapeHtml(`${before}language=${each}`)}" ${languageAttributes(each)} hreflang="${each}" rel="nofollow">${ownName[each]}</a>`,
  ).filter(Boolean);
  const label = footerTexts[language].language;
  return `<details><summary><span class="unseen">${label}: </span>${icons.language}${ownName[language]}</summary>
<nav aria-label="${label}">${links.join('\n')}</nav></details>`;
}

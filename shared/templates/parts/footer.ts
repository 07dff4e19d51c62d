import { LANGUAGES } from '../../records/languages.ts';
import { escapeHtml, oneLine } from '../html.ts';
import { type Language, languageAttributes } from '../language.ts';
import { footerTexts, ownName } from '../texts/all.ts';
import type { Brand, LinkName } from './brand.ts';
import { icons } from './icons.ts';

const NAMES: readonly LinkName[] = ['help', 'terms', 'privacy', 'home'];

/** The application's own words and links, apart from those of the service. An address in a text is no link. */
export function footerOf(brand: Brand | undefined, language: Language): string {
  const own = brand?.texts?.[language] ?? {};
  const entries = NAMES.map((name) => {
    const href = brand?.links?.[name];
    const given = own[name];
    // The way home is on pages of errors in any case; here it needs words.
    const words = given ?? (href !== undefined && name !== 'home' ? footerTexts[language][name] : undefined);
    if (words === undefined) return '';
    const text = escapeHtml(oneLine(words));
    return href === undefined
      ? `<span dir="auto">${text}</span>`
      : `<a class="plain" dir="auto" href="${escapeHtml(href)}" rel="noreferrer">${text}</a>`;
  }).filter(Boolean);
  const all = [
    ...entries,
    brand?.languagesAt === undefined ? '' : languagePicker(brand.languagesAt, language),
  ];
  const shown = all.filter(Boolean);
  return shown.length === 0 ? '' : `\n<footer>${shown.join('\n')}</footer>`;
}

/** Links, each in its own language: they need no script, and the cookie that they set keeps the choice. */
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

import {
  type BuiltInProvider,
  isBuiltIn,
  type ProviderName,
  toProviderLabel,
} from '../../records/providers.ts';
import { escapeHtml, oneLine } from '../html.ts';
import type { LoginTexts } from '../texts/all.ts';
import { fill } from '../texts/fill.ts';
import { type Brand, findLogo, monogram, toAccent } from './brand.ts';

const mark = (paths: string, box = '0 0 20 20') => `<svg viewBox="${box}" aria-hidden="true">${paths}</svg>`;

/**
 * Logos of the providers. They are inline, so that a provider does not learn of a visit before the user presses its button.
 * Shapes and colours follow the providers' rules. Apple's logo has the colour of the text.
 */
const marks: Readonly<Record<BuiltInProvider, string>> = {
  google: mark(
    '<path fill="#ea4335" d="M1.8 5.8A9.2 9.2 0 0 1 16.5 3.5L14 6a5.6 5.6 0 0 0-9 1.5z"/><path fill="#fbbc05" d="M1.8 14.2a9.2 9.2 0 0 1 0-8.4L5 7.5a5.6 5.6 0 0 0 0 5z"/><path fill="#34a853" d="M15.7 17.2a9.2 9.2 0 0 1-13.9-3L5 12.5a5.6 5.6 0 0 0 8.4 1.9z"/><path fill="#4285f4" d="M10.2 8.2H19a9.2 9.2 0 0 1-3.3 9l-2.3-2.8c.9-.6 1.6-1.5 1.8-2.6h-5z"/>',
  ),
  apple: mark(
    '<path fill="currentColor" d="M14.6 10.7c0-1.9 1.5-2.8 1.6-2.9-.9-1.3-2.3-1.5-2.8-1.5-1.2-.1-2.3.7-2.9.7S9 6.3 8 6.3c-1.3 0-2.5.7-3.1 1.9-1.3 2.3-.3 5.7 1 7.6.6.9 1.4 1.9 2.4 1.9.9 0 1.3-.6 2.5-.6s1.5.6 2.5.6 1.7-.9 2.3-1.8c.7-1.1 1-2.1 1-2.2 0 0-2-.8-2-3zM12.7 5c.5-.6.9-1.5.8-2.4-.7 0-1.7.5-2.2 1.1-.5.6-.9 1.5-.8 2.3.9.1 1.7-.4 2.2-1z"/>',
    '2.4 2.2 16 16',
  ),
  facebook: mark(
    '<circle cx="10" cy="10" r="10" fill="#1877f2"/><path fill="#fff" d="m13.9 12.9.4-2.9h-2.7V8.1c0-.8.4-1.6 1.6-1.6h1.3V4.1s-1.1-.2-2.2-.2c-2.3 0-3.7 1.4-3.7 3.9V10H6v2.9h2.6v7a10 10 0 0 0 3 0v-7z"/>',
  ),
  line: mark(
    '<rect width="20" height="20" rx="4.5" fill="#06c755"/><path fill="#fff" d="M10 3.6c-4 0-7.2 2.6-7.2 5.8 0 2.9 2.6 5.3 6 5.7.3 0 .6.1.7.4.1.2 0 .4 0 .6l-.1.7c0 .2-.1.7.6.4s4.2-2.5 5.7-4.2c1-1.2 1.5-2.3 1.5-3.6 0-3.2-3.2-5.8-7.2-5.8z"/><path fill="none" stroke="#06c755" stroke-width=".9" d="M5.2 7.9v2.9h1.5M8 7.9v2.9M9.4 10.8V7.9l2 2.9V7.9M14.6 8.3h-1.4v2.1h1.4M13.2 9.35h1.4"/>',
  ),
  microsoft: mark(
    '<path fill="#f25022" d="M1 1h9v9H1z"/><path fill="#7fba00" d="M11 1h9v9h-9z"/><path fill="#00a4ef" d="M1 11h9v9H1z"/><path fill="#ffb900" d="M11 11h9v9h-9z"/>',
    '0 0 21 21',
  ),
};

/** Providers whose branding rules prescribe "Log in with" as the text of their button. */
const LOG_IN: readonly ProviderName[] = ['line', 'microsoft'];

/** Returns the name under which pages show a provider, as plain text. */
export const chooseProviderLabel = (provider: string, brand: Brand | undefined): string =>
  oneLine(brand?.providers?.[provider]?.label ?? toProviderLabel(provider));

/** Draws the logo of a provider, or a monogram for an OpenID provider without a logo. */
function providerMark(provider: ProviderName, brand: Brand): string {
  if (isBuiltIn(provider)) return marks[provider];
  const look = brand.providers?.[provider];
  const logo = look && findLogo(look);
  return logo
    ? `<img src="${escapeHtml(logo)}" alt="">`
    : monogram(chooseProviderLabel(provider, brand), toAccent(look?.color));
}

/** Renders the button of a provider. It submits the provider's name as `method`. */
export function providerButton(method: ProviderName, texts: LoginTexts, brand: Brand): string {
  const words = LOG_IN.includes(method) ? texts.logInWith : texts.continueWith;
  return `<button class="button second provider" name="method" value="${method}">${providerMark(method, brand)}<span>${fill(words, { provider: escapeHtml(chooseProviderLabel(method, brand)) })}</span></button>`;
}

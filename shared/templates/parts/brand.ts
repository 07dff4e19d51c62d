import { createHash } from 'node:crypto';
import { readableOn, readHexColour, standingOut } from '../colour.ts';
import { escapeHtml, oneLine } from '../html.ts';
import { CARD } from './style.ts';

/** The look of an application's login pages. Malformed values are left out. */
export interface Brand {
  readonly name: string;
  /** `data:image/…;base64,…` of a PNG, JPEG, GIF or WebP. Takes precedence over `logoUrl`. */
  readonly logoDataUri?: string | undefined;
  /** A path on this origin: another host would see who logs in. */
  readonly logoUrl?: string | undefined;
  /** `#RGB` or `#RRGGBB`. */
  readonly primaryColor?: string | undefined;
}

/** WCAG 2.2: 1.4.3 for text, 1.4.11 for outlines of controls. */
const TEXT_CONTRAST = 4.5;
const EDGE_CONTRAST = 3;

/** The style sheet with the brand's colour. Empty without one. */
export function themeOf(brand: Brand | undefined): string {
  const colour = readHexColour(brand?.primaryColor);
  if (colour === undefined) return '';
  const rule = (card: string) =>
    `:root{--accent:${colour};--on-accent:${readableOn(colour)};--accent-edge:${standingOut(colour, card, EDGE_CONTRAST)};--accent-ink:${standingOut(colour, card, TEXT_CONTRAST)}}`;
  return `${rule(CARD.light)}\n@media (prefers-color-scheme:dark){${rule(CARD.dark)}}`;
}

/** The logo, or the name beside its initial. Empty for a nameless brand. */
export function brandMark(brand: Brand | undefined): string {
  const name = oneLine(brand?.name ?? '');
  const logo = brand && logoOf(brand);
  if (logo) return `<p class="app"><img src="${escapeHtml(logo)}" alt="${escapeHtml(name)}"></p>\n`;
  if (name === '') return '';
  return `<p class="app">${monogram(name, readHexColour(brand?.primaryColor))}<span dir="auto">${escapeHtml(name)}</span></p>\n`;
}

/** No SVG: it may hold links and text that imitate the page. */
function logoOf({ logoDataUri = '', logoUrl = '' }: Brand): string | undefined {
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(logoDataUri)) return logoDataUri;
  return /^\/(?![/\\])[^\s\\]*$/.test(logoUrl) ? logoUrl : undefined;
}

/** The first letter on the brand's colour, or on a dark colour that depends on the name only. */
function monogram(name: string, colour: string | undefined): string {
  const [letter] = new Intl.Segmenter().segment(name);
  const initial = escapeHtml((letter?.segment ?? '').toUpperCase());
  const hue = Math.round((createHash('sha256').update(name).digest()[0] ?? 0) * (360 / 256));
  const ground = colour ?? `hsl(${hue} 55% 30%)`;
  const ink = colour ? readableOn(colour) : '#fff';
  return `<svg viewBox="0 0 36 36" aria-hidden="true"><rect x=".5" y=".5" width="35" height="35" rx="9.5" fill="${ground}"/><text x="18" y="24" text-anchor="middle" font-size="17" font-weight="700" fill="${ink}">${initial}</text></svg>`;
}

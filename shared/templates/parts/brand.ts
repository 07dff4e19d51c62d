import { createHash } from 'node:crypto';
import { readableOn, readHexColour, standingOut } from '../colour.ts';
import { escapeHtml, oneLine } from '../html.ts';
import { CARD } from './style.ts';

/** How an application wants its login pages to look. What is malformed is left out, never passed on. */
export interface Brand {
  readonly name: string;
  /** `data:image/…;base64,…` of a PNG, JPEG, GIF or WebP. Goes before `logoUrl`. */
  readonly logoDataUri?: string | undefined;
  /** Path on this origin: a logo from elsewhere would tell its host who logs in. */
  readonly logoUrl?: string | undefined;
  /** `#RGB` or `#RRGGBB`. */
  readonly primaryColor?: string | undefined;
}

/** WCAG 2.2, 1.4.3 for text, 1.4.11 for what outlines a control. */
const TEXT_CONTRAST = 4.5;
const EDGE_CONTRAST = 3;

/** The style sheet that puts the colour of the brand in the place of ours; empty when it has none. */
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

/** SVG is no image here: it may hold links and text that pose as ours. */
function logoOf({ logoDataUri = '', logoUrl = '' }: Brand): string | undefined {
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(logoDataUri)) return logoDataUri;
  return /^\/(?![/\\])[^\s\\]*$/.test(logoUrl) ? logoUrl : undefined;
}

/** The first letter on the brand's colour, or on one that is the same for one name always and dark enough for white. */
function monogram(name: string, colour: string | undefined): string {
  const [letter] = new Intl.Segmenter().segment(name);
  const initial = escapeHtml((letter?.segment ?? '').toUpperCase());
  const hue = Math.round((createHash('sha256').update(name).digest()[0] ?? 0) * (360 / 256));
  const ground = colour ?? `hsl(${hue} 55% 30%)`;
  const ink = colour ? readableOn(colour) : '#fff';
  return `<svg viewBox="0 0 36 36" aria-hidden="true"><rect x=".5" y=".5" width="35" height="35" rx="9.5" fill="${ground}"/><text x="18" y="24" text-anchor="middle" font-size="17" font-weight="700" fill="${ink}">${initial}</text></svg>`;
}

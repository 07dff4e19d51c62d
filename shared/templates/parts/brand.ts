import { createHash } from 'node:crypto';
import { contrastColour, ensureContrast, parseHexColour } from '../../domain/basis/colour.ts';
import { escapeHtml, oneLine } from '../html.ts';
import type { Language } from '../language.ts';
import { CARD, FONTS } from './style.ts';

/** Appearance of an application's pages. Malformed values are ignored. */
export interface Brand {
  readonly name: string;
  /** Logo as a `data:image/…;base64,…` URL of a PNG, JPEG, GIF or WebP image. Takes precedence over `logoUrl`. */
  readonly logoDataUri?: string | undefined;
  /** Path of the logo on this origin. A logo on another host would tell that host who logs in. */
  readonly logoUrl?: string | undefined;
  /** Colour of buttons as `#RGB` or `#RRGGBB`, like all colours of a brand. */
  readonly primaryColor?: string | undefined;
  readonly primaryColorDark?: string | undefined;
  readonly onPrimaryColor?: string | undefined;
  readonly onPrimaryColorDark?: string | undefined;
  readonly backgroundColor?: string | undefined;
  readonly backgroundColorDark?: string | undefined;
  /** Radius of corners in CSS pixels. */
  readonly cornerRadius?: number | undefined;
  readonly font?: keyof typeof FONTS | undefined;
  readonly texts?: Partial<Readonly<Record<Language, ApplicationTexts>>> | undefined;
  /** URL to which the language picker adds the query parameter `language`. Undefined if pages have no language picker. */
  readonly languagePickerHref?: string | undefined;
  /** Appearance of the application's own OpenID providers, by their names in the form `openid/<name>`. */
  readonly providers?: Readonly<Record<string, ProviderLook>> | undefined;
  readonly links?: Partial<Readonly<Record<LinkName, string | undefined>>> | undefined;
}

export interface ProviderLook {
  readonly label: string;
  readonly color?: string | undefined;
  readonly logoDataUri?: string | undefined;
}

export type LinkName = 'help' | 'terms' | 'privacy' | 'home';

/** Texts that the application has set for its pages in one language, without markup. */
export type ApplicationTexts = Partial<Readonly<Record<'title' | 'subtitle' | LinkName, string>>>;

/** Minimum contrast between text and its background (WCAG 2.2, 1.4.3). */
const TEXT_CONTRAST = 4.5;
/** Minimum contrast between the outlines of controls and their background (WCAG 2.2, 1.4.11). */
const EDGE_CONTRAST = 3;

export interface Accent {
  readonly colour: string;
  readonly on: string;
}

/**
 * Returns a colour and the colour of text on it. By default, the text is black or white. Returns undefined for an invalid
 * colour.
 */
export function toAccent(given: string | undefined, on?: string | undefined): Accent | undefined {
  const colour = parseHexColour(given);
  return colour === undefined ? undefined : { colour, on: parseHexColour(on) ?? contrastColour(colour) };
}

/**
 * Returns the colours of buttons and their text in light and dark mode. If a colour is set for one mode only, both modes use
 * it.
 */
export function readAccents(brand: Partial<Brand> | undefined): Record<'light' | 'dark', Accent> | undefined {
  const light = toAccent(brand?.primaryColor, brand?.onPrimaryColor);
  const dark = toAccent(brand?.primaryColorDark, brand?.onPrimaryColorDark) ?? light;
  return dark && { light: light ?? dark, dark };
}

function variables(card: string, accent: Accent | undefined, ground: string | undefined): string {
  const page = parseHexColour(ground);
  return [
    accent &&
      `--accent:${accent.colour};--on-accent:${accent.on};--accent-edge:${ensureContrast(accent.colour, card, EDGE_CONTRAST)};--accent-ink:${ensureContrast(accent.colour, card, TEXT_CONTRAST)}`,
    page && `--page:${page}`,
  ]
    .filter(Boolean)
    .join(';');
}

function shapes({ cornerRadius, font }: Brand): string {
  const radius = Number.isInteger(cornerRadius) ? cornerRadius : undefined;
  return [
    radius === undefined ? '' : `--radius:${radius}px;--card-radius:${radius === 0 ? 0 : radius + 6}px`,
    font && Object.hasOwn(FONTS, font) ? `--font:${FONTS[font]}` : '',
  ]
    .filter(Boolean)
    .join(';');
}

/** Returns the style sheet with the brand's colours, corners and font, or an empty string without a brand. */
export function renderTheme(brand: Brand | undefined): string {
  if (!brand) return '';
  const accents = readAccents(brand);
  const root = (all: readonly string[]) => {
    const set = all.filter(Boolean).join(';');
    return set && `:root{${set}}`;
  };
  const light = root([variables(CARD.light, accents?.light, brand.backgroundColor), shapes(brand)]);
  const dark = root([variables(CARD.dark, accents?.dark, brand.backgroundColorDark)]);
  return [light, dark && `@media (prefers-color-scheme:dark){${dark}}`].filter(Boolean).join('\n');
}

/**
 * Renders the application's logo, or a monogram with its name. Returns an empty string if the brand has neither name nor logo.
 */
export function renderBrandMark(brand: Brand | undefined): string {
  const name = oneLine(brand?.name ?? '');
  const logo = brand && findLogo(brand);
  if (logo) return `<p class="app"><img src="${escapeHtml(logo)}" alt="${escapeHtml(name)}"></p>\n`;
  if (name === '') return '';
  return `<p class="app">${monogram(name, readAccents(brand)?.light)}<span dir="auto">${escapeHtml(name)}</span></p>\n`;
}

/**
 * Returns the URL of the logo if its image type is permitted. SVG is not permitted, because it can contain links and text that
 * imitate the page.
 */
export function findLogo({
  logoDataUri = '',
  logoUrl = '',
}: Pick<Brand, 'logoDataUri' | 'logoUrl'>): string | undefined {
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(logoDataUri)) return logoDataUri;
  return /^\/(?![/\\])[^\s\\]*$/.test(logoUrl) ? logoUrl : undefined;
}

/**
 * Draws a monogram: the first letter of the name on the accent colour or, without one, on a dark colour that depends only on
 * the name.
 */
export function monogram(name: string, accent: Accent | undefined): string {
  const [letter] = new Intl.Segmenter().segment(name);
  const initial = escapeHtml((letter?.segment ?? '').toUpperCase());
  const hue = Math.round((createHash('sha256').update(name).digest()[0] ?? 0) * (360 / 256));
  const { colour, on } = accent ?? { colour: `hsl(${hue} 55% 30%)`, on: '#fff' };
  return `<svg viewBox="0 0 36 36" aria-hidden="true"><rect x=".5" y=".5" width="35" height="35" rx="9.5" fill="${colour}"/><text x="18" y="24" text-anchor="middle" font-size="17" font-weight="700" fill="${on}">${initial}</text></svg>`;
}

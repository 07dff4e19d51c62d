export const DEFAULT_COLOUR = '#2557d6';

/** Normalises `#RGB` or `#RRGGBB` to `#rrggbb`. Returns undefined for anything else, which could inject markup into a style. */
export function parseHexColour(text: string | undefined): string | undefined {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text ?? '')?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return digits.length === 3 ? `#${digits.replace(/./g, '$&$&')}` : `#${digits}`;
}

/** Normalises `#RGB` or `#RRGGBB` to `#rrggbb`. Returns the default colour for anything else. */
export function normaliseColour(text: string | undefined): string {
  return parseHexColour(text) ?? DEFAULT_COLOUR;
}

/** Returns black or white, whichever has the higher contrast to a colour: at least 4.5 to 1. */
export function contrastColour(colour: string): '#000000' | '#ffffff' {
  return computeContrast('#ffffff', colour) >= computeContrast('#000000', colour) ? '#ffffff' : '#000000';
}

/** Moves a colour towards black or white until its contrast to the background is at least `ratio` to 1. */
export function ensureContrast(colour: string, ground: string, ratio: number): string {
  const end = contrastColour(ground);
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = mix(colour, end, share);
    if (computeContrast(mixed, ground) >= ratio) return mixed;
  }
  return end;
}

/** Computes the contrast ratio of two `#rrggbb` colours (WCAG 2.2, "contrast ratio"). */
export function computeContrast(one: string, other: string): number {
  const luminances = [relativeLuminance(one), relativeLuminance(other)];
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

function mix(from: string, to: string, share: number): string {
  const ends = channels(to);
  const mixed = channels(from).map((channel, at) =>
    Math.round(channel + ((ends[at] ?? 0) - channel) * share),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** Computes the relative luminance of a `#rrggbb` colour (WCAG 2.2, "relative luminance"). */
function relativeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

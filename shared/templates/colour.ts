const DEFAULT_COLOUR = '#2557d6';

/** `#RGB` or `#RRGGBB` as `#rrggbb`; anything else is the default, never markup. */
export function hexColour(text: string | undefined): string {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text ?? '')?.[1]?.toLowerCase();
  if (digits === undefined) return DEFAULT_COLOUR;
  return digits.length === 3 ? `#${digits.replace(/./g, '$&$&')}` : `#${digits}`;
}

/** Black or white, whichever reads better on the colour: at least 4.5 to 1 on every colour. */
export function readableOn(colour: string): '#000000' | '#ffffff' {
  const luminance = relativeLuminance(colour);
  const onWhite = 1.05 / (luminance + 0.05);
  const onBlack = (luminance + 0.05) / 0.05;
  return onWhite >= onBlack ? '#ffffff' : '#000000';
}

/** WCAG 2.2, "relative luminance", of `#rrggbb`. */
function relativeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Basic characters of the GSM 7-bit alphabet, which take one septet (3GPP TS 23.038 §6.2.1). */
const GSM_BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** GSM characters that take two septets, because an escape septet precedes each of them (3GPP TS 23.038 §6.2.1). */
const GSM_EXTENSION = new Set('\f^{}\\[~]|€');

/**
 * Capacity of a single text message, and of each part of a longer message. A part has less capacity, because its header takes
 * space (3GPP TS 23.040 §9.2.3.24.1). Texts with characters outside the GSM alphabet are measured in UTF-16 units.
 */
const CAPACITY = {
  septets: { alone: 160, joined: 153 },
  units: { alone: 70, joined: 67 },
} as const;

/** Returns the number of parts (segments) in which the network sends a text. Each segment is billed. */
export function segments(text: string): number {
  const septets = sizes(text, countSeptets);
  if (septets) return count(septets, CAPACITY.septets);
  return count(
    Array.from(text, (character) => character.length),
    CAPACITY.units,
  );
}

function countSeptets(character: string): number | undefined {
  if (GSM_BASIC.has(character)) return 1;
  return GSM_EXTENSION.has(character) ? 2 : undefined;
}

function sizes(text: string, sizeOf: (character: string) => number | undefined): number[] | undefined {
  const list: number[] = [];
  for (const character of text) {
    const size = sizeOf(character);
    if (size === undefined) return undefined;
    list.push(size);
  }
  return list;
}

/**
 * Counts the segments of a text. A segment never splits an escaped character or a surrogate pair, so its last unit may stay
 * unused.
 */
function count(
  list: readonly number[],
  capacity: { readonly alone: number; readonly joined: number },
): number {
  if (list.reduce((sum, size) => sum + size, 0) <= capacity.alone) return 1;
  let segment = 1;
  let filled = 0;
  for (const size of list) {
    if (filled + size > capacity.joined) {
      segment += 1;
      filled = 0;
    }
    filled += size;
  }
  return segment;
}

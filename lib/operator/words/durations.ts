const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Formats a duration with the largest unit that divides it: 90 seconds is "90 seconds", 3600 seconds is "1 hour". */
export function toDurationText(seconds: number): string {
  const [size, unit] = UNITS.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 'second'];
  const count = Math.round(seconds / size);
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`;
}

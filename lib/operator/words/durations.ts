const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** `90` is "90 seconds", `3600` is "1 hour": the largest unit that leaves no rest. */
export function durationOf(seconds: number): string {
  const [size, unit] = UNITS.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 'second'];
  const count = Math.round(seconds / size);
  return `${count.toLocaleString('en-US')} ${unit}${count === 1 ? '' : 's'}`;
}

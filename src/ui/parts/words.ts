/** How a badge or a notice looks; plain where nothing is said. */
export type Tone = '' | 'good' | 'warn' | 'bad';

/** Something in words, and how it is meant. */
export interface Said {
  readonly tone: Tone;
  readonly text: string;
}

/** `1 skill`, `2 skills`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** An amount in the largest unit that it fills, each so many times the one before. */
export function inUnits(
  amount: number,
  step: number,
  units: readonly string[],
): readonly [value: number, unit: string] {
  let [value, place] = [amount, 0];
  while (value >= step && place < units.length - 1) [value, place] = [value / step, place + 1];
  return [value, units[place] ?? ''];
}

export function sizeInWords(bytes: number): string {
  const [value, unit] = inUnits(bytes, 1000, ['B', 'kB', 'MB', 'GB', 'TB']);
  return `${unit === 'B' || value >= 100 ? Math.round(value) : value.toFixed(1)} ${unit}`;
}

export function timeInWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min ${Math.round((ms % 60_000) / 1000)} s` : `${(ms / 3_600_000).toFixed(1)} h`;
}

/** A moment as people of this place write it. */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** Formats a duration for people, in a terminal and on a page alike: `250 ms`, `1.2 s`, `1 min 30 s`, `2 h`. */
export function durationInWords(ms: number): string {
  const [inMs, inSeconds] = [threeDigits(ms), threeDigits(ms / 1000)];
  if (inMs < 1000) return `${inMs} ms`;
  if (inSeconds < 60) return `${inSeconds} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return inTwo(seconds, 'min', 's');
  return inTwo(Math.round(seconds / 60), 'h', 'min');
}

/** Formats an amount in two units, sixty of the smaller to one of the larger. A part that is zero is left out. */
function inTwo(amount: number, larger: string, smaller: string): string {
  const rest = amount % 60;
  return `${Math.floor(amount / 60)} ${larger}${rest === 0 ? '' : ` ${rest} ${smaller}`}`;
}

const sizeUnits = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size for people, in steps of 1,024 as limits are written: `256 MB`, `1.5 kB`. */
export function sizeInWords(amount: number): string {
  let [value, step] = [amount, 0];
  while (Math.round(value) >= 1024 && step < sizeUnits.length - 1) [value, step] = [value / 1024, step + 1];
  const rounded = step === 0 ? Math.round(value) : threeDigits(value);
  return rounded === 1 && step === 0 ? '1 byte' : `${rounded} ${sizeUnits[step]}`;
}

/** Rounds to three significant digits; no digit before the point is lost. */
function threeDigits(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

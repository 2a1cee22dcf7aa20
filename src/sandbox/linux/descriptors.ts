import type { StdioOptions } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';

const closedOnStart = 0o2000000;

/**
 * The open files that whoever started us left open, and that everything we start would get too. Node takes care of the
 * first few alone.
 */
export function strayDescriptors(): readonly number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor > 2 && !isClosedOnStart(descriptor));
}

function isClosedOnStart(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
    return flags === undefined || (Number.parseInt(flags, 8) & closedOnStart) !== 0;
  } catch {
    return true; // it was the one that listed them
  }
}

let strays: readonly number[] | null = null;
let nothing: number | null = null;

type Stdio = Exclude<StdioOptions, string>;

/** Puts the null device in the place of each stray, since a place cannot be told to stay empty. */
export function withoutStrays(wanted: Stdio): Stdio {
  strays ??= strayDescriptors();
  const others = strays.filter((descriptor) => descriptor >= wanted.length);
  if (others.length === 0) return wanted;
  nothing ??= openSync('/dev/null', 'r');
  const stdio: Stdio = [...wanted];
  const length = Math.max(...others) + 1;
  while (stdio.length < length) stdio.push('ignore');
  for (const descriptor of others) stdio[descriptor] = nothing;
  return stdio;
}

import { type Parsed, parsed, problem } from '../../../core/schema/parsed.ts';
import { parseCount } from '../../../core/text/amounts.ts';
import { limitForms } from '../../policy/limits.ts';
import type { LimitName, Limits } from '../../policy/types.ts';
import type { Place } from './findings.ts';
import { type ReadBy, type Reader, readTable, valued, withoutEffect } from './readers.ts';

/** One limit, as a key of a manifest sets it. */
export interface Setting {
  readonly limit: LimitName;
  readonly amount: number;
}

/** Makes a reader of a limit, which is read as in operators' policies, unless the name of the key says another unit. */
function setting(limit: LimitName, read = limitForms[limit].parse): Reader<Setting> {
  const reader = valued(read);
  return (place) => {
    const amount = reader(place);
    return amount === undefined ? undefined : { limit, amount };
  };
}

/** Makes a parser of a plain number, in the unit that the name of the key says. */
function times(unit: number): (value: unknown) => Parsed<number> {
  return (value) => {
    const counted = parseCount(value);
    return counted.ok ? parsed(counted.value * unit) : counted;
  };
}

const leastMemory = 1024 * 1024;

function memory(value: unknown): Parsed<number> {
  const size = limitForms.memoryBytes.parse(value);
  if (!size.ok || size.value >= leastMemory) return size;
  return problem(`${size.value} bytes of memory are too few for any program`, 'Write it with its unit, like "256MB".');
}

const time = setting('timeoutMs');
const room = setting('memoryBytes', memory);
const processes = setting('processes');
const output = setting('outputBytes');
const scratch = setting('scratchBytes');
const file = setting('fileBytes');
const cpuTime = setting('cpuSeconds');
const cores = withoutEffect(
  'has no effect: CPU time is limited, and not the number of cores',
  'Use cpu_time, like "30s".',
);

/** Every way to write a limit. */
export const limitKeys = {
  timeout: time,
  timeout_ms: setting('timeoutMs', times(1)),
  timeout_seconds: setting('timeoutMs', times(1000)),
  timeout_secs: setting('timeoutMs', times(1000)),
  memory: room,
  max_memory: room,
  memory_mb: setting('memoryBytes', times(leastMemory)),
  max_memory_mb: setting('memoryBytes', times(leastMemory)),
  processes,
  max_processes: processes,
  pids: processes,
  pids_limit: processes,
  max_output: output,
  scratch,
  disk: scratch,
  file_size: file,
  max_file_size: file,
  cpu_time: cpuTime,
  cpu_seconds: cpuTime,
  cpu: cores,
  cpus: cores,
} as const;

/** The limits that were set; where two keys set one limit, the lower holds. */
export function limitsIn(read: ReadBy<typeof limitKeys>): Partial<Limits> {
  const limits: Partial<Record<LimitName, number>> = {};
  for (const key of Object.keys(limitKeys) as (keyof typeof limitKeys)[]) {
    const set: Setting | undefined = read[key];
    if (set !== undefined) limits[set.limit] = Math.min(set.amount, limits[set.limit] ?? set.amount);
  }
  return limits;
}

/** Reads a table of limits alone. There, `output` can mean nothing else. */
export function readLimits(place: Place | undefined): Partial<Limits> {
  if (place === undefined) return {};
  const { output: most, ...read } = readTable(place, { ...limitKeys, output });
  return limitsIn(most === undefined ? read : { ...read, max_output: most });
}

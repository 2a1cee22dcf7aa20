import type { Parsed } from '../kernel/parsed.ts';
import { durationInWords, parseCount, parseDuration, parseSize, sizeInWords } from '../kernel/quantities.ts';
import type { LimitName, Limits, OperatorPolicy } from './types.ts';

/** How a limit is called in every file that sets it, how it is read there, and how it is told. */
interface LimitForm {
  readonly key: string;
  readonly parse: (value: unknown) => Parsed<number>;
  readonly inWords: (value: number) => string;
}

const time: Pick<LimitForm, 'parse' | 'inWords'> = { parse: parseDuration, inWords: durationInWords };
const size: Pick<LimitForm, 'parse' | 'inWords'> = { parse: parseSize, inWords: sizeInWords };

export const limitForms: { readonly [K in LimitName]: LimitForm } = {
  timeoutMs: { key: 'timeout', ...time },
  memoryBytes: { key: 'memory', ...size },
  processes: { key: 'processes', parse: parseCount, inWords: String },
  outputBytes: { key: 'max_output', ...size },
  scratchBytes: { key: 'scratch', ...size },
  fileBytes: { key: 'file_size', ...size },
  cpuSeconds: { key: 'cpu_time', parse: parseSeconds, inWords: (seconds) => durationInWords(seconds * 1000) },
};

export const limitNames = Object.keys(limitForms) as readonly LimitName[];

/** The time of a processor is counted in whole seconds. */
function parseSeconds(value: unknown): Parsed<number> {
  const ms = parseDuration(value);
  return ms.ok ? { ok: true, value: Math.ceil(ms.value / 1000) } : ms;
}

const mb = 1024 ** 2;
const gb = 1024 ** 3;

export const defaultLimits: Limits = {
  timeoutMs: 30_000,
  memoryBytes: 256 * mb,
  processes: 64,
  outputBytes: mb,
  scratchBytes: 16 * mb,
  fileBytes: 100 * mb,
  cpuSeconds: 60,
};

export const defaultCeilings: Limits = {
  timeoutMs: 3_600_000,
  memoryBytes: 8 * gb,
  processes: 1024,
  outputBytes: 64 * mb,
  scratchBytes: gb,
  fileBytes: 4 * gb,
  cpuSeconds: 7200,
};

export function atMost(limits: Limits, ceilings: Limits): Limits {
  const each = limitNames.map((name) => [name, Math.min(limits[name], ceilings[name])]);
  return Object.fromEntries(each) as unknown as Limits;
}

type LimitPolicy = Pick<OperatorPolicy, 'defaults' | 'ceilings'>;

/** What a run is limited to: what is said last, and never more than the operator's ceiling. */
export function limitsFor(policy: LimitPolicy, ...overrides: readonly Partial<Limits>[]): Limits {
  return atMost(wantedLimits(policy, overrides), policy.ceilings);
}

function wantedLimits({ defaults }: LimitPolicy, overrides: readonly Partial<Limits>[]): Limits {
  const wanted = { ...defaults };
  for (const override of overrides) {
    for (const name of limitNames) wanted[name] = override[name] ?? wanted[name];
  }
  // Who was given more time may use it; two processors busy all the while is the measure of the default.
  const saysCpu = overrides.some((override) => override.cpuSeconds !== undefined);
  const forTime = saysCpu ? 0 : Math.ceil((2 * wanted.timeoutMs) / 1000);
  const isLonger = wanted.timeoutMs > defaults.timeoutMs;
  return isLonger ? { ...wanted, cpuSeconds: Math.max(wanted.cpuSeconds, forTime) } : wanted;
}

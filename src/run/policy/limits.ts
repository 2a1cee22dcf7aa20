import { type Parsed, parsed, problem, shown } from '../../core/schema/parsed.ts';
import { durationText, parseCount, parseDuration, parseSize, sizeText } from '../../core/text/amounts.ts';
import { durationInWords, sizeInWords } from '../../core/text/quantities.ts';
import type { LimitName, LimitRule, Limits, OperatorPolicy } from './types.ts';

/** The form of an amount: how it is read, written exactly, and shown to people. */
interface AmountForm {
  readonly parse: (value: unknown) => Parsed<number>;
  readonly text: (value: number) => string;
  readonly inWords: (value: number) => string;
}

/** The form of a limit: its key in every file that sets it, and what a skill may do that has so much of it. */
interface LimitForm extends AmountForm {
  readonly key: string;
  readonly allows: (amount: string) => string;
}

const time: AmountForm = { parse: parseDuration, text: durationText, inWords: durationInWords };
const size: AmountForm = { parse: parseSize, text: sizeText, inWords: sizeInWords };
const number: AmountForm = { parse: parseCount, text: String, inWords: String };
const seconds: AmountForm = {
  parse: parseSeconds,
  text: (amount) => durationText(amount * 1000),
  inWords: (amount) => durationInWords(amount * 1000),
};

export const limitForms: { readonly [K in LimitName]: LimitForm } = {
  timeoutMs: { key: 'timeout', ...time, allows: (amount) => `run for up to ${amount}` },
  memoryBytes: { key: 'memory', ...size, allows: (amount) => `use up to ${amount} of memory` },
  processes: { key: 'processes', ...number, allows: (amount) => `run up to ${amount} processes at once` },
  outputBytes: { key: 'max_output', ...size, allows: (amount) => `print up to ${amount}` },
  scratchBytes: { key: 'scratch', ...size, allows: (amount) => `keep up to ${amount} in its scratch folder` },
  fileBytes: { key: 'file_size', ...size, allows: (amount) => `write files of up to ${amount}` },
  cpuSeconds: { key: 'cpu_time', ...seconds, allows: (amount) => `use up to ${amount} of processor time` },
};

export const limitNames = Object.keys(limitForms) as readonly LimitName[];

/** The text of a limit as a capability: `memory=8GB`. */
export function limitText({ limit, amount }: LimitRule): string {
  return `${limitForms[limit].key}=${limitForms[limit].text(amount)}`;
}

export function parseLimit(text: string): Parsed<LimitRule> {
  const [key, value = ''] = text.split('=', 2);
  const limit = limitNames.find((name) => limitForms[name].key === key);
  if (limit === undefined) {
    const known = limitNames.map((name) => limitForms[name].key).join(', ');
    return problem(`${shown(text)} is not a limit`, `Write it like "memory=1GB". The limits are ${known}.`);
  }
  const amount = limitForms[limit].parse(/^\d+$/.test(value) ? Number(value) : value);
  return amount.ok ? parsed({ limit, amount: amount.value }) : amount;
}

/** The capabilities that a tool with these limits asks for. */
export function limitRules(limits: Partial<Limits>): readonly LimitRule[] {
  return limitNames.flatMap((limit) => {
    const amount = limits[limit];
    return amount === undefined ? [] : [{ limit, amount }];
  });
}

/** Parses processor time, which is counted in whole seconds. */
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

export type LimitPolicy = Pick<OperatorPolicy, 'defaults' | 'ceilings'>;

/** Makes a function that explains a limit to the person who decides on it. */
export function limitRemark({ defaults, ceilings }: LimitPolicy): (rule: LimitRule) => string {
  return ({ limit, amount }) => {
    const { inWords } = limitForms[limit];
    const most = amount > ceilings[limit] ? `; no run gets more than ${inWords(ceilings[limit])}` : '';
    return ` (default ${inWords(defaults[limit])}${most})`;
  };
}

/** The limits of a run: the last value given for each, and never more than the operator's ceiling. */
export function limitsFor(policy: LimitPolicy, ...overrides: readonly Partial<Limits>[]): Limits {
  return atMost(wantedLimits(policy, overrides), policy.ceilings);
}

function wantedLimits({ defaults }: LimitPolicy, overrides: readonly Partial<Limits>[]): Limits {
  const wanted = { ...defaults };
  for (const override of overrides) {
    for (const name of limitNames) wanted[name] = override[name] ?? wanted[name];
  }
  // A run that was given more time may use it; two processors busy all the while is the measure of the default.
  const saysCpu = overrides.some((override) => override.cpuSeconds !== undefined);
  const forTime = saysCpu ? 0 : Math.ceil((2 * wanted.timeoutMs) / 1000);
  const isLonger = wanted.timeoutMs > defaults.timeoutMs;
  return isLonger ? { ...wanted, cpuSeconds: Math.max(wanted.cpuSeconds, forTime) } : wanted;
}

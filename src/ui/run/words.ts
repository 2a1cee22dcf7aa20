import { durationInWords, sizeInWords } from '../../core/text/quantities.ts';
import type { DryRun, Enforcement, ExecutionResult, HostRule, Limits, Mount } from '../../engine/running/types.ts';

interface OutcomeWords {
  readonly tone: 'good' | 'warn' | 'bad';
  readonly words: string;
}

type Ending = Pick<ExecutionResult, 'reason' | 'exitCode' | 'signal' | 'durationMs'>;

const words: Readonly<Record<Exclude<ExecutionResult['reason'], 'exited'>, OutcomeWords>> = {
  timeout: { tone: 'bad', words: 'Took too long and was stopped' },
  cancelled: { tone: 'warn', words: 'Cancelled' },
  output_limit: { tone: 'bad', words: 'Wrote too much and was stopped' },
  memory: { tone: 'bad', words: 'Used too much memory and was stopped' },
  process_limit: { tone: 'bad', words: 'Was refused more processes' },
  file_limit: { tone: 'bad', words: 'Had a file cut short' },
  scratch_limit: { tone: 'bad', words: 'Filled its scratch folder' },
  denied: { tone: 'bad', words: 'Denied' },
  invalid_parameters: { tone: 'bad', words: 'Not run: invalid parameters' },
  not_found: { tone: 'bad', words: 'Not run: no such skill or tool' },
  lost: { tone: 'bad', words: 'Lost' },
  worker_lost: { tone: 'bad', words: 'Its worker was lost' },
  no_worker: { tone: 'bad', words: 'Not run: no worker for it' },
  busy: { tone: 'warn', words: 'Not run: all workers are busy' },
  engine_error: { tone: 'bad', words: 'Could not be run' },
};

/** Exit reasons of executions that never began; their durations say nothing. */
const neverRan: ReadonlySet<string> = new Set(['denied', 'invalid_parameters', 'not_found']);

/** The outcome of a run, in words. */
export function outcomeOf({ reason, exitCode, signal, durationMs }: Ending): OutcomeWords {
  const [tone, said] = reason === 'exited' ? exitOf(exitCode, signal) : [words[reason].tone, words[reason].words];
  return { tone, words: neverRan.has(reason) ? said : `${said}, after ${durationInWords(durationMs)}` };
}

function exitOf(exitCode: number | null, signal: string | null): [OutcomeWords['tone'], string] {
  if (exitCode === 0) return ['good', 'Finished with exit code 0'];
  return ['bad', exitCode === null ? `Ended by ${signal ?? 'a signal'}` : `Failed with exit code ${exitCode}`];
}

/** Words for each limit, under the name of what enforces it. */
const limitWords: { readonly [K in keyof Limits]: (value: number) => string } = {
  timeoutMs: durationInWords,
  memoryBytes: sizeInWords,
  processes: (value) => `${value} at a time`,
  outputBytes: (value) => `${sizeInWords(value)} to each of standard output and error`,
  scratchBytes: (value) => `${sizeInWords(value)} in its own /tmp, which is deleted afterwards`,
  fileBytes: (value) => `${sizeInWords(value)} in one file`,
  cpuSeconds: (value) => durationInWords(value * 1000),
};

/** One row of the policy: something that a run may do or use. */
export interface PolicyRow {
  readonly what: string;
  /** Lines of text, one for each entry. */
  readonly lines: readonly string[];
  /** The mechanisms that enforce it. */
  readonly by: readonly string[];
}

type By = (...kinds: readonly Enforcement['what'][]) => string[];

function enforcers({ enforcement }: DryRun): By {
  return (...kinds) => enforcement.filter(({ what }) => kinds.includes(what)).map((one) => one.by);
}

/** Rows for all that a run could touch, and for what enforces it. */
export function accessRows(plan: DryRun): readonly PolicyRow[] {
  const { permissions, env, stdinBytes } = plan;
  const { network, mounts, missing } = permissions;
  const by = enforcers(plan);
  return [
    { what: 'Network', lines: network.length === 0 ? ['none'] : network.map(hostText), by: by('network') },
    {
      what: 'Files',
      lines: [
        'its own folder, to read',
        ...mounts.map(mountText),
        ...missing.map((path) => `${path}, which does not exist`),
      ],
      by: by('files', 'user'),
    },
    { what: 'Environment', lines: [Object.entries(env).map(envText).join(', ')], by: [] },
    { what: 'Standard input', lines: [stdinBytes === 0 ? 'empty' : sizeInWords(stdinBytes)], by: [] },
  ];
}

/** Rows for all that a run could use, and for what enforces it. */
export function limitRows(plan: DryRun): readonly PolicyRow[] {
  const { limits } = plan.permissions;
  const limit = (name: keyof typeof limits): string => limitWords[name](limits[name]);
  const by = enforcers(plan);
  return [
    { what: 'Time', lines: [limit('timeoutMs')], by: by('time') },
    { what: 'Processor time', lines: [limit('cpuSeconds')], by: by('cpu') },
    { what: 'Memory', lines: [limit('memoryBytes')], by: by('memory') },
    { what: 'Processes', lines: [limit('processes')], by: by('processes') },
    { what: 'Output', lines: [limit('outputBytes')], by: by('output') },
    { what: 'Space to write', lines: [limit('scratchBytes'), limit('fileBytes')], by: by('scratch') },
  ];
}

function hostText({ host, below, port }: HostRule): string {
  return `${below ? `everything below ${host}` : host}${port === null ? '' : `, port ${port}`}`;
}

function mountText({ source, target, access }: Mount): string {
  const place = source === target ? source : `${source}, seen at ${target}`;
  return `${place}, ${access === 'read' ? 'to read' : 'to read and change'}`;
}

function envText([name, value]: readonly [string, string]): string {
  return value === '(secret)' ? `${name} (secret)` : name;
}

/** The limits that people ask about first, in a line. */
export function limitsInShort({ permissions: { limits } }: DryRun): string {
  const { timeoutMs, memoryBytes, outputBytes } = limits;
  return `${durationInWords(timeoutMs)}, ${sizeInWords(memoryBytes)} of memory, ${sizeInWords(outputBytes)} of output`;
}

/** Whether a denial is settled by a grant, by what the server says to do: a secret that is not set, for one, is not. */
export function isSettledByGrant(hint: string | null): boolean {
  return hint === null || /\brepertoire grant\b/.test(hint);
}

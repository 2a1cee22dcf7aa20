import type { DryRun, Enforcement, HostRule, Limits, Mount } from '../../engine/running/types.ts';
import { durationInWords, sizeInWords } from '../../kernel/quantities.ts';

/** Each limit in words, under the name of what holds it. */
const limitWords: { readonly [K in keyof Limits]: (value: number) => string } = {
  timeoutMs: durationInWords,
  memoryBytes: sizeInWords,
  processes: (value) => `${value} at a time`,
  outputBytes: (value) => `${sizeInWords(value)} to each of standard output and error`,
  scratchBytes: (value) => `${sizeInWords(value)} in its own /tmp, which is deleted afterwards`,
  fileBytes: (value) => `${sizeInWords(value)} in one file`,
  cpuSeconds: (value) => durationInWords(value * 1000),
};

/** One thing that a run may do or use. */
export interface PolicyRow {
  readonly what: string;
  /** One line for each. */
  readonly lines: readonly string[];
  /** What makes sure of it. */
  readonly by: readonly string[];
}

/** All that a run could touch and use, and what makes sure that it is no more. */
export function policyRows({ permissions, env, stdinBytes, enforcement }: DryRun): readonly PolicyRow[] {
  const { network, mounts, missing, limits } = permissions;
  const limit = (name: keyof typeof limits): string => limitWords[name](limits[name]);
  const by = (...kinds: readonly Enforcement['what'][]): string[] =>
    enforcement.filter(({ what }) => kinds.includes(what)).map((one) => one.by);
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
    { what: 'Time', lines: [limit('timeoutMs')], by: by('time') },
    { what: 'Processor time', lines: [limit('cpuSeconds')], by: by('cpu') },
    { what: 'Memory', lines: [limit('memoryBytes')], by: by('memory') },
    { what: 'Processes', lines: [limit('processes')], by: by('processes') },
    { what: 'Output', lines: [limit('outputBytes')], by: by('output') },
    { what: 'Space to write', lines: [limit('scratchBytes'), limit('fileBytes')], by: by('scratch') },
  ];
}

export function hostText({ host, below, port }: HostRule): string {
  return `${below ? `everything below ${host}` : host}${port === null ? '' : `, port ${port}`}`;
}

function mountText({ source, target, access }: Mount): string {
  const place = source === target ? source : `${source}, seen at ${target}`;
  return `${place}, ${access === 'read' ? 'to read' : 'to read and change'}`;
}

function envText([name, value]: readonly [string, string]): string {
  return value === '(secret)' ? `${name} (secret)` : name;
}

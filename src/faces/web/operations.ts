import { type Fields, text } from '../../core/schema/schema.ts';
import type { Operation } from '../../engine/operation.ts';
import type { Scope } from '../http/identity.ts';

/**
 * Operations on the web: those that the command line and the protocol have too, each by its name. Those that only read
 * use GET; those that act use POST, and are absent where the console is for reading only.
 */
export const operations = {
  browse: {
    summary: 'Page through the skills, with filters and counts.',
    load: async () => (await import('../../engine/operations/skills/browse.ts')).browse,
  },
  search: {
    summary: 'Find skills by words and by meaning.',
    load: async () => (await import('../../engine/operations/skills/search.ts')).search,
  },
  inspect: {
    summary: 'Everything about one skill.',
    load: async () => (await import('../../engine/operations/skills/inspect.ts')).inspect,
  },
  read: {
    summary: 'A part of a file of a skill.',
    load: async () => (await import('../../engine/operations/skills/read.ts')).read,
  },
  draft: {
    summary: 'Open a file of a skill for editing, with what is wrong with it.',
    without: ['content'],
    load: async () => (await import('../../engine/operations/skills/draft.ts')).draft,
  },
  check: {
    summary: 'Check a file of a skill as somebody would have it.',
    // A text is too long for an address.
    byBody: true,
    isPrivate: true,
    load: async () => (await import('../../engine/operations/skills/draft.ts')).draft,
  },
  edit: {
    summary: 'Replace a text file of a skill, unless somebody else has changed it meanwhile.',
    load: async () => (await import('../../engine/operations/skills/draft.ts')).edit,
  },
  new: {
    summary: 'Create a skill in a folder that is searched.',
    load: async () => (await import('../../engine/operations/skills/new.ts')).create,
  },
  why: {
    summary: 'What a name means, and why.',
    load: async () => (await import('../../engine/operations/skills/why.ts')).why,
  },
  tools: {
    summary: 'The tools inside skills.',
    load: async () => (await import('../../engine/operations/running/tools.ts')).tools,
  },
  grants: {
    summary: 'What has been granted, and whether it is still valid.',
    load: async () => (await import('../../engine/operations/running/grants.ts')).grants,
  },
  audit: {
    summary: 'What was executed, or whether the log is intact.',
    // Events replace an answer that never ends, and a whole log is for the command line.
    without: ['follow'],
    most: { limit: 10_000 },
    load: async () => (await import('../../engine/operations/running/audit.ts')).audit,
  },
  output: {
    summary: 'The output of an execution, as far as it is kept.',
    isPrivate: true,
    load: async () => (await import('../../engine/operations/running/output.ts')).outputOf,
  },
  activity: {
    summary: 'What was searched for, loaded and run, and by whom.',
    load: async () => (await import('../../engine/operations/machine/activity.ts')).activity,
  },
  statistics: {
    summary: 'How often, how long, and what was denied.',
    load: async () => (await import('../../engine/operations/machine/activity.ts')).statistics,
  },
  doctor: {
    summary: 'The folders that are searched, and all diagnostics.',
    // Sandbox probes take a while, and are for the people who run the server.
    without: ['sandbox'],
    load: async () => (await import('../../engine/operations/machine/doctor.ts')).doctor,
  },
  attention: {
    summary: 'What waits for a person: broken, kept out, no longer granted, denied or not connected.',
    load: async () => (await import('../../engine/operations/machine/attention.ts')).attention,
  },
  agents: {
    summary: 'The agents on this machine, and what each sees.',
    load: async () => (await import('../../engine/operations/machine/agents.ts')).agents,
  },
  setup: {
    summary: 'Connect an agent, show what that would change, try it, or undo it.',
    // The file that counts for all projects, with the entry that setup writes: what else there is needs a person at the machine.
    without: ['all', 'global', 'project', 'approve', 'trust', 'http', 'name'],
    load: async () => (await import('../../engine/operations/machine/setup.ts')).setup,
  },
  locked: {
    summary: 'The skills that were got from a source, and those in quarantine.',
    load: async () => (await import('../../engine/operations/getting/locked.ts')).locked,
  },
  outdated: {
    summary: 'Whether the sources have newer versions.',
    // It has the server ask others, which is for the people who run it.
    isPrivate: true,
    load: async () => (await import('../../engine/operations/getting/outdated.ts')).outdated,
  },
  add: {
    summary: 'Get skills from a source, or show what that would bring.',
    without: ['copy', 'link'],
    // The sender has seen what comes, and names its digests; there is nobody else to ask.
    fixed: { yes: true },
    load: async () => (await import('../../engine/operations/getting/add.ts')).add,
  },
  update: {
    summary: 'Get newer versions of skills, or show what that would change.',
    fixed: { yes: true },
    load: async () => (await import('../../engine/operations/getting/update.ts')).update,
  },
  remove: {
    summary: 'Remove skills that were got from a source.',
    without: ['all'],
    fixed: { yes: true },
    load: async () => (await import('../../engine/operations/getting/remove.ts')).remove,
  },
  allow: {
    summary: 'Let a version of a skill out of quarantine, with a reason for the audit log.',
    load: async () => (await import('../../engine/operations/running/allow.ts')).allow,
  },
  health: {
    summary: 'How the server is doing.',
    load: async () => (await import('../../engine/operations/machine/health.ts')).health,
  },
  members: {
    summary: 'The nodes, servers and workers of the cluster, and what waits for them.',
    ofCluster: true,
    load: async () => (await import('../../engine/operations/machine/members.ts')).members,
  },
  run: {
    summary: 'Run a tool in its sandbox, or show what that would do.',
    // The server's own stdin is not for its clients.
    without: ['args', 'stdin'],
    load: async () => (await import('../../engine/operations/running/run.ts')).run,
  },
  grant: {
    summary: 'Grant a skill what it asks for, or a part of it.',
    scope: 'skills:grant',
    // The sender has seen the capabilities that are asked for, and there is nobody else to ask.
    fixed: { yes: true },
    load: async () => (await import('../../engine/operations/running/grant.ts')).grant,
  },
  enable: {
    summary: 'Enable skills that were disabled.',
    without: ['project'],
    load: async () => (await import('../../engine/operations/skills/disable.ts')).enable,
  },
  disable: {
    summary: 'Disable skills: they stay where they are, and nobody loads or runs them.',
    without: ['project'],
    load: async () => (await import('../../engine/operations/skills/disable.ts')).disable,
  },
  revoke: {
    summary: 'Revoke what a skill was granted.',
    scope: 'skills:grant',
    load: async () => (await import('../../engine/operations/running/grants.ts')).revoke,
  },
} as const satisfies Readonly<Record<string, Exposed>>;

/** Fields that hand over a token, and that cancel a run. */
export const sessionFields = { token: text('From the link that opens the console, or that of the server.') };
export const cancelFields = { key: text('The key that the run was started with, or the id of a job.') };

/** An operation and its form on the web. */
export interface Exposed {
  readonly summary: string;
  /** Whether it tells what only those who may act may see, though it acts on nothing itself. */
  readonly isPrivate?: true;
  /** The scope that a person who has signed in needs, where its effect does not say it. */
  readonly scope?: Scope;
  /** Whether there is something to tell only where the server takes part in a cluster. */
  readonly ofCluster?: true;
  /** Fields that are not for the web. */
  readonly without?: readonly string[];
  /** Upper bounds of numbers here, where answers are made in memory and for many at a time. */
  readonly most?: Readonly<Record<string, number>>;
  /** Whether its input comes in a body although it only reads. */
  readonly byBody?: true;
  /** Values that are fixed here. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  load(): Promise<Operation>;
}

export type OperationName = keyof typeof operations;
export const operationNames = Object.keys(operations) as readonly OperationName[];

type Loaded<N extends OperationName> = Awaited<ReturnType<(typeof operations)[N]['load']>>;

/** The input that a caller may give. */
export type InputOf<N extends OperationName> = Partial<Parameters<Loaded<N>['run']>[1]>;
export type OutputOf<N extends OperationName> = Awaited<ReturnType<Loaded<N>['run']>>;

/** The method of an operation: what acts is never called by an address alone. */
export function methodOf({ effect }: Operation, { byBody }: Exposed): 'GET' | 'POST' {
  return effect === 'reads' && byBody !== true ? 'GET' : 'POST';
}

/** The fields of an operation that are for the web. */
export function fieldsOf({ input }: Operation, { without = [], most = {}, fixed = {} }: Exposed): Fields {
  const hidden = new Set([...without, ...Object.keys(fixed)]);
  const shown = Object.entries(input).filter(([name]) => !hidden.has(name));
  return Object.fromEntries(
    shown.map(([name, field]) => [name, name in most ? { ...field, max: most[name] } : field]),
  ) as Fields;
}

/** Whether an operation is there where the console is for reading only. */
export function isForReaders({ effect }: Operation, { isPrivate }: Exposed): boolean {
  return effect === 'reads' && isPrivate !== true;
}

import type { Given } from '../core/config/layers.ts';
import { configurationOf } from '../core/config/values.ts';
import { hostEnvironment } from '../core/environment.ts';
import { createLogger } from '../core/log.ts';
import type { Shaping } from '../run/output/types.ts';
import { createEngine, endEngine, type OnOutput, type Request } from './engine.ts';
import type { Freshness } from './freshness.ts';
import { invoke } from './operation.ts';
import { type ListOutput, list, listOf, type SkillRecord } from './operations/list.ts';
import type { ToolsOutput } from './operations/tools.ts';
import type { ExecutionResult } from './running/types.ts';
import type { ExactOutput } from './searching/exact.ts';
import type { SearchFilters } from './searching/filters.ts';
import type { FindOutput } from './searching/find.ts';

/** How to build a repertoire. Every name that the command line has as an option means the same here. */
export interface RepertoireOptions {
  /** Folders to search before all others; `path?scope=name` names the provider. */
  readonly skillDirs?: readonly string[];
  /** A folder to search in place of `./skills`. */
  readonly root?: string;
  /** Folders in which a project's files are read whoever owns them. */
  readonly trustedProjects?: readonly string[];
  /** Whether to search every agent's own folders. True if not said. */
  readonly scanDefaultDirs?: boolean;
  /** Whether to leave out the skills of installed plugins. */
  readonly skipPlugins?: boolean;
  /** In place of Claude Code's `installed_plugins.json`. */
  readonly pluginsFile?: string;
  /** In place of Claude Code's plugins folder. */
  readonly pluginsRoot?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** What to do when a name means several skills: fail, or take the one in the higher root. */
  readonly onDuplicate?: 'error' | 'first';
  /** Whether to notice what changes on disk: by watching, at each call, and from time to time. True if not said. */
  readonly autoRefresh?: boolean;
  /** How often to look whatever was noticed, in milliseconds. 30,000 if not said. */
  readonly refreshInterval?: number;
  /** A service that speaks the OpenAI format of embeddings, in place of the table that comes with the package. */
  readonly embeddingsUrl?: string;
  readonly embeddingsModel?: string;
  readonly embeddingsKey?: string;
  /** Whether to write down what is searched for and loaded, in the user's log of activity. True if not said. */
  readonly activity?: boolean;
  /** The working directory, home and environment variables to see the machine from; the process's own if not said. */
  readonly cwd?: string;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How to search. */
export interface SearchOptions extends SearchFilters {
  /** At most so many hits, up to 100. 10 if not said. */
  readonly limit?: number;
  /** Whether to tell where each score comes from. */
  readonly explain?: boolean;
}

/** How to run a tool. */
export interface ExecuteOptions extends Shaping {
  readonly instance?: string;
  /** Aborted to end the run. */
  readonly signal?: AbortSignal;
  /** Told what the tool writes, as it does. */
  readonly onOutput?: OnOutput;
}

type Parameters = Readonly<Record<string, unknown>>;

export interface LoadedContent {
  readonly skill: SkillRecord;
  /** SKILL.md as text. */
  readonly content: string;
  /** SKILL.md as it stands on disk, byte for byte. */
  readonly bytes: Uint8Array;
}

/** Every skill of the machine, seen through one set of options. */
export interface Repertoire {
  /** All skills and everything noticed about them, from the snapshot as it stands. */
  list(): Promise<ListOutput>;
  /** The skill a name means. Throws a `SkillError` with suggestions when there is none, or several. */
  resolve(name: string): Promise<SkillRecord>;
  /** The same, with its text as it stands on disk now. */
  load(name: string): Promise<LoadedContent>;
  /** The skills that fit the query best, by words and by meaning. Waits until all are indexed. */
  search(query: string, options?: SearchOptions): Promise<FindOutput>;
  /** The skills that hold every word of the query. */
  searchExact(query: string, options?: { readonly limit?: number }): Promise<ExactOutput>;
  /** The tools inside a skill, or inside all skills that have any. */
  tools(skill?: string): Promise<ToolsOutput>;
  /**
   * Runs a tool of a skill in its sandbox. Throws a `SkillError` where there is no such skill or tool; whatever comes of
   * the run itself, a refusal too, is in the result.
   */
  execute(skill: string, tool: string, parameters?: Parameters, options?: ExecuteOptions): Promise<ExecutionResult>;
  /** Looks at the disk again. Calls made meanwhile see the old snapshot, whole. */
  refresh(): Promise<void>;
  /** Calls back whenever what is visible has changed. Returns a function that ends it. */
  subscribe(listener: (list: ListOutput) => void): () => void;
  /** Ends watching and refreshing. What was found stays to be asked for. */
  close(): void;
}

export function createRepertoire(options: RepertoireOptions = {}): Repertoire {
  const { cwd, home, env, ...given } = options;
  const environment = hostEnvironment({ ...(cwd && { cwd }), ...(home && { home }), ...(env && { env }) });
  const configuration = configurationOf(given as Given);
  const engine = createEngine(configuration, environment, { isLongLived: true });
  const { registry } = engine;
  const { autoRefresh } = configuration.values;
  let freshness: Promise<Freshness> | undefined;
  let isClosed = false;
  engine.freshness = {
    /** Begun with the first call: who never asks for anything has nothing watched. */
    async check(name) {
      if (!autoRefresh || isClosed) return;
      freshness ??= import('./freshness.ts').then(({ keepFresh }) => keepFresh(engine, silent));
      await (await freshness).check(name);
    },
  };

  /** What was indexed and noted is kept before all ends. */
  async function kept(): Promise<void> {
    await Promise.all([engine.searcher?.settled(), engine.notes]);
  }

  return {
    async list() {
      return freeze(await invoke(engine, list, {}, request));
    },
    async resolve(name) {
      const { resolve } = await import('./operations/resolve.ts');
      return freeze(await invoke(engine, resolve, { name }, request));
    },
    async load(name) {
      const { source } = await import('./operations/source.ts');
      const { skill, bytes } = await invoke(engine, source, { name }, request);
      return { skill: freeze(skill), content: bytes.toString('utf8'), bytes };
    },
    async search(query, options = {}) {
      const { search } = await import('./operations/search.ts');
      return (await invoke(engine, search, { query: [query], ...options }, request)) as FindOutput;
    },
    async searchExact(query, { limit } = {}) {
      const { search } = await import('./operations/search.ts');
      return (await invoke(engine, search, { query: [query], limit, exact: true }, request)) as ExactOutput;
    },
    async tools(skill) {
      const { tools } = await import('./operations/tools.ts');
      return invoke(engine, tools, { skill }, request);
    },
    async execute(skill, tool, parameters = {}, options = {}) {
      const { instance, signal, onOutput, ...shaping } = options;
      const { execute } = await import('./operations/execute.ts');
      const call = { skill, tool, parameters, instance, shaping };
      return (await invoke(engine, execute, call, { origin: 'library', spell, signal, onOutput })).result;
    },
    async refresh() {
      await registry.refresh();
    },
    subscribe: (listener) => registry.subscribe((snapshot) => listener(freeze(listOf(snapshot)))),
    close() {
      isClosed = true;
      void freshness?.then((one) => one.close());
      void kept().finally(() => endEngine(engine));
    },
  };
}

const spell = (field: string): string => field;
/** Who asks for nothing more than an answer. */
const request: Request = { origin: 'library', spell };

const silent = createLogger({ level: 'silent', format: 'text', write() {} });

/** Through and through: what one caller does to a list must not reach another. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

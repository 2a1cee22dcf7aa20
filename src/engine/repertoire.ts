import type { Given } from '../core/config/layers.ts';
import { configurationOf } from '../core/config/values.ts';
import { hostEnvironment } from '../core/environment.ts';
import { createLogger } from '../core/log.ts';
import type { Shaping } from '../run/output/types.ts';
import { createEngine, endEngine, type OnOutput, type Request } from './engine.ts';
import type { Freshness } from './freshness/freshness.ts';
import { invoke } from './operation.ts';
import type { ToolsOutput } from './operations/running/tools.ts';
import { type ListOutput, list, listOf, type SkillRecord } from './operations/skills/list.ts';
import type { ExecutionResult } from './running/types.ts';
import type { ExactOutput, FindOutput, SearchFilters } from './searching/find.ts';

/** Options of a repertoire. Every name that is also an option of the command line means the same here. */
export interface RepertoireOptions {
  /** Folders to search before all others; `path?scope=name` names the provider. */
  readonly skillDirs?: readonly string[];
  /** A folder to search in place of `./skills`. */
  readonly root?: string;
  /** Folders in which a project's files are read, no matter who owns them. */
  readonly trustedProjects?: readonly string[];
  /** Whether to search every agent's own folders. Default: true. */
  readonly scanDefaultDirs?: boolean;
  /** Whether to leave out the skills of installed plugins. */
  readonly skipPlugins?: boolean;
  /** File to read in place of Claude Code's `installed_plugins.json`. */
  readonly pluginsFile?: string;
  /** Folder to read in place of Claude Code's plugins folder. */
  readonly pluginsRoot?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Skills that are not loaded and not run, by name or by real folder. */
  readonly disabled?: readonly string[];
  /** Whether skills that are kept from other servers are among them. Default: `kept`. */
  readonly remotes?: 'kept' | 'off';
  /** Behaviour when a name means several skills: fail, or take the one in the higher root. */
  readonly onDuplicate?: 'error' | 'first';
  /** Whether to notice changes on disk: by watching, at each call, and from time to time. Default: true. */
  readonly autoRefresh?: boolean;
  /** Milliseconds between regular scans, which happen whatever was noticed. Default: 30,000. */
  readonly refreshInterval?: number;
  /** URL of a service that speaks the OpenAI format of embeddings, in place of the table shipped with the package. */
  readonly embeddingsUrl?: string;
  readonly embeddingsModel?: string;
  readonly embeddingsKey?: string;
  /** Whether to record searches and loads in the user's activity log. Default: true. */
  readonly activity?: boolean;
  /** Working directory; with `home` and `env`, the machine as the repertoire sees it. Default: the process's own. */
  readonly cwd?: string;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Options of a search. */
export interface SearchOptions extends SearchFilters {
  /** Maximum number of hits, up to 100. Default: 10. */
  readonly limit?: number;
  /** Whether to explain where each score comes from. */
  readonly explain?: boolean;
}

/** Options of a run. */
export interface ExecuteOptions extends Shaping {
  readonly instance?: string;
  /** Signal that ends the run when it is aborted. */
  readonly signal?: AbortSignal;
  /** Callback for the output of the tool while it runs. */
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
  /** Lists all skills and their diagnostics, from the current snapshot. */
  list(): Promise<ListOutput>;
  /** Resolves the skill that a name means. Throws a `SkillError` with suggestions when there is none, or several. */
  resolve(name: string): Promise<SkillRecord>;
  /** Resolves a name, and reads the skill's text as it is on disk now. */
  load(name: string): Promise<LoadedContent>;
  /** Finds the skills that fit the query best, by words and by meaning. Waits until all are indexed. */
  search(query: string, options?: SearchOptions): Promise<FindOutput>;
  /** Finds the skills that contain every word of the query. */
  searchExact(query: string, options?: { readonly limit?: number }): Promise<ExactOutput>;
  /** Lists the tools inside a skill, or inside all skills that have any. */
  tools(skill?: string): Promise<ToolsOutput>;
  /**
   * Runs a tool of a skill in its sandbox. Throws a `SkillError` where there is no such skill or tool; any outcome of
   * the run itself, even a refusal, is in the result.
   */
  execute(skill: string, tool: string, parameters?: Parameters, options?: ExecuteOptions): Promise<ExecutionResult>;
  /** Scans the disk again. Calls made meanwhile see the old snapshot, whole. */
  refresh(): Promise<void>;
  /** Calls the listener whenever the visible skills have changed. Returns a function that ends the subscription. */
  subscribe(listener: (list: ListOutput) => void): () => void;
  /** Ends watching and refreshing. The last snapshot can still be queried. */
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
    /** Starts watching with the first call: a program that never makes one has nothing watched. */
    async check(name) {
      if (!autoRefresh || isClosed) return;
      freshness ??= import('./freshness/freshness.ts').then(({ keepFresh }) => keepFresh(engine, silent));
      await (await freshness).check(name);
    },
  };

  /** Resolves when the index and the notes are saved. */
  async function kept(): Promise<void> {
    await Promise.all([engine.searcher?.settled(), engine.notes]);
  }

  return {
    async list() {
      return freeze(await invoke(engine, list, {}, request));
    },
    async resolve(name) {
      const { resolve } = await import('./operations/skills/show.ts');
      return freeze(await invoke(engine, resolve, { name }, request));
    },
    async load(name) {
      const { source } = await import('./operations/skills/show.ts');
      const { skill, bytes } = await invoke(engine, source, { name }, request);
      return { skill: freeze(skill), content: bytes.toString('utf8'), bytes };
    },
    async search(query, options = {}) {
      const { search } = await import('./operations/skills/search.ts');
      return (await invoke(engine, search, { query: [query], ...options }, request)) as FindOutput;
    },
    async searchExact(query, { limit } = {}) {
      const { search } = await import('./operations/skills/search.ts');
      return (await invoke(engine, search, { query: [query], limit, exact: true }, request)) as ExactOutput;
    },
    async tools(skill) {
      const { tools } = await import('./operations/running/tools.ts');
      return invoke(engine, tools, { skill }, request);
    },
    async execute(skill, tool, parameters = {}, options = {}) {
      const { instance, signal, onOutput, ...shaping } = options;
      const { execute } = await import('./operations/running/execute.ts');
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
/** A request without callbacks, for callers that want only an answer. */
const request: Request = { origin: 'library', spell };

const silent = createLogger({ level: 'silent', format: 'text', write() {} });

/** Freezes a value deeply: what one caller does to a list must not reach another. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

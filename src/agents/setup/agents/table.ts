import { agents } from '../../agents.ts';
import type { Agent, Approved, Approving, EntryStyle, NameRule, Setup } from '../../types.ts';
import {
  type Approval,
  type ApprovalKeys,
  approvalLevels,
  type Entry,
  type Remote,
  type SetupAgent,
  type Shape,
  type Values,
  type Variables,
} from './types.ts';

/** The syntaxes by which files name environment variables. In a key of its own the name stands alone. */
const styles: Readonly<Record<NonNullable<EntryStyle['variables']>, Variables>> = {
  braces: { write: (name) => `\${${name}}`, pattern: /\$\{(\w+)\}/g },
  'env braces': { write: (name) => `\${env:${name}}`, pattern: /\$\{env:(\w+)\}/g },
  'bare braces': { write: (name) => `{env:${name}}`, pattern: /\{env:(\w+)\}/g },
  'own key': { write: (name) => name, pattern: /(?!)/g },
};

/** Keys that make an entry one of a process, and keys that make it one of an address, in any of the files. */
const processKeys = ['command', 'args', 'env', 'cmd', 'envs', 'environment', 'cwd'];
const addressKeys = ['url', 'httpUrl', 'serverUrl', 'uri', 'headers', 'http_headers', 'env_http_headers'];
const tokenKeys = ['bearer_token_env_var', 'env_keys'];

function processEntry(set: Values, defaults: Values): Entry {
  return { kind: 'process', set, defaults, drop: [...addressKeys, ...tokenKeys].filter((key) => !(key in set)) };
}

function addressEntry(set: Values, defaults: Values): Entry {
  return { kind: 'address', set, defaults, drop: processKeys.filter((key) => !(key in set)) };
}

/** The shape of servers in files of that style. */
function shapeOf({ layout = 'apart', process, address, defaults = {}, urlKey, variables }: EntryStyle): Shape {
  const style = variables === null ? null : styles[variables];
  const defaultsOf = (name: string): Values => (layout === 'extension' ? { name, ...defaults } : defaults);
  return {
    stdio: ({ command, args }, name) => {
      const words = {
        apart: { command, args },
        'one list': { command: [command, ...args] },
        extension: { cmd: command, args },
      }[layout];
      return processEntry({ ...process, ...words }, defaultsOf(name));
    },
    http:
      urlKey === null
        ? null
        : (remote, name) =>
            addressEntry({ ...address, [urlKey]: remote.url, ...tokenFor(remote, style, layout) }, defaultsOf(name)),
    variables: style,
  };
}

/** The fields that carry the token, where the file can take it from a variable. */
function tokenFor({ tokenVariable }: Remote, style: Variables | null, layout: EntryStyle['layout']): Values {
  if (tokenVariable === null || style === null) return {};
  if (style === styles['own key']) return { bearer_token_env_var: tokenVariable };
  const headers = { Authorization: `Bearer ${style.write(tokenVariable)}` };
  // Goose requires variables in headers to be listed.
  return layout === 'extension' ? { headers, env_keys: [tokenVariable] } : { headers };
}

/** The tools of `serve`, as they are documented: those that only read skills, and those that run their tools. */
export const ourTools: Readonly<Record<'looking' | 'running', readonly string[]>> = {
  looking: ['skill', 'skills.list', 'skills.search', 'skill-engine/list_skills', 'skill-engine/search_skills'],
  running: ['skill-engine/execute'],
};

function toolsOf(level: Approved): readonly string[] {
  return level === 'all' ? [...ourTools.looking, ...ourTools.running] : ourTools.looking;
}

/** The configuration by which an agent does not ask, for each of the levels that its files can approve. */
function approvalBy({ asks, unasked, command, allBy, toolsIn, rules }: Approving): Approval {
  const keys = keysFor(allBy, toolsIn);
  const byTool = toolsIn !== undefined || rules !== undefined;
  return {
    ...{ asks, levels: approvalLevels.filter((level) => byTool || (level === 'all' && allBy !== undefined)) },
    ...(unasked && { unasked }),
    ...(command && { command }),
    ...(keys && { keys }),
    ...(rules && { rules: { ...rules, lists: (server, scope, level) => rules.lists(server, scope, toolsOf(level)) } }),
  };
}

function keysFor(allBy: Approving['allBy'], toolsIn: Approving['toolsIn']): ApprovalKeys | undefined {
  // Tools in the entry itself have the names that the server lists.
  const listed = (level: Approved): string[] => toolsOf(level).map((tool) => tool.replace(/\W/g, '_'));
  if (toolsIn !== undefined) return (level) => ({ set: { [toolsIn]: listed(level) }, drop: [] });
  if (allBy === undefined) return undefined;
  const [key, value] = allBy;
  return (level) => (level === 'all' ? { set: { [key]: value }, drop: [] } : { set: {}, drop: [key] });
}

/** The rule of the strictest model services. It applies to agents that are not known to rewrite names. */
const strict: NameRule = { pattern: /^[a-zA-Z0-9_-]{1,64}$/, together: 64 };

/** The defaults of most agents; each object says where it differs. */
const usual = {
  format: 'json',
  at: ['mcpServers'],
  project: [],
  programs: [],
  toolNames: 'portable',
  names: strict,
  isApp: true,
  startMs: 60_000,
  notes: [],
} as const satisfies Partial<Setup>;

function setupAgent({ id, name, aliases = [] }: Agent, { entry, approval, ...setup }: Setup): SetupAgent {
  return {
    ...{ ...usual, id, name, ...setup },
    aliases: setup.id === undefined ? aliases : [id, ...aliases],
    shape: shapeOf(entry),
    ...(approval && { approval: approvalBy(approval) }),
  };
}

/** Every agent that `setup` can connect. */
export const setupAgents: readonly SetupAgent[] = agents.flatMap((agent) =>
  agent.setup === undefined ? [] : [setupAgent(agent, agent.setup)],
);

/** The agents that a word stands for, by id or alias: two of the same maker may share one. */
export function agentsNamed(word: string): readonly SetupAgent[] {
  const wanted = word.toLowerCase();
  return setupAgents.filter(({ id, aliases }) => id === wanted || aliases.includes(wanted));
}

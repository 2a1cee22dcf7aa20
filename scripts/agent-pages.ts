import { agentFolders } from '../src/agents/folders.ts';
import { ourTools, setupAgents } from '../src/agents/setup/agents/table.ts';
import type { Approval, SetupAgent } from '../src/agents/setup/agents/types.ts';
import { snippetOf } from '../src/agents/setup/edit/edit.ts';
import type { Place, Reading } from '../src/agents/types.ts';
import { grouped } from '../src/core/text/text.ts';
import { nativeAgents, words } from '../src/discovery/native/agents.ts';
import { traitNames, traits } from '../src/discovery/native/traits.ts';
import type { NativeAgent } from '../src/discovery/native/types.ts';

/** What the documents say of agents, from the agents' objects: each page with what is between its marks written anew. */
export const agentPages: Readonly<Record<string, (text: string) => string>> = {
  'README.md': (text) =>
    counted(text, [
      [/opencode and some (\w+) other agents/, tens(agentFolders.length - 6)],
      [/plugins of (\w+) agents, \w+ agents' folders/, number(agentFolders.filter(({ plugins }) => plugins).length)],
      [/plugins of \w+ agents, (\w+) agents' folders/, tens(agentFolders.length - 1)],
      [/(\w+) agents are known, each with its own file/, capitalized(number(setupAgents.length))],
    ]),
  'docs/finding.md': (text) =>
    counted(text, [[/the folders of some (\w+) other agents/, tens(agentFolders.length - 3)]]),
  'docs/agents.md': (text) =>
    marked(text, {
      folders: table(
        ['agent', 'reads, strongest first', 'plugins', 'of one name, shows', 'known by'],
        nativeAgents.map((agent) => [code(agent.id), ...placesOf(agent), twins[agent.sameName], words(agent.source)]),
      ),
      traits: table(
        ['a skill with', ...seen.map(({ name }) => name)],
        traitNames.map((name) => [
          traits[name].shown.replace(/ \(repertoire validate.*\)/, ''),
          ...seen.map((agent) => marks[agent.traits.get(name) ?? 'unsure']),
        ]),
      ),
      lists: table(
        ['agent', 'characters of each description', 'characters of the whole list'],
        seen.map(({ name, listing }) => [name, eachOf(listing?.most ?? 0), together(listing?.rooms ?? [])]),
      ),
    }),
  'docs/setup.md': (text) =>
    marked(text, {
      agents: table(
        ['agent', 'for all projects', 'in a project', 'keeps servers under', 'good to know'],
        setupAgents.map((agent) => [
          code(agent.id),
          filesOf(agent),
          agent.project.map(code).join(', or ') || '–',
          code(agent.at.join('.')) + (agent.format === 'json' ? '' : `, ${agent.format.toUpperCase()}`),
          remark(text, 'agents', agent.id) ?? agent.notes.join(' '),
        ]),
      ),
      approvals: table(
        ['agent', 'asks, unless approved', '`--approve read`', '`--approve all`'],
        setupAgents.flatMap(({ id, format, approval }) =>
          approval === undefined ? [] : [[code(id), approval.asks, readBy(approval), allBy(approval, format)]],
        ),
      ),
      trust: table(
        ['agent', 'waits for trust', '`--trust` writes'],
        setupAgents.flatMap(({ id, trust }) => {
          if (trust === undefined) return [];
          const waits = trust.scopes.includes('global') ? 'always' : 'with `--project`';
          const at = trust.at('FOLDER').map((key) => (key === 'FOLDER' ? `"${key}"` : key));
          const line = at.join('.') + (trust.format === 'json' ? ': ' : ' = ') + JSON.stringify(trust.value);
          return [[code(id), waits, `${code(line)} in ${shown(trust.file)}`]];
        }),
      ),
      tokens: table(
        ['written as', 'agents'],
        [...new Set(setupAgents.map(tokenIn))].map((way) => [
          way,
          setupAgents.flatMap((agent) => (tokenIn(agent) === way ? [code(agent.id)] : [])).join(', '),
        ]),
      ),
    }),
  'docs/clients.md': (text) =>
    marked(counted(text, [[/what this page describes\*\*, for (\w+) agents/, number(setupAgents.length)]]), {
      others: table(
        ['agent', 'file', 'like'],
        setupAgents
          .filter(({ name }) => !text.includes(`\n## ${name}\n`))
          .map((agent) => [
            agent.name,
            [filesOf(agent).replace(/ [¹²]/g, ''), ...agent.project.map((path) => `${code(path)} in a project`)].join(
              ', or ',
            ),
            remark(text, 'others', agent.name) ?? '',
          ]),
      ),
      ...Object.fromEntries(setupAgents.flatMap(snippets)),
    }),
};

const names = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const teens = ['thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'];
const decades = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

function number(count: number): string {
  const small = [...names, ...teens][count];
  if (small !== undefined) return small;
  const rest = count % 10;
  return `${decades[Math.floor(count / 10) - 2]}${rest === 0 ? '' : `-${names[rest]}`}`;
}

function tens(count: number): string {
  return number(Math.floor(count / 10) * 10);
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The page with the word that each pattern captures replaced. */
function counted(text: string, counts: readonly (readonly [pattern: RegExp, word: string])[]): string {
  return counts.reduce((before, [pattern, word]) => {
    if (!pattern.test(before)) throw new Error(`nothing is like ${pattern}`);
    return before.replace(pattern, (whole, old: string) => whole.replace(old, word));
  }, text);
}

/** The page with what stands between `<!-- name -->` and `<!-- /name -->` replaced. */
function marked(text: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce(
    (before, [name, part]) =>
      before.replace(between(name), (_, start: string, end: string) => `${start}\n${part}\n${end}`),
    text,
  );
}

function between(name: string): RegExp {
  return new RegExp(`(<!-- ${name} -->\n).*?(\n<!-- /${name} -->)`, 's');
}

/** The last cell of a row, which is written by hand; undefined where there is no such row yet. */
function remark(text: string, name: string, first: string): string | undefined {
  const [rows = ''] = between(name).exec(text) ?? [];
  const row = rows
    .split('\n')
    .find((line) => [first, code(first)].includes(line.split(' | ')[0]?.slice(2).trim() ?? ''));
  return row?.split(' | ').at(-1)?.replace(/ \|$/, '').trim();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

const twins: Readonly<Record<NativeAgent['sameName'], string>> = {
  all: 'all',
  first: 'the first',
  unknown: 'not known',
};
const marks = { listed: '✓', lost: '–', manual: 'people', unsure: '?' } as const;
const seen = nativeAgents.filter(({ source }) => source.by === 'run');

/** The folders that an agent reads, and the plugins, with footnotes. */
function placesOf(agent: NativeAgent): [folders: string, plugins: string] {
  const footnote = ({ folders, source }: Reading): string =>
    ({ all: '', start: ' ¹', top: ' ²' })[folders] + (source === undefined ? '' : ' ³');
  const of = (isPlugin: boolean): Reading[] =>
    agent.places.filter(({ location }) => (location === 'plugin') === isPlugin);
  const folders = of(false).map((place) => code(place.shown) + footnote(place));
  return [
    folders.join(', ') || 'nothing',
    of(true)
      .map((place) => place.provider + footnote(place))
      .join(', ') || '–',
  ];
}

function eachOf(most: number): string {
  if (most === 0) return 'nothing: names only';
  return Number.isFinite(most) ? grouped(most) : 'all of it';
}

function together(rooms: readonly { readonly characters: number; readonly with: string }[]): string {
  return rooms.map((room) => `${grouped(room.characters)} with ${room.with}`).join('; ') || 'no limit was met';
}

/** A place as people write it, with the variable that moves it. */
function shown([base, path]: Place): string {
  if (base === 'home') return code(`~/${path}`);
  if (base === 'config') return code(`~/.config/${path}`);
  if (base === 'data') return `${code(path)} ¹`;
  if (base === 'system') return code(`/etc/${path}`);
  return `${code(['~', base.fallback, path].filter((part) => part !== '').join('/'))}, moved by ${code(base.variable)}`;
}

function filesOf({ global }: SetupAgent): string {
  const everywhere = global.filter(([, , on]) => on === undefined).map(shown);
  return everywhere.join(', or ') + (everywhere.length < global.length ? ' ²' : '');
}

function readBy({ unasked, levels, rules, keys }: Approval): string {
  if (unasked !== undefined) return 'nothing: it does not ask';
  if (rules !== undefined) {
    const at = rules.lists('', 'global', 'read').map((list) => code(list.at.join('.')));
    return `rules in ${at.join(', ')} of ${shown(rules.global)} ³`;
  }
  if (!levels.includes('read')) return 'not possible';
  return `${Object.keys(keys?.('read').set ?? {})
    .map(code)
    .join(', ')} in the entry, with the names of tools`;
}

function allBy({ levels, rules, keys, command }: Approval, format: SetupAgent['format']): string {
  if (command !== undefined) return `not possible: start it with ${code(command('repertoire'))}`;
  if (rules !== undefined) return `the same, with ${ourTools.running.map(code).join(', ')} too`;
  if (levels.includes('read')) return 'the same, with the tools that run something too';
  const [[key, value] = ['', '']] = Object.entries(keys?.('all').set ?? {});
  const line = format === 'toml' ? `${key} = ${JSON.stringify(value)}` : `"${key}": ${JSON.stringify(value)}`;
  return `${code(line)} in the entry`;
}

const remote = { url: 'http://127.0.0.1:3000/mcp', tokenVariable: 'REPERTOIRE_TOKEN' };

function tokenIn({ shape }: SetupAgent): string {
  const set = shape.http?.(remote, 'repertoire').set;
  if (set === undefined) return 'no addresses';
  const { headers, bearer_token_env_var: named } = set as {
    readonly headers?: object;
    readonly bearer_token_env_var?: string;
  };
  if (named !== undefined) return code(`bearer_token_env_var = "${named}"`);
  const [header] = Object.entries(headers ?? {}).map(([name, value]) => code(`${name}: ${value}`));
  return header ?? 'not at all: you are told to add the header';
}

/** The entries that a person would write by hand, for a server that the agent starts and for one that runs already. */
function snippets({ id, format, at, shape }: SetupAgent): [string, string][] {
  const block = (
    name: string,
    { set, defaults }: { readonly set: object; readonly defaults: object },
  ): [string, string] => {
    const value = { ...set, ...defaults } as Parameters<typeof snippetOf>[1][number]['value'];
    const text = snippetOf(format, [{ at: [...at, 'repertoire'], value }]);
    return [`${id} ${name}`, `\`\`\`${format}\n${text.trimEnd()}\n\`\`\``];
  };
  const stdio = block('stdio', shape.stdio({ command: '/usr/local/bin/repertoire', args: ['mcp'] }, 'repertoire'));
  if (shape.http === null) return [stdio];
  const { set, defaults } = shape.http(remote, 'repertoire');
  const token = shape.variables === null ? { headers: { Authorization: 'Bearer YOUR_TOKEN' } } : {};
  return [stdio, block('http', { set: { ...set, ...token }, defaults })];
}

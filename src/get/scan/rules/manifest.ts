import { attempt } from '../../../core/attempt.ts';
import { isObject } from '../../../core/formats/documents.ts';
import { parseToml } from '../../../core/formats/parsed-toml.ts';
import { looksOf } from '../../../skill/confusables.ts';
import { parseSkill } from '../../../skill/parse.ts';
import { addressesIn, addressKind } from '../code/addresses.ts';
import type { Unit } from '../code/unit.ts';
import type { ScannedFile } from '../file.ts';
import type { Hit } from './table.ts';

/** Declarations of a file: rules that apply to it, and commands in it that are run by others. */
export interface Declarations {
  readonly hits: readonly Hit[];
  readonly units: readonly Unit[];
}

const nothing: Declarations = { hits: [], units: [] };

/** Reads what manifests of any kind say: SKILL.md, package.json, settings and hooks of agents. */
export function declarationsIn(file: ScannedFile, others: readonly string[]): Declarations {
  const name = file.path.split('/').at(-1) ?? '';
  if (/^skill\.md$/i.test(file.path)) return ofSkill(file, others);
  if (name === 'package.json' || name === 'composer.json') return ofPackage(file);
  if (/\.gypi?$/i.test(name)) return ofGyp(file);
  if (/\.jsonc?$/i.test(name)) return ofSettings(file);
  if (/\.ipynb$/i.test(name)) return ofNotebook(file);
  if (/\.toml$/i.test(name)) return ofToml(file);
  if (/\.ya?ml$/i.test(name)) return { hits: [], units: yamlCommands(file.text) };
  if (/^(?:\.?gitconfig|\.gitmodules|config\.worktree)$/i.test(name))
    return { hits: [], units: [...gitCommands(file.text)] };
  if (/^(?:\.npmrc|pip\.conf|pip\.ini|\.yarnrc)$/i.test(name)) return { hits: [], units: [...packageSettings(file)] };
  if (/\.(?:service|timer|desktop|plist)$/i.test(name)) return { hits: [], units: [...startedBy(file.text)] };
  if (/\.x?html?$|\.svg$/i.test(name)) return { hits: [], units: [...pageScripts(file.text)] };
  if (name === 'setup.py' || name === 'setup.cfg') return ofSetup(file);
  return nothing;
}

/** Names of agents' own tools: a skill called so would be taken for one. */
const toolNames = new Set(
  'bash read write edit multiedit glob grep webfetch websearch task todowrite notebookedit execute list_skills search_skills shell computer str_replace_based_edit_tool apply_patch'.split(
    ' ',
  ),
);

function ofSkill({ bytes, text }: ScannedFile, others: readonly string[]): Declarations {
  const { skill } = parseSkill(bytes, 'SKILL.md', '');
  if (skill === null) return nothing;
  const { name, frontmatter } = skill;
  const lineOf = (key: string): number =>
    Math.max(
      1,
      text
        .slice(0, 20_000)
        .split('\n')
        .findIndex((line) => line.startsWith(`${key}:`)) + 1,
    );
  const hits: Hit[] = [];
  const looks = looksOf(name);
  if (!/^[\u0000-\u024f]*$/.test(name) && /[a-z]/i.test(name) && /^[\u0020-\u007e]+$/.test(looks))
    hits.push({ rule: 'imitation', line: lineOf('name'), found: `${name} looks like ${looks}` });
  const twin = others.find((other) => other !== name && looksOf(other) === looks);
  if (twin !== undefined) hits.push({ rule: 'imitation', line: lineOf('name'), found: `${name} looks like ${twin}` });
  else if (toolNames.has(name.toLowerCase()))
    hits.push({ rule: 'imitation', line: lineOf('name'), found: `${name} is the name of a tool` });
  else {
    const near = others.find((other) => isTypo(name, other));
    if (near !== undefined)
      hits.push({
        rule: 'imitation',
        line: lineOf('name'),
        found: `${name} is one letter away from ${near}`,
      });
  }
  hits.push(...toolHits(frontmatter['allowed-tools'] ?? frontmatter['tools'], lineOf('allowed-tools')));
  const commands = commandsIn(frontmatter['hooks']);
  hits.push(...hookHits(commands, lineOf('hooks')));
  return { hits, units: commands.map((command) => unitOf(command, lineOf('hooks'))) };
}

/** Hooks are given what tools are given: one that talks to a stranger tells it. */
function hookHits(commands: readonly string[], line: number): Hit[] {
  return commands
    .filter(
      (one) =>
        /\b(?:curl|wget|nc|fetch|Invoke-\w+)\b/i.test(one) &&
        addressesIn(one).some((url) => !/^(?:local|reputable)$/.test(addressKind(url))),
    )
    .map((one) => ({ rule: 'agent-settings', line, found: `a hook runs ${one.slice(0, 120)}` }));
}

/** Whether two names differ by one letter that was left out, added, changed or swapped. */
function isTypo(name: string, other: string): boolean {
  if (name === other || other.length < 6 || Math.abs(name.length - other.length) > 1) return false;
  let start = 0;
  while (start < name.length && name[start] === other[start]) start++;
  const [a, b] = [name.slice(start), other.slice(start)];
  // Numbers tell versions apart.
  if (/^\d|\d$/.test(a.slice(0, 1)) || /^\d/.test(b)) return false;
  if (a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1)) return !/^s?$/.test(a) && !/^s?$/.test(b);
  return a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
}

function toolHits(value: unknown, line: number): Hit[] {
  const tools =
    typeof value === 'string' ? value.split(/[,\s]+(?![^(]*\))/) : Array.isArray(value) ? value.map(String) : [];
  const all = tools.find((tool) =>
    /^(?:\*|all|any|Bash\(\s*(?:\*|\*:\*|:\*)\s*\)|mcp__\*|mcp__.*__\*\*|Bash\((?:sudo|rm|curl|eval|bash|sh)[ :]?\*?\))$/i.test(
      tool,
    ),
  );
  if (all !== undefined) return [{ rule: 'all-tools', line, found: `allowed-tools: ${all}` }];
  return tools.includes('Bash')
    ? [{ rule: 'broad-tools', line, found: 'allowed-tools: Bash, without naming commands' }]
    : [];
}

const installed = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare', 'dependencies'];

function ofPackage({ text }: ScannedFile): Declarations {
  const value = jsonIn(text);
  const scripts = isObject(value) && isObject(value['scripts']) ? value['scripts'] : {};
  const hits: Hit[] = [];
  const units: Unit[] = fromAddresses(value, text);
  for (const [name, command] of Object.entries(scripts).flatMap(([key, one]) =>
    (Array.isArray(one) ? one : [one]).map((each): [string, unknown] => [key, each]),
  )) {
    if (typeof command !== 'string') continue;
    const line = lineWith(text, `"${name}"`);
    units.push(unitOf(command.replace(/^@(?=php\b|composer\b)/, ''), line));
    if (
      installed.includes(name) &&
      !/^(?:husky(?: install)?|npm run build|tsc|patch-package|lefthook install|exit 0|true|node-gyp rebuild|prisma generate|is-ci \|\| husky.*)$/.test(
        command.trim(),
      )
    ) {
      hits.push({ rule: 'install-hook', line, found: `${name}: ${command.slice(0, 120)}` });
    }
  }
  return { hits, units };
}

/** Dependencies that name an address are installed from there. */
function fromAddresses(value: unknown, text: string): Unit[] {
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((key) =>
    Object.entries(isObject(value) && isObject(value[key]) ? value[key] : {}).flatMap(([name, from]) =>
      typeof from === 'string' && /^(?:git\+)?https?:/.test(from)
        ? [unitOf(`npm install ${quoted(from)}`, lineWith(text, `"${name}"`))]
        : [],
    ),
  );
}

/** Commands that are run for their output when a module is built. */
function ofGyp({ text }: ScannedFile): Declarations {
  const units = [...text.slice(0, 200_000).matchAll(/<!@?\(((?:[^()]|\([^()]*\))+)\)/g)].map(
    ({ 1: command = '', index }) => unitOf(command, text.slice(0, index).split('\n').length),
  );
  return { hits: [], units };
}

function ofSetup({ text }: ScannedFile): Declarations {
  const match = /cmdclass\s*=/.exec(text);
  return match === null
    ? nothing
    : {
        hits: [
          {
            rule: 'install-hook',
            line: lineWith(text, match[0]),
            found: 'setup.py replaces a step of the installation',
          },
        ],
        units: [],
      };
}

/** Settings, hooks and MCP servers that lie in the skill and wait to be taken up. */
function ofSettings({ text, path }: ScannedFile): Declarations {
  if (text.length > 200_000 || !/"(?:\w*[cC]ommand|hooks|mcpServers|permissions|runOn|tasks)"/.test(text))
    return nothing;
  const value = jsonIn(text);
  const units = commandsIn(value).map((command) => unitOf(command, lineWith(text, command.slice(0, 20))));
  const hits: Hit[] = [];
  if (
    /"defaultMode"\s*:\s*"bypassPermissions"|"allow"\s*:\s*\[[^\]]*"(?:\*|Bash(?:\(\*\))?)"|"enableAllProjectMcpServers"\s*:\s*true/.test(
      text,
    )
  )
    hits.push({ rule: 'permission-bypass', line: null, found: `${path} allows every tool`, severity: 'high' });
  if (/"runOn"\s*:\s*"folderOpen"/.test(text))
    hits.push({ rule: 'persistence', line: null, found: `${path} runs a task when the folder is opened` });
  return { hits, units };
}

/** Commands of tools, and of projects. */
function ofToml({ text }: ScannedFile): Declarations {
  const parsed = text.length > 200_000 ? null : parseToml(text);
  if (parsed?.kind !== 'value') return nothing;
  const units = commandsIn(parsed.value).map((command) => unitOf(command, lineWith(text, command.slice(0, 12))));
  return { hits: [], units };
}

/** Settings of a package manager, as the commands that would make them. */
function* packageSettings({ path, text }: ScannedFile): Generator<Unit> {
  const program = /pip\./i.test(path) ? 'pip' : 'npm';
  for (const { 1: key = '', 2: value = '', index } of text
    .slice(0, 20_000)
    .matchAll(/^[ \t]{0,8}([\w-]{2,40})[ \t]{0,8}[=: ][ \t]{0,8}(\S{3,400})[ \t]{0,8}$/gm))
    yield unitOf(`${program} config set ${key} ${quoted(value)}`, lineOf(text, index));
}

/** Commands that Git starts by its settings. */
function* gitCommands(text: string): Generator<Unit> {
  for (const { 1: value = '', index } of text
    .slice(0, 100_000)
    .matchAll(/^[ \t]{0,20}[\w-]{2,40}[ \t]{0,8}=[ \t]{0,8}(.{3,2000})$/gm))
    yield unitOf(value.replace(/^"(.*)"$/, '$1').replace(/^!/, ''), lineOf(text, index));
}

/** Commands that a description of a service or a program has started. */
function* startedBy(text: string): Generator<Unit> {
  const short = text.slice(0, 200_000);
  for (const { 1: command = '', index } of short.matchAll(/^[ \t]{0,20}Exec\w{0,20}=[-@+!:]{0,4}(.{3,4000})$/gm))
    yield unitOf(command, lineOf(short, index));
  for (const [list, index] of between(short, '<key>ProgramArguments</key>', '</array>')) {
    const words = [...list.matchAll(/<string>([^<]{1,4000})<\/string>/g)].map(([, word = '']) =>
      quoted(word.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')),
    );
    yield unitOf(words.join(' '), lineOf(short, index));
  }
}

/** The scripts of a page, which run when it is opened. */
function* pageScripts(text: string): Generator<Unit> {
  const short = text.slice(0, 600_000);
  for (const [code, index] of between(short, '<script', '</script'))
    yield unitOf(code.slice(code.indexOf('>') + 1), lineOf(short, index), 'javascript');
  for (const { 2: code = '', index } of short.matchAll(
    /\son(?:load|error|click|mouseover|focus|begin|toggle)=(["'])((?:(?!\1).){3,2000})\1/gi,
  ))
    yield unitOf(code, lineOf(short, index), 'javascript');
}

/** The texts between two marks, each once, with where they begin. */
function* between(text: string, open: string, close: string): Generator<readonly [inner: string, at: number]> {
  const lower = text.toLowerCase();
  const [from, to] = [open.toLowerCase(), close.toLowerCase()];
  for (let at = lower.indexOf(from); at !== -1; ) {
    const start = at + from.length;
    const end = lower.indexOf(to, start);
    if (end === -1) return;
    yield [text.slice(start, end), start];
    at = lower.indexOf(from, end);
  }
}

/** The code of a notebook: Python, with commands for the shell behind `!`. */
function ofNotebook({ text }: ScannedFile): Declarations {
  const value = jsonIn(text);
  const cells = isObject(value) && Array.isArray(value['cells']) ? value['cells'].filter(isObject) : [];
  const units = cells.flatMap(({ cell_type: type, source }): Unit[] => {
    const lines = textsIn(Array.isArray(source) ? source : [source])
      .join('')
      .split('\n');
    if (type !== 'code') return [];
    const isCommand = (line: string): boolean => /^\s*[!%]/.test(line) || /^%%(?:bash|sh)\b/.test(lines[0] ?? '');
    const commands = lines.filter(isCommand).map((line) => line.replace(/^\s*(?:!+|%%?\w+)/, ''));
    const python = lines.filter((line) => !isCommand(line));
    const line = lineWith(text, JSON.stringify(lines[0] ?? '').slice(1, 20));
    return [unitOf(commands.join('\n'), line), unitOf(python.join('\n'), line, 'python')];
  });
  return { hits: [], units };
}

/** Commands of workflows and services, each on its line or in the block below it. */
function yamlCommands(text: string): Unit[] {
  const lines = text.slice(0, 200_000).split('\n');
  return lines.flatMap((line, at): Unit[] => {
    const [, before = '', value = ''] =
      /^([\s-]*)(?:run|command|script|entrypoint|shell|cmd|runs?-?cmd|\w+_(?:script|command))\s*:\s*(\S.*)$/.exec(
        line,
      ) ?? [];
    if (value === '') return [];
    if (!/^[|>][-+\d]*\s*$/.test(value)) return [unitOf(value.replace(/^(['"])(.*)\1$/, '$2'), at + 1)];
    let end = at + 1;
    while (end < lines.length && !isOutside(lines[end] ?? '', before.length)) end++;
    return [unitOf(lines.slice(at + 1, end).join('\n'), at + 2)];
  });
}

/** Whether a line ends the block below a key that stands so far to the right. */
function isOutside(line: string, indent: number): boolean {
  const start = line.search(/\S/);
  return start !== -1 && start <= indent;
}

/** A command that others run, or the code of another language. */
function unitOf(text: string, line: number, language: Unit['language'] = 'shell'): Unit {
  return { language, text, line, layers: [], isScript: true };
}

/** Every `command` in a tree, with its arguments. */
function commandsIn(value: unknown, depth = 0): string[] {
  if (depth > 12) return [];
  if (Array.isArray(value)) return value.slice(0, 200).flatMap((one) => commandsIn(one, depth + 1));
  if (!isObject(value)) return [];
  const { command, args } = value;
  const [program, ...first] = Array.isArray(command) ? textsIn(command).map(quoted) : [command];
  const own =
    typeof program === 'string'
      ? [[program, ...first, ...textsIn(Array.isArray(args) ? args : []).map(quoted)].join(' ')]
      : [];
  // Steps of a container: `postCreateCommand` and the like.
  const steps = Object.entries(value).flatMap(([key, one]) =>
    /\wCommand$/.test(key) ? (Array.isArray(one) ? [textsIn(one).map(quoted).join(' ')] : textsIn([one])) : [],
  );
  return [...own, ...steps, ...Object.values(value).flatMap((one) => commandsIn(one, depth + 1))].slice(0, 200);
}

function textsIn(values: readonly unknown[]): string[] {
  return values.filter((one): one is string => typeof one === 'string');
}

/** A word for a shell. */
function quoted(word: string): string {
  return /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

function jsonIn(text: string): unknown {
  return attempt(() => JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')), null);
}

function lineWith(text: string, part: string): number {
  return lineOf(text, Math.max(0, text.indexOf(part)));
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

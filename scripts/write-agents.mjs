import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The tables of docs/agents.md are what the program knows of each agent; a test fails when the two differ.
const program = fileURLToPath(new URL('../dist/cli/bin.cjs', import.meta.url));
const empty = mkdtempSync(join(tmpdir(), 'repertoire-docs-'));
const run = (...args) =>
  execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', cwd: empty, env: { HOME: empty } });
const ids = run('__complete', 'doctor', '--agent', '').trim().split('\n');
const agents = ids.map((line) => JSON.parse(run('doctor', '--json', '--agent', line.split('\t')[0])).agent);
rmSync(empty, { recursive: true });

const number = (value) => value.toLocaleString('en');
const footnote = ({ what, known }, agent) =>
  (what.endsWith('not above it') ? ' ¹' : what.endsWith('not below it') ? ' ²' : '') +
  (known === agent.known ? '' : ' ³');
const isPlugins = ({ what }) => what.startsWith('plugins of ');
const placesOf = (agent) => agent.rules.filter(({ does }) => does === 'reads');
const reads = (agent) =>
  placesOf(agent)
    .filter((rule) => !isPlugins(rule))
    .map((rule) => `\`${rule.what.split(' ')[0]}\`${footnote(rule, agent)}`);
const plugins = (agent) =>
  placesOf(agent)
    .filter(isPlugins)
    .map((rule) => rule.what.slice('plugins of '.length) + footnote(rule, agent));
const twins = ({ rules }) => {
  const rule = rules.find(({ what }) => what.includes('share a name'));
  return rule === undefined || rule.does === 'not known'
    ? 'not known'
    : rule.what.split(' of ')[0].replace(/ skills.*/, '');
};

const seen = agents.filter(({ rules }) => rules.some(({ by }) => by === 'run'));
const isTrait = ({ does, what }) => does !== 'reads' && !/share a name|^a list of|^at most/.test(what);
const marks = { shows: '✓', 'does not show': '–', 'leaves to people': 'people', 'not known': '?' };
const doesWith = ({ rules }, what) => marks[rules.find((rule) => rule.what === what).does];
const each = ({ most }) => (most === null ? 'all of it' : most === 0 ? 'nothing: names only' : number(most));
const together = ({ rooms }) =>
  rooms.map((room) => `${number(room.characters)} with ${room.with}`).join('; ') || 'no limit was met';

function table(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at].length)));
  const line = (cells) => `| ${cells.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

const tables = {
  folders: table(
    ['agent', 'reads, strongest first', 'plugins', 'of one name, shows', 'known by'],
    agents.map((agent) => [
      `\`${agent.id}\``,
      reads(agent).join(', ') || 'nothing',
      plugins(agent).join(', ') || '–',
      twins(agent),
      agent.known,
    ]),
  ),
  traits: table(
    ['a skill with', ...seen.map(({ name }) => name)],
    seen[0].rules
      .filter(isTrait)
      .map(({ what }) => [
        what.replace(/ \(repertoire validate.*\)/, ''),
        ...seen.map((agent) => doesWith(agent, what)),
      ]),
  ),
  lists: table(
    ['agent', 'characters of each description', 'characters of the whole list'],
    seen.map(({ name, listing }) => [name, each(listing), together(listing)]),
  ),
};

const page = new URL('../docs/agents.md', import.meta.url);
const text = Object.entries(tables).reduce(
  (before, [name, rows]) =>
    before.replace(
      new RegExp(`(<!-- ${name} -->\n).*?(\n<!-- /${name} -->)`, 's'),
      (_, start, end) => `${start}\n${rows}\n${end}`,
    ),
  readFileSync(page, 'utf8'),
);
writeFileSync(page, text);

#!/usr/bin/env node
// Group the commits of a range into changelog sections, as a draft to edit.
// Reads a git repository (or saved `git log` output); changes nothing.

import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';

const HELP = `Usage: group-commits.mjs [options] [REPO]

Collects the commits between two refs and sorts them into changelog sections.
The result is a draft: entries still have to be rewritten for readers.

  REPO                 directory inside a git work tree (default: .)
  --from REF           start of the range, not included (default: nearest tag)
  --to REF             end of the range (default: HEAD)
  --tag-glob GLOB      tags to consider for the default start, e.g. 'api/v*'
  --path DIR           only commits that touch DIR (repeatable; for monorepos)
  --merges             one entry per first-parent commit, titled by its pull
                       request; for repositories that merge without squashing
  --areas              note the top-level folders each commit touches
  --ticket-prefix KEY  collect tickets such as KEY-123 (repeatable)
  --max-commits N      stop with an error above N commits (default: 10000)
  --input FILE         read saved log output instead of running git ('-' = stdin)
  --print-git-command  print the command whose output --input expects
  --all                list internal commits one by one in the text output
  --json               print JSON instead of Markdown
  --help               show this text

Exit status: 0 on success (also when the range is empty), 2 on any error.`;

const SELF = 'group-commits';
const FIELDS = ['%H', '%h', '%aN', '%aE', '%cI', '%P', '%s', '%b'];
const FORMAT = `--format=${FIELDS.join('%x00')}`;

class UserError extends Error {}

const SECTIONS = [
  ['breaking', 'Breaking changes'],
  ['security', 'Security'],
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['deprecated', 'Deprecated'],
  ['removed', 'Removed'],
  ['fixed', 'Fixed'],
  ['unsorted', 'Unsorted (decide by hand)'],
  ['dependencies', 'Dependencies'],
  ['documentation', 'Documentation'],
  ['internal', 'Internal (normally left out)'],
];

// Prefix used before the colon in "type(scope): subject".
const TYPE_TO_SECTION = new Map(Object.entries({
  feat: 'added', feature: 'added', add: 'added', added: 'added', new: 'added',
  fix: 'fixed', bugfix: 'fixed', hotfix: 'fixed', fixed: 'fixed', bug: 'fixed',
  perf: 'changed', performance: 'changed', change: 'changed', changed: 'changed', improve: 'changed', improvement: 'changed',
  deprecate: 'deprecated', deprecated: 'deprecated',
  remove: 'removed', removed: 'removed',
  security: 'security', sec: 'security',
  deps: 'dependencies', dep: 'dependencies',
  docs: 'documentation', doc: 'documentation',
  refactor: 'internal', style: 'internal', test: 'internal', tests: 'internal', ci: 'internal',
  build: 'internal', chore: 'internal', release: 'internal', wip: 'internal', lint: 'internal', internal: 'internal',
  revert: 'changed',
}));

const EMOJI_TO_SECTION = new Map(Object.entries({
  sparkles: 'added', '✨': 'added', tada: 'added', '🎉': 'added',
  bug: 'fixed', '🐛': 'fixed', ambulance: 'fixed', '🚑': 'fixed',
  zap: 'changed', '⚡': 'changed', lipstick: 'changed', '💄': 'changed',
  fire: 'removed', '🔥': 'removed', lock: 'security', '🔒': 'security', boom: 'breaking', '💥': 'breaking',
  memo: 'documentation', '📝': 'documentation', arrow_up: 'dependencies', '⬆': 'dependencies',
  arrow_down: 'dependencies', '⬇': 'dependencies', recycle: 'internal', '♻': 'internal',
  white_check_mark: 'internal', '✅': 'internal', art: 'internal', '🎨': 'internal',
  construction_worker: 'internal', '👷': 'internal', green_heart: 'internal', '💚': 'internal',
}));

// First word of a free-form subject. Only verbs whose meaning is reliable.
const VERB_TO_SECTION = [
  ['added', ['add', 'adds', 'added', 'introduce', 'introduces', 'introduced', 'implement', 'implements', 'implemented', 'support', 'supports', 'allow', 'allows', 'enable', 'enables', 'expose', 'exposes', 'provide', 'provides']],
  ['fixed', ['fix', 'fixes', 'fixed', 'correct', 'corrects', 'corrected', 'repair', 'repairs', 'prevent', 'prevents', 'resolve', 'resolves', 'avoid', 'avoids', 'handle', 'handles']],
  ['removed', ['remove', 'removes', 'removed', 'drop', 'drops', 'dropped', 'delete', 'deletes', 'deleted']],
  ['deprecated', ['deprecate', 'deprecates', 'deprecated']],
  ['changed', ['change', 'changes', 'changed', 'improve', 'improves', 'improved', 'rename', 'renames', 'renamed', 'replace', 'replaces', 'replaced', 'make', 'makes', 'use', 'uses', 'switch', 'switches', 'increase', 'reduce', 'speed', 'optimize', 'optimise', 'update', 'updates', 'updated']],
  ['dependencies', ['bump', 'bumps', 'upgrade', 'upgrades', 'upgraded']],
  ['internal', ['refactor', 'refactors', 'refactored', 'cleanup', 'clean', 'reformat', 'format', 'lint', 'test', 'tests', 'typo', 'wip', 'release', 'prepare', 'merge']],
];
const VERBS = new Map(VERB_TO_SECTION.flatMap(([section, words]) => words.map((word) => [word, section])));

const clean = (text) =>
  text
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();

function readOptions() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        'tag-glob': { type: 'string' },
        path: { type: 'string', multiple: true, default: [] },
        merges: { type: 'boolean', default: false },
        areas: { type: 'boolean', default: false },
        'ticket-prefix': { type: 'string', multiple: true, default: [] },
        'max-commits': { type: 'string', default: '10000' },
        input: { type: 'string' },
        'print-git-command': { type: 'boolean', default: false },
        all: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UserError(`${error.message} (see --help)`);
  }
  const { values, positionals } = parsed;
  if (positionals.length > 1) throw new UserError('only one REPO can be given (see --help)');
  const max = Number(values['max-commits']);
  if (!Number.isInteger(max) || max < 1 || max > 200000) throw new UserError('--max-commits must be a whole number from 1 to 200000');
  for (const [option, ref] of [['--from', values.from], ['--to', values.to]]) {
    if (ref !== undefined && (ref === '' || ref.startsWith('-'))) throw new UserError(`${option}: not a valid ref: '${ref}'`);
  }
  for (const prefix of values['ticket-prefix']) {
    if (!/^[A-Za-z][A-Za-z0-9_]{0,30}$/.test(prefix)) throw new UserError(`--ticket-prefix: '${prefix}' should be a plain project key such as ABC`);
  }
  if (values.input !== undefined) {
    for (const option of ['from', 'to', 'tag-glob', 'areas', 'merges']) {
      if (values[option]) throw new UserError(`--${option} cannot be combined with --input: the saved log already fixes the range`);
    }
    if (values.path.length > 0) throw new UserError('--path cannot be combined with --input');
    if (positionals.length > 0) throw new UserError('REPO cannot be combined with --input');
  }
  return { ...values, max, repo: positionals[0] ?? '.' };
}

function git(repo, args, { allowFailure = false } = {}) {
  const result = spawnSync(
    'git',
    ['-C', repo, '--no-pager', '-c', 'core.fsmonitor=false', '-c', 'log.showSignature=false', '-c', 'core.quotePath=true', ...args],
    { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, env: { ...process.env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' } },
  );
  if (result.error) {
    if (result.error.code === 'ENOENT') throw new UserError('git is not installed or not on PATH');
    if (result.error.code === 'ENOBUFS') throw new UserError('the log of this range is larger than 256 MB; narrow it with --from or --path');
    throw new UserError(`cannot run git: ${result.error.message}`);
  }
  if (result.status !== 0) {
    if (allowFailure) return null;
    throw new UserError(`git ${args[0]} failed: ${clean(result.stderr.split('\n')[0] || `status ${result.status}`)}`);
  }
  return result.stdout;
}

function resolveRange(options) {
  const { repo } = options;
  let stat;
  try {
    stat = statSync(repo);
  } catch {
    throw new UserError(`no such directory: ${repo}`);
  }
  if (!stat.isDirectory()) throw new UserError(`not a directory: ${repo}`);
  git(repo, ['rev-parse', '--git-dir']);
  const notes = [];
  const resolve = (ref) => git(repo, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], { allowFailure: true })?.trim() || null;

  const toRef = options.to ?? 'HEAD';
  const to = resolve(toRef);
  if (!to) throw new UserError(`cannot resolve '${toRef}' to a commit (empty repository, or a ref that was not fetched?)`);
  let fromRef = options.from ?? null;
  let from = null;
  if (fromRef) {
    from = resolve(fromRef);
    if (!from) throw new UserError(`cannot resolve '${fromRef}' to a commit (try: git fetch --tags)`);
    if (git(repo, ['merge-base', '--is-ancestor', from, to], { allowFailure: true }) === null) {
      notes.push(`${fromRef} is not an ancestor of ${toRef}: the range holds commits reachable from ${toRef} only, and cherry-picked changes may appear that already shipped.`);
    }
  } else {
    const describe = (commit) => {
      const match = options['tag-glob'] ? ['--match', options['tag-glob']] : [];
      return git(repo, ['describe', '--tags', '--abbrev=0', ...match, commit], { allowFailure: true })?.trim() || null;
    };
    fromRef = describe(to);
    from = fromRef && resolve(`refs/tags/${fromRef}`);
    if (from === to) {
      notes.push(`${toRef} is already tagged ${fromRef}; covering the release that tag closed.`);
      const parent = resolve(`${to}^`);
      fromRef = parent && describe(parent);
      from = fromRef && resolve(`refs/tags/${fromRef}`);
    }
    if (!from) notes.push('No earlier tag found: the range is the whole history.');
  }
  if (git(repo, ['rev-parse', '--is-shallow-repository'], { allowFailure: true })?.trim() === 'true') {
    notes.push('Shallow clone: commits and tags may be missing (git fetch --unshallow --tags).');
  }
  return { fromRef: from ? fromRef : null, toRef, from, to, notes };
}

function logArgs({ from, to }, options) {
  const args = ['log', '-z', '--encoding=UTF-8', '--no-color', FORMAT, '-n', String(options.max + 1)];
  args.push(options.merges ? '--first-parent' : '--no-merges');
  args.push(from ? `${from}..${to}` : to, '--', ...options.path);
  return args;
}

function parseLog(text) {
  if (text.trim() === '') return [];
  // With -z every commit ends in NUL; commit data itself can never hold NUL.
  const parts = text.replace(/\0?\n?$/, '').split('\0');
  if (parts.length % FIELDS.length !== 0) {
    throw new UserError('the log is not in the expected form; create it with the command shown by --print-git-command');
  }
  const commits = [];
  for (let i = 0; i < parts.length; i += FIELDS.length) {
    const [hash, short, author, email, date, parents, subject, body] = parts.slice(i, i + FIELDS.length);
    if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(hash.trim())) {
      throw new UserError('the log is not in the expected form; create it with the command shown by --print-git-command');
    }
    commits.push({ hash: hash.trim(), short, author: clean(author), email, date, parents: parents ? parents.split(' ') : [], rawSubject: clean(subject), body: body.replace(/\r\n?/g, '\n') });
  }
  return commits;
}

function titleOf(commit) {
  const subject = commit.rawSubject;
  let pr = null;
  let title = subject;
  let match;
  const bodyLine = () => commit.body.split('\n').map(clean).find((line) => line !== '') ?? null;
  if ((match = /^Merge pull request #(\d+) from \S+/.exec(subject))) {
    pr = `#${match[1]}`;
    title = bodyLine() ?? subject;
  } else if (/^Merge branch '.*' into '?.*'?$/.test(subject) && (match = /See merge request (\S*!\d+)/.exec(commit.body))) {
    pr = match[1].replace(/^.*!/, '!');
    title = bodyLine() ?? subject;
  } else if ((match = /^(?:Merged in \S+ \(pull request #(\d+)\)|Pull request #(\d+):\s*)/.exec(subject))) {
    pr = `#${match[1] ?? match[2]}`;
    title = subject.slice(match[0].length).trim() || bodyLine() || subject;
  }
  if ((match = /\s*\((#\d+|![0-9]+)\)$/.exec(title))) {
    pr ??= match[1];
    title = title.slice(0, match.index);
  }
  return { title, pr };
}

function breakingNotes(body) {
  const notes = [];
  const lines = body.split('\n');
  for (let i = 0; i < lines.length; i++) {
    const match = /^BREAKING[ -]CHANGES?\s*:\s*(.*)$/.exec(lines[i]);
    if (!match) continue;
    const text = [match[1]];
    while (i + 1 < lines.length && lines[i + 1].trim() !== '' && !/^[A-Za-z][A-Za-z-]*(: | #)/.test(lines[i + 1])) text.push(lines[++i]);
    notes.push(clean(text.join(' ')) || '(no explanation given)');
  }
  return notes;
}

function classify(commit, ticketPattern) {
  const { title, pr } = titleOf(commit);
  let text = title;
  let section = null;
  let guessed = false;
  let scope = null;
  let type = null;
  let breaking = false;
  let match;

  if ((match = /^(?::([a-z0-9_+-]+):|(\p{Extended_Pictographic})\uFE0F?)\s*/u.exec(text))) {
    const hint = EMOJI_TO_SECTION.get(match[1] ?? match[2]);
    if (hint === 'breaking') breaking = true;
    else if (hint) section = hint;
    text = text.slice(match[0].length);
  }
  if ((match = /^([A-Za-z][\w./-]{0,40})(?:\(([^()]{0,80})\))?(!)?:\s+(\S.*)$/.exec(text))) {
    const word = match[1].toLowerCase();
    breaking ||= match[3] === '!';
    if (TYPE_TO_SECTION.has(word)) {
      type = word;
      section = TYPE_TO_SECTION.get(word);
      scope = match[2]?.trim() || null;
      if ((word === 'build' || word === 'chore' || word === 'fix') && /^(?:deps|deps-dev|dependencies)$/.test(scope ?? '')) section = 'dependencies';
    } else {
      // "component: subject", as many projects write it.
      scope = match[1];
    }
    text = match[4];
  } else if ((match = /^\[([^\]]{1,40})\]\s*(\S.*)$/.exec(text))) {
    const word = match[1].toLowerCase();
    if (TYPE_TO_SECTION.has(word)) {
      type = word;
      section = TYPE_TO_SECTION.get(word);
    } else scope = match[1];
    text = match[2];
  }
  if (!section) {
    const first = /^[A-Za-z]+/.exec(text)?.[0].toLowerCase();
    const verb = first && VERBS.get(first);
    section = verb ?? 'unsorted';
    guessed = Boolean(verb);
    if (section === 'changed' && /\b(?:dependenc(?:y|ies)|lock ?file)\b/i.test(text)) section = 'dependencies';
    if (section !== 'unsorted' && /\b(?:tests?|typos?|CI|lint(?:er)?|comments?)$/i.test(text)) section = 'internal';
  }
  const notes = breakingNotes(commit.body);
  breaking ||= notes.length > 0;

  const all = `${title}\n${commit.body}`;
  const advisories = [...new Set(all.match(/\b(?:CVE-\d{4}-\d{4,7}|GHSA(?:-[0-9a-z]{4}){3})\b/g) ?? [])];
  const issues = new Set();
  for (const found of all.matchAll(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|see)[: ]\s*((?:[\w.-]+\/[\w.-]+)?#\d+)/gi)) issues.add(found[1]);
  for (const found of title.matchAll(/(?:^|[\s(])(#\d+|GH-\d+)\b/g)) issues.add(found[1]);
  if (pr) issues.delete(pr);
  const tickets = ticketPattern ? [...new Set(all.match(ticketPattern) ?? [])] : [];
  const coAuthors = [...commit.body.matchAll(/^co-authored-by:\s*([^<\n]{1,100}?)\s*<([^>\n]{1,200})>/gim)].map((m) => ({ name: clean(m[1]), email: m[2] }));

  if (advisories.length > 0 && section !== 'security') {
    section = 'security';
    guessed = true;
  }
  return {
    hash: commit.hash, short: commit.short, date: commit.date, author: commit.author, email: commit.email, coAuthors,
    subject: commit.rawSubject, text, section: breaking ? 'breaking' : section, kind: section, type, scope, breaking, breakingNotes: notes,
    guessed, pr, issues: [...issues], tickets, advisories, body: commit.body,
    fixup: /^(?:fixup|squash|amend)! /.test(commit.rawSubject),
  };
}

// A revert and the commit it reverts cancel out when both are in the range.
// Walking newest first makes "revert of a revert" restore the original.
function cancelReverts(entries) {
  const byHash = new Map(entries.map((entry) => [entry.hash, entry]));
  const gone = new Map();
  const notes = [];
  for (const entry of entries) {
    if (gone.has(entry.hash)) continue;
    const match = /This reverts commit ([0-9a-f]{7,64})/.exec(entry.body);
    if (!match) continue;
    const target = byHash.get(match[1]) ?? (match[1].length < 40 ? entries.find((other) => other.hash.startsWith(match[1])) : undefined);
    if (target && target !== entry && !gone.has(target.hash)) {
      gone.set(entry.hash, target.short);
      gone.set(target.hash, entry.short);
      notes.push({ revert: entry.short, reverted: target.short, subject: target.subject });
    } else {
      entry.revertsEarlierRelease = true;
    }
  }
  return { kept: entries.filter((entry) => !gone.has(entry.hash)), cancelled: notes };
}

function mergeDuplicates(entries) {
  const seen = new Map();
  const kept = [];
  for (const entry of entries) {
    const key = `${entry.section}\0${entry.scope ?? ''}\0${entry.text.toLowerCase()}\0${entry.pr ?? ''}`;
    const first = seen.get(key);
    if (first) first.alsoIn.push(entry.short);
    else {
      entry.alsoIn = [];
      seen.set(key, entry);
      kept.push(entry);
    }
  }
  return kept;
}

function readAreas(range, options, entries) {
  const args = ['log', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames', '--name-only', '--format=%x01%H'];
  args.push(options.merges ? '--first-parent' : '--no-merges');
  if (options.merges) args.push('-m');
  args.push(range.from ? `${range.from}..${range.to}` : range.to, '--', ...options.path);
  const areas = new Map();
  let current = null;
  for (const line of git(options.repo, args).split('\n')) {
    if (line.startsWith('\x01')) areas.set(line.slice(1), (current = new Set()));
    else if (line && current) current.add(line.includes('/') ? `${line.replace(/^"/, '').split('/')[0]}/` : line);
  }
  for (const entry of entries) entry.areas = [...(areas.get(entry.hash) ?? [])].sort();
}

function suggestVersion(fromRef, counts) {
  const match = /^(.*?)(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?(?:\+.*)?$/.exec(fromRef ?? '');
  const userVisible = ['breaking', 'security', 'added', 'changed', 'deprecated', 'removed', 'fixed', 'unsorted'].some((key) => counts[key] > 0);
  let bump = 'none';
  let reason = 'only internal, documentation or dependency commits';
  if (counts.breaking > 0) [bump, reason] = ['major', 'breaking changes are marked'];
  else if (counts.removed > 0) [bump, reason] = ['major', 'something was removed; lower this if nobody could have depended on it'];
  else if (counts.added > 0 || counts.deprecated > 0) [bump, reason] = ['minor', 'new behaviour, nothing marked as breaking'];
  else if (userVisible) [bump, reason] = ['patch', 'fixes and changes only'];
  else if (counts.dependencies > 0) [bump, reason] = ['patch', 'dependency updates only'];
  if (!match || bump === 'none') return { bump, reason, from: match ? fromRef : null, next: null };
  const [, prefix, major, minor, patch, pre] = match;
  if (pre) return { bump, reason: `${reason}; the last tag is a pre-release, so decide whether to leave it`, from: fromRef, next: null };
  const [a, b, c] = [Number(major), Number(minor), Number(patch)];
  const effective = a === 0 && bump === 'major' ? 'minor' : a === 0 && bump === 'minor' ? 'patch' : bump;
  if (a === 0 && effective !== bump) reason += '; below 1.0.0 the step is one level smaller';
  const next = effective === 'major' ? `${a + 1}.0.0` : effective === 'minor' ? `${a}.${b + 1}.0` : `${a}.${b}.${c + 1}`;
  return { bump: effective, reason, from: fromRef, next: `${prefix}${next}` };
}

function contributors(entries) {
  const people = new Map();
  const add = (name, email) => {
    if (/\[bot\]$|^(?:dependabot|renovate)/i.test(name)) return;
    const key = email.toLowerCase();
    const person = people.get(key) ?? { name, commits: 0 };
    person.commits++;
    people.set(key, person);
  };
  for (const entry of entries) {
    add(entry.author, entry.email);
    for (const other of entry.coAuthors) add(other.name, other.email);
  }
  const byName = new Map();
  for (const person of people.values()) byName.set(person.name, (byName.get(person.name) ?? 0) + person.commits);
  return [...byName].map(([name, commits]) => ({ name, commits })).sort((x, y) => y.commits - x.commits || x.name.localeCompare(y.name));
}

function build(options) {
  let commits;
  let range;
  if (options.input !== undefined) {
    let text;
    try {
      text = readFileSync(options.input === '-' ? 0 : options.input, 'utf8');
    } catch (error) {
      throw new UserError(`cannot read ${options.input === '-' ? 'stdin' : options.input}: ${error.code ?? error.message}`);
    }
    commits = parseLog(text);
    range = { fromRef: null, toRef: null, notes: [] };
  } else {
    range = resolveRange(options);
    commits = parseLog(git(options.repo, logArgs(range, options)));
  }
  if (commits.length > options.max) throw new UserError(`more than ${options.max} commits in the range; narrow it with --from or --path, or raise --max-commits`);

  const notes = [...range.notes];
  const ticketPattern = options['ticket-prefix'].length > 0 ? new RegExp(`\\b(?:${options['ticket-prefix'].join('|')})-\\d+\\b`, 'g') : null;
  const classified = commits.map((commit) => classify(commit, ticketPattern));
  const { kept, cancelled } = cancelReverts(classified);
  const entries = mergeDuplicates(kept.filter((entry) => !entry.fixup));
  const fixups = kept.filter((entry) => entry.fixup).length;
  if (options.areas) readAreas(range, options, entries);

  const counts = Object.fromEntries(SECTIONS.map(([key]) => [key, 0]));
  for (const entry of entries) counts[entry.section]++;
  const typed = classified.filter((entry) => entry.type).length;
  const share = classified.length ? typed / classified.length : 0;

  if (fixups > 0) notes.push(`${fixups} fixup!/squash! commit(s) left out; they belong to another commit.`);
  const guesses = entries.filter((entry) => entry.guessed).length;
  if (guesses > 0) notes.push(`${guesses} entr${guesses === 1 ? 'y was' : 'ies were'} sorted by wording (marked ~): confirm the section.`);
  if (counts.unsorted > 0) notes.push(`${counts.unsorted} could not be sorted: read the diff (git show HASH) before writing an entry.`);
  const late = entries.filter((entry) => entry.revertsEarlierRelease);
  if (late.length > 0) notes.push(`${late.map((entry) => entry.short).join(', ')} revert(s) work from before this range: users see that as a change or removal.`);
  if (options.input === undefined && !options.merges && options.path.length === 0) {
    const span = range.from ? `${range.from}..${range.to}` : range.to;
    const count = (...flags) => Number(git(options.repo, ['rev-list', '--count', '--first-parent', ...flags, span, '--']).trim());
    const mainline = count();
    if (mainline >= 4 && count('--merges') / mainline > 0.5) notes.push('Most first-parent commits are merges: --merges gives one entry per pull request.');
  }
  if (entries.some((entry) => entry.advisories.length > 0)) notes.push('A commit names a CVE or GHSA: check that the advisory is public before publishing the entry.');

  return {
    from: range.fromRef, to: range.toRef, commits: commits.length, typedShare: Math.round(share * 100) / 100,
    sections: Object.fromEntries(SECTIONS.map(([key]) => [key, entries.filter((entry) => entry.section === key)])),
    counts, cancelled, contributors: contributors(classified), version: suggestVersion(range.fromRef, counts), notes,
  };
}

const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

function renderEntry(entry) {
  const refs = [entry.pr, ...entry.issues, ...entry.tickets, ...entry.advisories].filter((ref) => ref && !entry.text.includes(ref));
  let line = `- ${entry.guessed ? '~ ' : ''}${entry.scope ? `**${entry.scope}:** ` : ''}${entry.text}`;
  if (refs.length > 0) line += ` (${refs.join(', ')})`;
  line += ` [${[entry.short, ...entry.alsoIn].join(', ')}]`;
  if (entry.areas?.length > 0) line += ` {${entry.areas.slice(0, 4).join(' ')}${entry.areas.length > 4 ? ' …' : ''}}`;
  for (const note of entry.breakingNotes) line += `\n  - Breaking: ${note}`;
  return line;
}

function render(result, options) {
  const out = [];
  const range = result.to === null ? 'saved log' : `${result.from ?? '(start of history)'}..${result.to}`;
  out.push(`# Changelog draft: ${range}`, '');
  out.push(`${plural(result.commits, 'commit', 'commits')}, ${plural(result.contributors.length, 'person', 'people')}, ${Math.round(result.typedShare * 100)}% with a typed subject.`);
  const { version } = result;
  out.push(`Suggested step: ${version.bump}${version.next ? ` (${version.from} -> ${version.next})` : ''}: ${version.reason}.`, '');
  for (const [key, title] of SECTIONS) {
    const entries = result.sections[key];
    if (entries.length === 0) continue;
    out.push(`## ${title}`, '');
    if (['internal', 'documentation', 'dependencies'].includes(key) && !options.all && entries.length > 5) out.push(`${entries.length} commits (list them with --all).`);
    else out.push(...entries.map(renderEntry));
    out.push('');
  }
  if (result.cancelled.length > 0) {
    out.push('## Cancelled out by reverts', '', ...result.cancelled.map((pair) => `- ${pair.subject} [${pair.reverted} undone by ${pair.revert}]`), '');
  }
  if (result.contributors.length > 0) out.push('## People', '', result.contributors.map((person) => person.name).join(', '), '');
  if (result.notes.length > 0) out.push('## Check before publishing', '', ...result.notes.map((note) => `- ${note}`), '');
  return out.join('\n');
}

process.stdout.on('error', (error) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

try {
  const options = readOptions();
  if (options.help) console.log(HELP);
  else if (options['print-git-command']) {
    console.log(`git log -z --encoding=UTF-8 --no-color --no-merges '${FORMAT}' FROM..TO > commits.log`);
  } else {
    const result = build(options);
    if (options.json) {
      const strip = ({ body, fixup, email, coAuthors, ...entry }) => ({ ...entry, coAuthors: coAuthors.map((person) => person.name) });
      console.log(JSON.stringify({ ...result, sections: Object.fromEntries(Object.entries(result.sections).map(([key, list]) => [key, list.map(strip)])) }, null, 2));
    } else console.log(render(result, options));
  }
} catch (error) {
  console.error(`${SELF}: ${error instanceof UserError ? error.message : `unexpected problem: ${error.message}`}`);
  process.exitCode = 2;
}

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { users, Workshop } from './workshop.ts';

/** A tool that runs a line of shell in a granted folder. */
async function toolIn(shop: Workshop, folder: string): Promise<(script: string) => ReturnType<Workshop['result']>> {
  const manifest = `[capabilities]\nfilesystem = ["write:${folder}"]\n`;
  shop.skill(manifest, { 'scripts/try.sh': '#!/bin/sh\ncd "$1" && eval "$2"\n' });
  await shop.grant();
  return (script) => shop.result(['demo', '--', folder, script]);
}

/** Everything at a path, links and modes included. */
function stateOf(path: string): string {
  const script = 'find "$1" | sort | while read -r f; do ls -ld "$f"; [ ! -f "$f" ] || cat "$f"; done';
  return execFileSync('sh', ['-c', script, 'sh', path], { encoding: 'utf8' });
}

const files = [
  ...['.git/HEAD', '.git/config', '.git/hooks/pre-commit', '.git/objects/x', '.git/refs/x', '.git/modules/sub/hooks/x'],
  ...['.claude/settings.json', '.mcp.json', '.vscode/tasks.json', '.bashrc', '.envrc', 'AGENTS.md', 'repertoire.toml'],
  ...[
    'deep/er/app/.git/hooks/pre-push',
    'deep/er/app/.idea/x.xml',
    'bare/HEAD',
    'bare/config',
    'bare/objects/x',
    'bare/refs/x',
  ],
  ...['skills/one/SKILL.md', 'skills/one/scripts/run.sh', '.Husky/pre-commit'],
];
const tops = ['.git', '.claude', '.mcp.json', '.vscode', '.bashrc', '.envrc', 'AGENTS.md', 'repertoire.toml', '.Husky'];
const guarded = [...tops, 'deep/er/app/.git', 'deep/er/app/.idea', 'bare', 'skills/one'];

describe.each(users)('in a folder that may be written to, as %s', (user) => {
  it('what programs of the host run or obey stays as it is, at any depth, and other files do not [C4-CAP-15]', async () => {
    const shop = new Workshop(user);
    const place = shop.place(...files, 'src/main.c');
    const before = guarded.map((name) => stateOf(join(place, name)));
    const run = await toolIn(shop, place);
    const { stdout, reason } = await run(`
      try() { if ( "$@" ) 2>/dev/null; then echo "DONE $*"; fi; }
      for f in $(find . -type f | grep -v main.c); do
        try sh -c "echo evil >> $f"; try rm -f $f; try mv $f $f.moved; try ln $f linked; try chmod 777 $f; try truncate -s 0 $f
      done
      for d in ${guarded.join(' ')} deep deep/er deep/er/app skills; do
        try mv $d moved; try rm -rf $d; try sh -c "rm -rf $d; ln -sT /tmp $d"; try touch $d/new; try mkdir $d/new
      done
      echo more >> src/main.c; echo more >> deep/er/app/code.c; mkdir made; echo x > made/file; mv made/file made/other
      mv src sources; echo x > deep/new; mkdir -p new/.claude; git init -q new/project 2>/dev/null || mkdir -p new/project/.git
      echo the end`);
    expect(
      stdout
        .split('\n')
        .filter((line) => line.startsWith('DONE') && !/DONE touch (deep|skills)|DONE mkdir (deep|skills)/.test(line)),
    ).toEqual([]);
    expect([reason, stdout.endsWith('the end\n')]).toEqual(['exited', true]);
    expect(guarded.map((name) => stateOf(join(place, name)))).toEqual(before);
    expect(readFileSync(join(place, 'sources/main.c'), 'utf8')).toBe('text of main.c\nmore\n');
    expect(readFileSync(join(place, 'deep/er/app/code.c'), 'utf8')).toBe('more\n');
    // What it makes in a folder of its own making is data.
    expect([existsSync(join(place, 'new/project/.git')), existsSync(join(place, 'made/other'))]).toEqual([true, true]);
  });
});

describe('in a folder that may be written to', () => {
  it.each([
    ['.mcp.json', 'echo {} > .mcp.json'],
    ['.MCP.json', 'echo {} > .MCP.json'],
    ['.claude', 'mkdir -p .claude; echo {} > .claude/settings.json'],
    ['.git', 'mkdir -p made/hooks; mv made .git'],
    ['.vscode', 'ln -s /tmp .vscode'],
    ['AGENTS.md', 'echo obey > x; ln x AGENTS.md'],
    ['app/.envrc', 'echo evil > app/.envrc'],
    ['.hg', 'mkdir .hg; echo evil > .hg/hgrc'],
    ['.Rprofile', 'echo evil > .Rprofile'],
    ['skills/two/SKILL.md', 'mkdir skills/two; echo evil > skills/two/SKILL.md'],
    ['skills/kind/two/SKILL.md', 'mkdir -p skills/kind/two; echo evil > skills/kind/two/SKILL.md'],
    ['skills/two', 'mkdir -p own/two; echo evil > own/two/SKILL.md; ln -s ../own skills/two'],
    ['src/skills/two/SKILL.md', 'mkdir -p own/two; echo evil > own/two/SKILL.md; mv own src/skills'],
    ['src/skills', 'mkdir -p own/two; echo evil > own/two/SKILL.md; ln -s ../own src/skills'],
    ['HEAD', 'mkdir objects refs; echo ref: refs/heads/x > HEAD'],
    ['HEAD', 'mkdir -p own/objects own/refs; echo own > commondir; echo ref: refs/heads/x > HEAD'],
    ['src/HEAD', 'mkdir -p own/objects own/refs; echo ../own > src/commondir; echo ref: refs/heads/x > src/HEAD'],
    ['src', 'mv src was; mkdir -p own/.git; ln -s own src'],
    ['lib', 'mv lib was; mkdir -p own/deep/.vscode; ln -s own lib'],
    ['src/.git', 'mkdir src/.git; chmod 555 src'],
    ['lib/deep/.git', 'mkdir lib/deep/.git; chmod 555 lib/deep; chmod 444 lib'],
    ['lefthook.yaml', 'echo evil > lefthook.yaml'],
    ['src/.git', 'mkdir -p "src/.git.refused-$(printf %.8s "$REPERTOIRE_EXECUTION_ID")/x" src/.git'],
    [`${'x'.repeat(235)}.code-workspace`, 'echo {} > "$(printf %0235d 0 | tr 0 x).code-workspace"'],
    ['src/.helix', 'mkdir src/.helix'],
    ['.codex', 'mkdir .codex; chmod 300 . || true'],
  ])('a tool that makes %s is an error, and what it made is renamed', async (name, script) => {
    const shop = new Workshop(users.at(-1));
    const place = shop.place('app/.git/HEAD', 'skills/one/SKILL.md', 'src/main.c', 'lib/deep/main.c', 'notes.txt');
    const run = await toolIn(shop, place);
    const { reason, message } = await run(`${script}; echo done >> notes.txt; sleep 0.3`);
    expect([reason, message]).toEqual([
      'denied',
      expect.stringContaining(`it wrote ${join(place, name)}, which no tool may write`),
    ]);
    expect(lstatSync(join(place, name), { throwIfNoEntry: false })).toBeUndefined();
    const aside = /renamed to ([^;]+)/.exec(message ?? '')?.[1] ?? '';
    expect(readdirSync(join(place, name, '..'))).toContain(aside);
    expect((await run('echo again >> notes.txt')).reason).toBe('exited');
  });

  it('nor does one that is made where nothing was guarded open a repository to the next run', async () => {
    const shop = new Workshop(users.at(-1));
    const place = shop.place('.git/hooks/pre-commit.sample', 'src/deep/main.c');
    const run = await toolIn(shop, place);
    const link = 'ln -s ../../.git/hooks/pre-commit.sample src/deep/AGENTS.md';
    expect((await run(link)).message).toContain(
      `it wrote ${join(place, 'src/deep/AGENTS.md')}, which no tool may write`,
    );
    // Somebody else may have made it.
    symlinkSync('../../.git/hooks/pre-commit.sample', join(place, 'src/deep/AGENTS.md'));
    const { stderr } = await run('echo evil > .git/hooks/pre-commit; echo fine > src/deep/other.c');
    expect(stderr).toContain('Read-only');
    expect(readdirSync(join(place, '.git/hooks'))).toEqual(['pre-commit.sample']);
    expect(readdirSync(join(place, 'src/deep'))).toContain('other.c');
  });

  it('a guarded name that is a link leads to where it led, and what it leads to stays as it is', async () => {
    const shop = new Workshop();
    const place = shop.place('conf/claude/settings.json', 'conf/other');
    symlinkSync('conf/claude', join(place, '.claude'));
    const run = await toolIn(shop, place);
    const first = await run(
      'echo evil > .claude/settings.json; echo evil > conf/claude/new; mv conf moved; echo x >> conf/other',
    );
    expect([first.reason, first.stderr.match(/Read-only|busy/g)?.length]).toEqual(['exited', 3]);
    expect(readFileSync(join(place, 'conf/claude/settings.json'), 'utf8')).toBe('text of settings.json\n');
    const { reason, message } = await run('rm .claude; mkdir -p evil; ln -s evil .claude');
    expect([reason, message]).toEqual(['denied', expect.stringContaining('.claude')]);
    expect(readlinkSync(join(place, '.claude'))).toBe('conf/claude');
  });

  it('the same holds below a folder that is closed to others', async () => {
    const shop = new Workshop();
    const place = shop.place('closed/project/deep/.git/config', 'closed/project/.mcp.json');
    chmodSync(join(place, 'closed'), 0o700);
    const folder = join(place, 'closed/project');
    const run = await toolIn(shop, folder);
    const { stdout, stderr, reason } = await run(
      'echo evil > deep/.git/config; echo evil > .mcp.json; mv deep x; echo fine > deep/new',
    );
    expect([reason, stdout, stderr.match(/Read-only|busy/g)?.length]).toEqual(['exited', '', 3]);
    expect(readFileSync(join(folder, 'deep/.git/config'), 'utf8')).toBe('text of config\n');
    expect(readFileSync(join(folder, 'deep/new'), 'utf8')).toBe('fine\n');
  });

  it('a tool that makes a guarded name is ended at once [C4-CAP-15]', async () => {
    const shop = new Workshop();
    const place = shop.place('notes.txt');
    const run = await toolIn(shop, place);
    const { reason, stdout } = await run('mkdir .claude; sleep 20; echo late');
    expect([reason, stdout]).toEqual(['denied', '']);
  });

  it('so is one that makes it in a folder without any', async () => {
    const shop = new Workshop();
    const place = shop.place('app/.git/HEAD', 'src/deep/main.c');
    const run = await toolIn(shop, place);
    const { reason, stdout } = await run('mkdir src/deep/.vscode; sleep 20; echo late');
    expect([reason, stdout]).toEqual(['denied', '']);
  });

  it('so is one that makes a Git repository of the folder by what it holds', async () => {
    const shop = new Workshop();
    const place = shop.place('notes.txt');
    const run = await toolIn(shop, place);
    const { reason, stdout } = await run('echo ref: refs/heads/x > HEAD; echo own > commondir; sleep 20; echo late');
    expect([reason, stdout]).toEqual(['denied', '']);
  });

  it('a folder that a tool closes without making anything of the kind stays closed', async () => {
    const shop = new Workshop(users.at(-1));
    const place = shop.place('src/main.c');
    const run = await toolIn(shop, place);
    expect((await run('chmod 555 src')).reason).toBe('exited');
    const { mode } = lstatSync(join(place, 'src'));
    chmodSync(join(place, 'src'), 0o755); // else only root could remove it
    expect(mode & 0o777).toBe(0o555);
  });

  it('what was made is told of once', async () => {
    const shop = new Workshop();
    const place = shop.place('sub/data');
    const run = await toolIn(shop, place);
    const { message } = await run('mkdir -p skills/evil; echo > skills/evil/SKILL.md; ln -s /tmp sub/.git');
    const told = message?.split('; it wrote').map((one) => /[^/]*(?=, which)/.exec(one)?.[0]);
    expect(told?.sort()).toEqual(['.git', 'SKILL.md']);
    expect(message).not.toContain('put back');
  });

  it('one that is inside of another, and is granted for reading only, stays so', async () => {
    const shop = new Workshop();
    const place = shop.place('app/data/.git/HEAD', 'app/data/file', 'app/.git/HEAD');
    shop.skill(`[capabilities]\nfilesystem = ["write:${place}", "read:${place}/app/data"]\n`, {
      'scripts/try.sh': `#!/bin/sh\necho evil >> ${place}/app/data/file; echo fine >> ${place}/app/file\n`,
    });
    await shop.grant();
    expect((await shop.result(['demo'])).stderr).toContain('Read-only');
    expect(readFileSync(join(place, 'app/data/file'), 'utf8')).toBe('text of file\n');
    expect(readFileSync(join(place, 'app/file'), 'utf8')).toBe('fine\n');
  });

  it('so much that it could not be protected in time is an error, which says where most of it lies', async () => {
    const shop = new Workshop();
    const place = shop.place('notes.txt', ...Array.from({ length: 101 }, (_, index) => `archive/${index}/.git/HEAD`));
    const run = await toolIn(shop, place);
    const { reason, message } = await run('echo evil > notes.txt');
    expect([reason, message]).toEqual([
      'denied',
      expect.stringMatching(/holds more than 200 places to protect .*, most of them in .*\/archive/),
    ]);
    expect(readFileSync(join(place, 'notes.txt'), 'utf8')).toBe('text of notes.txt\n');
  });
});

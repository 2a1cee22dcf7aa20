import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fileKey, settingNames, settings } from '../../src/core/config/settings.ts';
import { diagnosticCodes } from '../../src/core/diagnostics.ts';
import { commands } from '../../src/faces/cli/commands.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(project, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as { version: string; devDependencies: Record<string, string> };

describe('what the documents say is true', () => {
  it('the version stands in the changelog', () => {
    expect(read('CHANGELOG.md')).toContain(`## ${manifest.version}`);
  });

  it('every dependency is pinned and has its reason', () => {
    const reasons = read('docs/dependencies.md');
    for (const [name, version] of Object.entries(manifest.devDependencies)) {
      expect(version, `${name} is pinned`).toMatch(/^\d/);
      expect(reasons, `${name} has its reason`).toContain(`\`${name}\``);
    }
  });

  it('every command, setting and diagnostic code is documented', () => {
    const docs = ['docs/commands.md', 'docs/configuration.md', 'docs/diagnostics.md'].map(read).join('\n');
    for (const name of Object.keys(commands)) expect(docs).toContain(`repertoire ${name}`);
    for (const name of settingNames) {
      for (const word of [fileKey(name), settings[name].variable]) expect(docs).toContain(`\`${word}\``);
    }
    for (const code of diagnosticCodes) expect(docs, code).toContain(`\`${code}\``);
  });

  it('docs/commands.md is what the program says of itself', () => {
    const program = join(project, 'dist/cli/bin.cjs');
    const page = read('docs/commands.md');
    for (const name of Object.keys(commands)) {
      const help = execFileSync(process.execPath, [program, name, '--help'], {
        encoding: 'utf8',
        env: { COLUMNS: '100' },
      });
      expect(page, 'npm run docs writes it').toContain(help);
    }
  });

  it('links between documents lead somewhere', () => {
    const listed = execFileSync('git', ['ls-files', '*.md'], { cwd: project, encoding: 'utf8' }).trim().split('\n');
    const broken = listed
      .filter((file) => !/^(test|skills)\//.test(file))
      .flatMap((file) =>
        [
          ...read(file)
            .replace(/```[\s\S]*?```/g, '')
            .matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g),
        ]
          .map(([, target = '']) => target)
          .filter((target) => !existsSync(join(project, dirname(file), decodeURI(target))))
          .map((target) => `${file}: ${target}`),
      );
    expect(broken).toEqual([]);
  });

  it('files that documents name are there', () => {
    const files = execFileSync('git', ['ls-files'], { cwd: project, encoding: 'utf8' }).trim().split('\n');
    const page = read('docs/architecture.md');
    const named = [...page.matchAll(/`([a-z][a-z\d./-]*\.tsx?)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((path) => !files.some((file) => `/${file}`.endsWith(`/${path}`)))).toEqual([]);
    // The files to look at first lie in their rooms.
    const rooms = [...page.matchAll(/^\| `([\w/]+)`\s+\|.*\|(.*)\|$/gm)];
    const first = rooms.flatMap(([, room, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, path]) => `src/${room}/${path}`),
    );
    expect(first.length).toBeGreaterThan(50);
    expect(first.filter((path) => !existsSync(join(project, path)))).toEqual([]);
  });

  it('the lockfile names no host', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved"/);
  });
});

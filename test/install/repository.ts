import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../support/world.ts';

/** A repository of skills on this machine. */
export class Repository {
  readonly world: World;
  readonly folder: string;

  constructor(world: World, folder = 'repository') {
    this.world = world;
    this.folder = world.folder(folder);
    this.git('init', '-q', '-b', 'main', '.');
  }

  get url(): string {
    return `file://${this.folder}`;
  }

  git(...args: readonly string[]): string {
    const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'commit.gpgsign=false'];
    const env = { PATH: process.env['PATH'], HOME: this.world.home, GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', [...identity, ...args], { cwd: this.folder, env, encoding: 'utf8' }).trim();
  }

  /** Writes files and commits them; returns the commit. */
  commit(files: Readonly<Record<string, string | null>>): string {
    for (const [path, text] of Object.entries(files)) {
      if (text === null) this.git('rm', '-q', path);
      else this.world.write(join(this.folder.slice(this.world.root.length + 1), path), text);
    }
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'A change');
    return this.git('rev-parse', 'HEAD');
  }
}

export function skillText(name: string, body = '\n# Text\n'): string {
  return `---\nname: ${name}\ndescription: What ${name} does.\n---\n${body}`;
}

/** Everything below a folder: contents of files, targets of links; folders that hold something are not listed. */
export function treeOf(folder: string, path = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, path)).sort()) {
    const inner = path === '' ? name : `${path}/${name}`;
    const stats = lstatSync(join(folder, inner));
    if (stats.isSymbolicLink()) found[inner] = `-> ${readlinkSync(join(folder, inner))}`;
    else if (stats.isDirectory()) Object.assign(found, name === '.git' ? {} : treeOf(folder, inner));
    else found[inner] = `${(stats.mode & 0o111) === 0 ? '' : '*'}${readFileSync(join(folder, inner), 'utf8')}`;
  }
  return found;
}

export interface Lock {
  readonly version: number;
  readonly skills: Readonly<Record<string, LockedSkill>>;
}

export interface LockedSkill {
  readonly source: string;
  readonly sourceType: string;
  readonly computedHash: string;
  readonly skillPath: string;
  readonly repertoire: {
    readonly digest: string;
    readonly origin: { readonly commit?: string };
    readonly scan: { readonly verdict: string };
    readonly asks: readonly string[];
    readonly agents: readonly string[];
  };
}

export function lockIn(world: World, path = 'project/skills-lock.json'): Lock {
  return JSON.parse(readFileSync(world.path(path), 'utf8')) as Lock;
}

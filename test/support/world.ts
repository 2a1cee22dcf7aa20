import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { timeoutMs } from './timeout.ts';

export const program = fileURLToPath(new URL('../../dist/cli/bin.cjs', import.meta.url));

/** The parts of a skill's record that tests look at. */
export interface ListedSkill {
  id: string;
  name: string;
  fullName: string;
  description: string;
  provider: string;
  location: string;
  plugin: string | null;
  dir: string;
  file: string;
  digest: string;
  shadowed: boolean;
  disabled: boolean;
  disabledFor: string[];
  looksLike: string | null;
  repaired: boolean;
  frontmatter: Record<string, unknown>;
}

export interface ListedDiagnostic {
  code: string;
  severity: string;
  file: string;
  line: number | null;
  column: number | null;
  message: string;
  remedy: string;
}

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What was printed, read as JSON. */
  json<T>(): T;
}

export interface RunOptions {
  /** Below the world's folder; `project` if not said. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs as this user, for what root may do and others may not. */
  readonly uid?: number;
}

export interface SkillText {
  readonly name?: string;
  readonly description?: string;
  readonly body?: string;
  /** Further lines of front matter. */
  readonly extra?: string;
}

/** A machine of its own: a home, and a project that is a repository, in a folder that goes away with the test. */
export class World {
  readonly root: string;
  readonly home: string;
  readonly project: string;

  constructor(parent = tmpdir()) {
    this.root = realpathSync(mkdtempSync(join(parent, 'repertoire-test-')));
    this.home = this.folder('home');
    this.project = this.folder('project');
    this.folder('project/.git');
  }

  /** An absolute path below the world's folder. */
  path(relative: string): string {
    return join(this.root, relative);
  }

  folder(relative: string): string {
    mkdirSync(this.path(relative), { recursive: true });
    return this.path(relative);
  }

  write(relative: string, content: string | Uint8Array): string {
    const file = this.path(relative);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  writeJson(relative: string, value: unknown): string {
    return this.write(relative, JSON.stringify(value));
  }

  /** Writes a SKILL.md into a folder; its name is the folder's unless said otherwise. Returns the folder. */
  skill(folder: string, text: SkillText = {}): string {
    const name = text.name ?? folder.slice(folder.lastIndexOf('/') + 1);
    const description = text.description ?? `What ${name} does.`;
    const extra = text.extra === undefined ? '' : `${text.extra}\n`;
    this.write(
      `${folder}/SKILL.md`,
      `---\nname: ${name}\ndescription: ${description}\n${extra}---\n${text.body ?? '\n# Text\n'}`,
    );
    return this.path(folder);
  }

  /** Makes `link` point to `target`; both are below the world's folder unless the target is absolute. */
  link(target: string, link: string): void {
    mkdirSync(dirname(this.path(link)), { recursive: true });
    symlinkSync(target.startsWith('/') ? target : this.path(target), this.path(link));
  }

  mode(relative: string, mode: number): void {
    chmodSync(this.path(relative), mode);
  }

  /** The environment variables of a process that lives here. */
  environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    return { PATH: process.env['PATH'], HOME: this.home, XDG_CACHE_HOME: this.path('cache'), ...more };
  }

  /** Runs the program as a user would. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
    const env = this.environment(options.env);
    const user = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
    // What the tests have written belongs to whoever runs them.
    if (options.uid !== undefined) env['REPERTOIRE_TRUSTED_PROJECTS'] ??= this.root;
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [program, ...args],
        { cwd: this.path(options.cwd ?? 'project'), env, maxBuffer: 256 * 1024 * 1024, encoding: 'utf8', ...user },
        (_error, stdout, stderr) => {
          resolve({ code: child.exitCode ?? -1, stdout, stderr, json: <T>() => JSON.parse(stdout) as T });
        },
      );
    });
  }

  /** `list --json`, with whatever else is asked for. */
  async list(
    args: readonly string[] = [],
    options: RunOptions = {},
  ): Promise<{ skills: ListedSkill[]; diagnostics: ListedDiagnostic[] }> {
    const run = await this.run(['list', '--json', ...args], options);
    if (run.code !== 0) throw new Error(`list ended with ${run.code}: ${run.stderr}${run.stdout}`);
    return run.json();
  }
}

/** A fresh world for one test. Nothing below `/tmp` can be granted: a test that grants folders names another parent. */
export function createWorld(parent?: string): World {
  const world = new World(parent);
  onTestFinished(() => remove(world.root));
  return world;
}

/**
 * Removes a folder. A library that was closed may still be saving there what it has read, and gets the time to: Node's
 * own retries hold up the thread that saves, and look at the folder's content only once.
 */
async function remove(folder: string): Promise<void> {
  for (const end = Date.now() + timeoutMs; ; await sleep(20)) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || Date.now() > end) throw error;
    }
  }
}

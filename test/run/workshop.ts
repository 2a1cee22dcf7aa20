import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DryRun, ExecutionResult } from '../../src/engine/running/types.ts';
import type { AuditRecord } from '../../src/run/audit/types.ts';
import { temporaryPlace } from '../support/place.ts';
import { isRoot } from '../support/root.ts';
import { createWorld, program, type Run, type World } from '../support/world.ts';

/** Who runs the tools: whoever runs the tests, and a user without privileges where that is root. */
export const users = isRoot ? (['yourself', 'nobody'] as const) : (['yourself'] as const);
export type User = (typeof users)[number];

const nobody = 54_321;

type Env = Readonly<Record<string, string>>;

export interface StartOptions {
  readonly env?: Env;
  /** Nothing at all, where it is not said. */
  readonly stdin?: string;
  /** A program that starts ours, with its own arguments. */
  readonly through?: readonly string[];
}

/** A program under way. */
export interface Started {
  readonly child: ChildProcess;
  /** What it has written to standard output so far. */
  readonly said: string;
  /** Resolves when that holds a text. */
  until(text: string): Promise<void>;
  readonly ended: Promise<Run>;
}

/** A world in which somebody runs the tools of skills. */
export class Workshop {
  readonly world: World = createWorld();
  readonly #identity: { readonly uid?: number; readonly gid?: number };

  constructor(user: User = 'yourself') {
    this.#identity = user === 'nobody' ? { uid: nobody, gid: nobody } : {};
    this.world.mode('', 0o755);
    this.world.folder('cache');
    this.#own(this.world.home, this.world.path('cache'));
  }

  /** Who runs the tools, where that is not whoever runs the tests. */
  get uid(): { readonly uid?: number } {
    return this.#identity.uid === undefined ? {} : { uid: this.#identity.uid };
  }

  /** A skill `demo` with this manifest and these files. Returns its folder. */
  skill(manifest: string, files: Readonly<Record<string, string>> = {}, name = 'demo'): string {
    const folder = `project/skills/${name}`;
    this.world.skill(folder);
    if (manifest !== '') this.world.write(`${folder}/skill.toml`, manifest);
    for (const [path, text] of Object.entries(files)) this.world.write(`${folder}/${path}`, text);
    return this.world.path(folder);
  }

  /** The operator's policy. */
  policy(text: string): string {
    return this.config('policy.toml', text, 0o644);
  }

  config(name: string, text: string, mode: number): string {
    const file = this.world.write(`home/.config/repertoire/${name}`, text);
    chmodSync(file, mode);
    this.#own(this.world.home);
    return file;
  }

  /** A folder outside of the world that can be granted: whoever runs may do with it as granted. */
  place(...files: readonly string[]): string {
    const place = temporaryPlace();
    for (const file of files) {
      mkdirSync(join(place, file, '..'), { recursive: true });
      execFileSync('sh', ['-c', 'printf "text of %s\\n" "$(basename "$1")" > "$1"', 'sh', join(place, file)]);
    }
    this.#own(place);
    execFileSync('chmod', ['-R', 'a+rwX', place]);
    return place;
  }

  /** A folder below the world's that is the user's own. */
  ownFolder(relative: string): string {
    const folder = this.world.folder(relative);
    chmodSync(folder, 0o711);
    this.#own(folder);
    return folder;
  }

  run(args: readonly string[], env: Env = {}): Promise<Run> {
    return this.start(args, { env }).ended;
  }

  /** Runs a tool and reads what came of it. */
  async result(args: readonly string[], env: Env = {}): Promise<ExecutionResult> {
    return (await this.run(['run', '--json', ...args], env)).json();
  }

  async dryRun(args: readonly string[], env: Env = {}): Promise<DryRun> {
    const run = await this.run(['run', '--json', '--dry-run', ...args], env);
    if (run.code !== 0) throw new Error(run.stdout + run.stderr);
    return run.json();
  }

  async grant(name = 'demo', env: Env = {}): Promise<Run> {
    const run = await this.run(['grant', name, '--yes'], env);
    if (run.code !== 0) throw new Error(run.stderr + run.stdout);
    return run;
  }

  start(args: readonly string[], more: StartOptions = {}): Started {
    const [first = '', ...words] = [...(more.through ?? []), process.execPath, program, ...args];
    const child = spawn(first, words, {
      cwd: this.world.project,
      // What the tests have written belongs to whoever runs them.
      env: this.world.environment({ REPERTOIRE_TRUSTED_PROJECTS: this.world.root, ...more.env }),
      stdio: [more.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...this.#identity,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stdin?.end(more.stdin);
    const written = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        written[name] += text;
      });
    }
    const ended = new Promise<Run>((resolve, reject) => {
      child.on('error', reject).on('close', (code) => {
        resolve({ code: code ?? -1, ...written, json: <T>() => JSON.parse(written.stdout) as T });
      });
    });
    return {
      child,
      ended,
      get said() {
        return written.stdout;
      },
      until: (text) =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            if (written.stdout.includes(text)) resolve();
          };
          look();
          child.stdout?.on('data', look);
          child.once('close', () => reject(new Error(`ended before it said ${text}: ${written.stderr}`)));
        }),
    };
  }

  /** A path in what the program keeps. */
  state(path: string): string {
    return this.world.path(`home/.local/state/repertoire/${path}`);
  }

  /** All records of the audit log, as they are written. */
  records(): AuditRecord[] {
    const file = this.state('audit/audit.jsonl');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as AuditRecord);
  }

  /** Gives what was made for the user to them. */
  #own(...paths: readonly string[]): void {
    if (this.#identity.uid !== undefined) execFileSync('chown', ['-R', `${nobody}:${nobody}`, ...paths]);
  }
}

/** How many processes of the machine were started with this word among their arguments. */
export function processesWith(word: string): number {
  const isProcess = (name: string): boolean => /^\d+$/.test(name);
  return readdirSync('/proc').filter((name) => {
    try {
      return isProcess(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false; // it has ended
    }
  }).length;
}

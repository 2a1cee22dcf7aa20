import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { endGroup } from '../../src/core/process-group.ts';
import { createWorld, program, type World } from '../support/world.ts';

export interface Started {
  readonly child: ChildProcess;
  /** Both of its outputs so far, as a terminal would show them. */
  readonly text: () => string;
  /** Resolves to its exit code. */
  readonly ended: Promise<number | null>;
}

/** A machine on which the commands of one page are typed one after the other. */
export class Scene {
  readonly world: World = createWorld('/var/tmp');
  /** What stands for something else on the page: `ID`, a port, a home. */
  readonly words = new Map<string, string>();

  /** A free port, in place of the usual one that somebody else may be using. */
  readonly port: number;

  constructor(port: number) {
    this.port = port;
    this.words.set('3000', String(port));
    this.world.link(program, 'bin/repertoire');
    this.world.link(process.execPath, 'bin/node');
    for (const name of ['bash', 'cat', 'curl', 'script', 'tail']) this.world.link(`/usr/bin/${name}`, `bin/${name}`);
    this.words.set('/home/ann', this.world.home);
    this.words.set('/usr/local/bin/repertoire', this.world.path('bin/repertoire'));
    this.words.set('/usr/local/lib/node_modules/repertoire/dist/cli/bin.cjs', program);
    this.words.set('/usr/bin/node', this.world.path('bin/node'));
  }

  /** The skills that ship, as a project that has them in `skills/`. */
  shipped(): void {
    cpSync(fileURLToPath(new URL('../../skills', import.meta.url)), this.world.folder('project/skills'), {
      recursive: true,
    });
  }

  /** A command line of the page with its words replaced. */
  typed(command: string): string {
    return [...this.words].reduce((text, [word, meaning]) => text.replaceAll(word, meaning), command);
  }

  /** Runs a command to its end. */
  async run(command: string): Promise<void> {
    const { ended, text } = this.start(command);
    const code = await ended;
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${text()}`);
  }

  /** Starts a command; what it asks on the terminal is answered with yes. */
  start(command: string): Started {
    const asks = command.startsWith('repertoire grant ');
    const [name, ...args] = asks ? ['script', '-qec', command, '/dev/null'] : ['bash', '-c', command];
    const child = spawn(name ?? '', args, {
      cwd: this.world.project,
      env: {
        ...this.world.environment(),
        // Nothing else of this machine, where more agents may be installed than a page tells of.
        PATH: this.world.path('bin'),
        REPERTOIRE_PORT: String(this.port),
        SHELL: '/bin/bash',
      },
      stdio: [asks ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      const isAsked = asks && !text.includes('[y/N]') && (text + piece).includes('[y/N]');
      text += piece;
      if (isAsked) child.stdin?.write('y\n');
    });
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    onTestFinished(() => endGroup(child));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { child, ended, text: () => stripVTControlCharacters(text).replaceAll('\r\n', '\n') };
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

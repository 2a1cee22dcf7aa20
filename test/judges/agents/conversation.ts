import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { timeoutMs } from '../../support/timeout.ts';
import type { World } from '../../support/world.ts';
import { type Agent, programOf } from './agents.ts';
import { type OfferedTool, textsIn } from './apis.ts';
import { type Model, type ModelRequest, startModel } from './model.ts';

export interface StartOptions {
  readonly prompt?: string;
  /** Further arguments, such as those that make it wait for our server. */
  readonly args?: readonly string[] | undefined;
}

/** A conversation of a real agent with a model that the test plays. */
export class Conversation {
  readonly #requests: ModelRequest[] = [];
  readonly #world: World;
  readonly #model: Model;
  readonly #child: ChildProcess;
  /** Processes that ran in the world before, such as a server over HTTP. */
  readonly #earlier: readonly number[];
  #output = '';
  #calls = 0;
  #wake = (): void => {};

  private constructor(world: World, model: Model, command: readonly string[], env: NodeJS.ProcessEnv) {
    this.#world = world;
    this.#model = model;
    this.#earlier = processesOf(world);
    const [program = '', ...args] = command;
    this.#child = spawn(program, args, { cwd: world.project, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
    }
    this.#child.once('close', () => this.#wake());
  }

  /** Starts an agent as its user would, and waits until it sends its first request to the model. */
  static async start(
    world: World,
    agent: Agent,
    { prompt = 'Begin.', args = [] }: StartOptions,
  ): Promise<Conversation> {
    let receive = (_request: ModelRequest): void => {};
    const model = await startModel((request) => receive(request));
    const env = world.environment({ ...agent.env(model.url), NO_COLOR: '1', TERM: 'dumb' });
    const interpreter = agent.isScript ? [process.execPath] : [];
    const command = [...interpreter, programOf(agent), ...agent.args(prompt, model.url, args)];
    const conversation = new Conversation(world, model, command, env);
    receive = (request) => {
      conversation.#requests.push(request);
      conversation.#wake();
    };
    await conversation.#nextRequest().catch((error: unknown) => {
      conversation.close();
      throw error;
    });
    return conversation;
  }

  get #current(): ModelRequest {
    return this.#requests.at(-1) as ModelRequest;
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #until(isDone: () => boolean, failure: string): Promise<void> {
    const end = Date.now() + timeoutMs;
    while (!isDone()) {
      const left = end - Date.now();
      if (left <= 0) throw new Error(`${failure} within ${timeoutMs / 1000} s; it printed: ${this.#output}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async #nextRequest(): Promise<void> {
    const before = this.#requests.length;
    await this.#until(() => this.#requests.length > before || this.#hasEnded, 'the agent sent no request to the model');
    if (this.#requests.length === before)
      throw new Error(`the agent ended with exit code ${this.#child.exitCode}; it printed: ${this.#output}`);
  }

  /** Every text in the latest request. */
  get texts(): readonly string[] {
    return textsIn(this.#current.body);
  }

  /** All that the model is shown. */
  get shown(): string {
    return this.texts.join('\n');
  }

  /** The tool of ours that the model is offered, under whatever name the agent gives it. */
  offered(tool: string): OfferedTool | undefined {
    return this.#current.tools.find(({ namespace = '', name }) => isOurs(`${namespace}_${name}`, tool));
  }

  /** The model calls a tool of ours; resolves with the text that it gets back. */
  async call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    if (this.offered(tool) === undefined) await this.#lookUp(tool);
    const offered = this.offered(tool);
    if (offered === undefined) throw new Error(`the model is not offered ${tool}; the agent printed: ${this.#output}`);
    return this.#call(offered, args);
  }

  /** Claude Code shows only the names of tools, and describes those that the model looks up. */
  async #lookUp(tool: string): Promise<void> {
    const search = this.#current.tools.find(({ name }) => name === 'ToolSearch');
    const name = this.shown.match(/[\w./-]+/g)?.find((word) => isOurs(word, tool));
    if (search !== undefined && name !== undefined) await this.#call(search, { query: `select:${name}` });
  }

  async #call(tool: OfferedTool, args: Readonly<Record<string, unknown>>): Promise<string> {
    const id = `call_${++this.#calls}`;
    this.#current.reply({ id, tool, args });
    await this.#nextRequest();
    const { api, body } = this.#current;
    return textsIn(api.resultOf(body, id)).join('\n');
  }

  /** The model calls nothing more; resolves with the exit code of the agent. */
  async end(): Promise<number | null> {
    this.#current.reply({ text: 'Done.' });
    await this.#until(() => this.#hasEnded, 'the agent did not exit');
    return this.#child.exitCode;
  }

  /** The processes that the agent has started and that still run. */
  leftovers(): readonly number[] {
    return processesOf(this.#world).filter((pid) => !this.#earlier.includes(pid));
  }

  /** Ends whatever still runs. */
  close(): void {
    this.#model.close();
    for (const pid of this.leftovers()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // it has just ended
      }
    }
  }
}

/** Agents put the name of the server in front, and replace characters that they do not allow. */
function isOurs(name: string, tool: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z]+/g, '_');
  return plain(name).endsWith(plain(`repertoire_${tool}`));
}

/** The processes of a world, found by their HOME. */
function processesOf({ home }: World): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => environmentOf(pid).includes(`HOME=${home}`)).map(Number);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return []; // it has ended, or is another user's
  }
}

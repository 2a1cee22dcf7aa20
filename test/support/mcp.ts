import { type ChildProcess, spawn } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import { timeoutMs } from './timeout.ts';
import { program, type RunOptions, type World } from './world.ts';

/** A message as it came over the wire. */
export interface Message {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

export interface ToolResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface ListedTool {
  name: string;
  title?: string;
  description: string;
  inputSchema: { properties: Record<string, Record<string, unknown>>; required?: string[]; [key: string]: unknown };
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

/** The tools that `serve` lists. */
export const toolNames = [
  'skill',
  'skills.list',
  'skills.search',
  'skill-engine/list_skills',
  'skill-engine/search_skills',
  'skill-engine/execute',
];

/** A server started as a client would, spoken to line by line, with every byte it writes kept. */
export class StdioServer {
  readonly child: ChildProcess;
  readonly messages: Message[] = [];
  stdout = '';
  stderr = '';
  #nextId = 10_001; // apart from ids that tests choose themselves
  #rest = '';
  readonly #waiting: {
    readonly matches: (message: Message) => boolean;
    readonly resolve: (message: Message) => void;
    readonly silence: NodeJS.Timeout;
  }[] = [];
  readonly exited: Promise<number | null>;

  constructor(child: ChildProcess) {
    this.child = child;
    this.exited = new Promise((resolve) => child.once('close', (code) => resolve(code)));
    // A character may arrive in two chunks; as streams of text they keep it whole.
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      this.stderr += chunk;
    });
    child.stdin?.on('error', () => {}); // a server that has ended reads no more
  }

  #take(text: string): void {
    this.stdout += text;
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const value = JSON.parse(line) as Message | Message[];
      for (const message of Array.isArray(value) ? value : [value]) this.#arrived(message);
    }
  }

  #arrived(message: Message): void {
    this.messages.push(message);
    const at = this.#waiting.findIndex(({ matches }) => matches(message));
    if (at !== -1) this.#waiting.splice(at, 1)[0]?.resolve(message);
    for (const { silence } of this.#waiting) silence.refresh();
  }

  /** Writes text as it is, valid or not. */
  write(text: string | Uint8Array): void {
    this.child.stdin?.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  notify(method: string, params?: object): void {
    this.send({ method, ...(params && { params }) });
  }

  /** Sends a request and waits for its answer, whatever it is. */
  ask(method: string, params?: object): Promise<Message> {
    const id = this.#nextId++;
    const answer = this.next((message) => message.id === id && message.method === undefined);
    this.send({ id, method, ...(params && { params }) });
    return answer;
  }

  /** The result of a request; fails when it is an error. */
  async request<T = Record<string, unknown>>(method: string, params?: object): Promise<T> {
    const { result, error } = await this.ask(method, params);
    if (error !== undefined) throw new Error(`${method}: ${error.code} ${error.message}`);
    return result as T;
  }

  /** The next message to come that matches; it fails after a silence, since the last of a thousand answers may take long. */
  next(matches: (message: Message) => boolean, silenceMs = timeoutMs): Promise<Message> {
    return new Promise((resolve, reject) => {
      const silence = setTimeout(
        () => reject(new Error(`no such message came\nstdout: ${this.stdout.slice(-2000)}\nstderr: ${this.stderr}`)),
        silenceMs,
      );
      this.#waiting.push({
        matches,
        silence,
        resolve: (message) => {
          clearTimeout(silence);
          resolve(message);
        },
      });
    });
  }

  /** The handshake. */
  async initialize(protocolVersion = '2025-11-25'): Promise<Record<string, unknown>> {
    const result = await this.request('initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'test', version: '1.0.0' },
    });
    this.notify('notifications/initialized');
    return result;
  }

  async tools(): Promise<ListedTool[]> {
    return (await this.request<{ tools: ListedTool[] }>('tools/list')).tools;
  }

  /** Calls a tool for its result. */
  call(name: string, args: object = {}): Promise<ToolResult> {
    return this.request<ToolResult>('tools/call', { name, arguments: args });
  }

  /** Loads a skill by the tool, for the text. */
  async load(name: string): Promise<string> {
    return (await this.call('skill', { name })).content[0]?.text ?? '';
  }

  /** Waits until stderr holds the text. */
  async logged(pattern: RegExp): Promise<string> {
    await expect.poll(() => this.stderr).toMatch(pattern);
    return pattern.exec(this.stderr)?.[0] ?? '';
  }

  /** Closes stdin and waits for the end. */
  async end(): Promise<number | null> {
    this.child.stdin?.end();
    return this.exited;
  }
}

/** Starts a server over stdio; it goes away with the test. */
export function startStdio(world: World, args: readonly string[], options: RunOptions = {}): StdioServer {
  const server = new StdioServer(startProgram(world, args, options));
  onTestFinished(() => {
    // Whatever a test is about: nothing but JSON-RPC may have gone to stdout.
    const lines = server.stdout.split('\n');
    // The last one is cut off where a server was ended while nobody read what it wrote.
    const unfinished = lines.pop() ?? '';
    expect(unfinished === '' || unfinished.startsWith('{"jsonrpc":"2.0"'), unfinished).toBe(true);
    for (const line of lines.filter((one) => one !== '')) expect(isJsonRpc(line), line).toBe(true);
  });
  return server;
}

/** Starts a server and shakes hands. */
export async function connectStdio(
  world: World,
  args: readonly string[] = ['mcp'],
  options: RunOptions = {},
): Promise<StdioServer> {
  const server = startStdio(world, args, options);
  await server.initialize();
  return server;
}

/** A server that a client would start by this command. */
export async function connectCommand(world: World, command: string, args: readonly string[]): Promise<StdioServer> {
  const server = new StdioServer(start(world, [command, ...args], {}));
  await server.initialize();
  return server;
}

export interface HttpServer {
  readonly url: string;
  readonly process: StdioServer;
}

/** Starts a server over HTTP on a free port. */
export async function startHttp(
  world: World,
  args: readonly string[] = ['serve', '--transport', 'http'],
  options: RunOptions = {},
): Promise<HttpServer> {
  const server = new StdioServer(startProgram(world, [...args, '--port', '0'], options));
  const line = await server.logged(/listening on (\S+)/);
  return { url: line.replace('listening on ', ''), process: server };
}

function startProgram(world: World, args: readonly string[], options: RunOptions): ChildProcess {
  return start(world, [process.execPath, program, ...args], options);
}

function start(world: World, [command = '', ...args]: readonly string[], options: RunOptions): ChildProcess {
  const env = world.environment(options.env);
  const user = options.uid === undefined ? {} : { uid: options.uid, gid: options.uid };
  // What the tests have written belongs to whoever runs them.
  if (options.uid !== undefined) env['REPERTOIRE_TRUSTED_PROJECTS'] ??= world.root;
  const child = spawn(command, args, {
    cwd: world.path(options.cwd ?? 'project'),
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...user,
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

function isJsonRpc(line: string): boolean {
  try {
    const value = JSON.parse(line) as Message | Message[];
    return (Array.isArray(value) ? value : [value]).every(({ jsonrpc }) => jsonrpc === '2.0');
  } catch {
    return false;
  }
}

/** What a request of the newer era carries. */
export const modernMeta = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  },
} as const;

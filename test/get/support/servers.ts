import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { listenOn } from '../../support/listen.ts';

/** A server on this machine, for as long as the test runs. */
export async function listen(handle: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listenOn(createServer(handle))}`;
}

/** A repository to fetch from. */
export class Repository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    this.git('init', '-q', '-b', 'main');
    this.git('config', 'uploadpack.allowFilter', 'true');
    this.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  }

  git(...args: readonly string[]): string {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'protocol.file.allow=always'];
    return execFileSync('git', ['-C', this.folder, ...identity, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim();
  }

  put(files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true });
      writeFileSync(join(this.folder, path), content);
    }
  }

  /** Commits all there is, with these files, and returns the commit. */
  commit(files: Readonly<Record<string, string>> = {}): string {
    this.put(files);
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', 'Change');
    return this.git('rev-parse', 'HEAD');
  }

  /** Commits a tree whose entries `git add` would refuse: each a mode, a path of one part and a content. */
  commitTree(entries: readonly (readonly [string, string, string])[], parent = 'main'): string {
    const lines = entries.map(([mode, name, content]) => {
      const id = execFileSync('git', ['-C', this.folder, 'hash-object', '-w', '--stdin'], {
        input: content,
        encoding: 'utf8',
      }).trim();
      return Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
    });
    const input = Buffer.concat(lines);
    const tree = execFileSync('git', ['-C', this.folder, 'hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], {
      input,
      encoding: 'utf8',
    });
    const commit = this.git('commit-tree', tree.trim(), '-m', 'Hostile');
    this.git('update-ref', `refs/heads/${parent}`, commit);
    return commit;
  }
}

export interface GitRequest {
  readonly path: string;
  readonly authorization: string | undefined;
}

/** A Git server over HTTP: Git's own, behind as much of a web server as it needs. */
export async function gitOverHttp(
  root: string,
  { password, requests = [] }: { readonly password?: string; readonly requests?: GitRequest[] } = {},
): Promise<string> {
  const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend');
  return await listen((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    const { authorization } = request.headers;
    requests.push({ path: pathname, authorization });
    if (password !== undefined && authorization !== `Basic ${Buffer.from(password).toString('base64')}`) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="Git"' }).end();
      return;
    }
    const child = spawn(backend, {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REQUEST_METHOD: request.method,
        PATH_INFO: pathname,
        QUERY_STRING: searchParams.toString(),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        ...(request.headers['content-encoding'] !== undefined && {
          HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        }),
        // The files belong to whoever runs the tests.
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
      },
    });
    request.pipe(child.stdin);
    child.stdin.on('error', () => undefined);
    const parts: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => parts.push(chunk));
    child.on('close', () => {
      const whole = Buffer.concat(parts);
      const end = whole.indexOf('\r\n\r\n');
      const headers = whole
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => line.split(/: (.*)/s));
      const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
      for (const [name = '', value = ''] of headers)
        if (name !== 'Status' && name !== '') response.setHeader(name, value);
      response.writeHead(Number.parseInt(status, 10)).end(whole.subarray(end + 4));
    });
  });
}

/** An SSH server, and the command with which a client gets in. */
export async function sshServer(folder: string): Promise<{ readonly address: string; readonly command: string }> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
  }
  writeFileSync(join(folder, 'authorized'), readFileSync(join(folder, 'user.pub')), { mode: 0o600 });
  const port = await freePort();
  const settings = {
    Port: port,
    ListenAddress: '127.0.0.1',
    HostKey: join(folder, 'host'),
    AuthorizedKeysFile: join(folder, 'authorized'),
    PidFile: join(folder, 'pid'),
    StrictModes: 'no',
    UsePAM: 'no',
    PasswordAuthentication: 'no',
    KbdInteractiveAuthentication: 'no',
    PermitRootLogin: 'yes',
  };
  const config = Object.entries(settings)
    .map(([key, value]) => `${key} ${value}\n`)
    .join('');
  writeFileSync(join(folder, 'config'), config);
  // The server of root changes into this folder; that of anybody else does not, and could not create it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', join(folder, 'config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes('Server listening')) resolve();
    });
    child.on('close', () => reject(new Error(`sshd: ${said}`)));
  });
  const known = join(folder, 'known');
  writeFileSync(known, `[127.0.0.1]:${port} ${readFileSync(join(folder, 'host.pub'), 'utf8')}`);
  return {
    address: `${userInfo().username}@127.0.0.1:${port}`,
    command: `ssh -F /dev/null -i ${join(folder, 'user')} -o IdentitiesOnly=yes -o UserKnownHostsFile=${known} -o StrictHostKeyChecking=yes`,
  };
}

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

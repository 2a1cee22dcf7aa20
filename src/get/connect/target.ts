import type { Environment } from '../../core/environment.ts';
import { SkillError } from '../../core/errors.ts';

/** The way to connect to a server: a command to start, or an address. */
export type Target =
  | {
      readonly kind: 'process';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | null;
    }
  | { readonly kind: 'address'; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/**
 * Variables that nearly every agent passes on to the servers it starts. A setting made only in a shell is not among
 * them.
 */
export const basicVariables = [
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'],
  ...['APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'SystemRoot', 'SystemDrive'],
  ...['PATHEXT', 'TEMP', 'TMP', 'ComSpec', 'ProgramFiles'],
];

/** The way to a server that a person writes: an address, or a command with its arguments. */
export function targetFor(server: string | readonly string[], environment: Environment): Target {
  if (typeof server === 'string') return { kind: 'address', url: server, headers: {} };
  const [command = '', ...args] = server;
  const known = basicVariables.flatMap((name) => {
    const value = environment.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { kind: 'process', command, args, env: Object.fromEntries(known), cwd: environment.cwd };
}

const loopback: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Whether an address means this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return loopback.includes(hostname);
}

/** Throws where an address leads to another machine, and the network is not to be used. */
export function refuseOffline(address: string, offline: boolean): void {
  if (!offline || !URL.canParse(address)) return;
  const url = new URL(address);
  if (isLoopback(url)) return;
  throw new SkillError('unavailable', `${url.host} is another machine, and the network is not to be used`, {
    hint: 'Leave out --offline, and unset REPERTOIRE_OFFLINE and offline in your settings.',
  });
}

import type { Environment } from '../../kernel/environment.ts';
import type { SetupAgent } from '../agents/types.ts';

/** What nearly every agent hands on to the servers it starts. A setting that stands in a shell alone is not among it. */
const basics = [
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR'],
  ...['APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH', 'SystemRoot', 'SystemDrive'],
  ...['PATHEXT', 'TEMP', 'TMP', 'ComSpec', 'ProgramFiles'],
];

/** Agents that hand on everything. */
const generous: readonly string[] = ['claude-code'];

export function inherited({ id }: SetupAgent, { env }: Environment): Record<string, string> {
  const names = generous.includes(id) ? Object.keys(env) : basics;
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

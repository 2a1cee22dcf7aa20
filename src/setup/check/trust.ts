import type { Program } from '../plan/launch.ts';
import type { Target } from './types.ts';

const loopback: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Options that only choose what is shown. Others open the machine, or send what is on it elsewhere. */
const harmless: ReadonlySet<string> = new Set([
  ...['--tool-names', '--tools', '--include', '--exclude', '--skill-dir', '--root', '--on-duplicate'],
  ...['--no-plugins', '--no-scan-default-dirs', '--no-activity'],
]);

/**
 * Whether an entry has this very program serve with nothing else around it, or goes to a server on this machine. A
 * project's file comes with whatever was checked out: what else it names is not run, and is sent nothing, just because
 * somebody looks.
 */
export function isOurs(target: Target, { file, node, onPath }: Program): boolean {
  if (target.kind === 'address') return URL.canParse(target.url) && loopback.includes(new URL(target.url).hostname);
  const { command, args, env, cwd } = target;
  const isPlain = Object.keys(env).length === 0 && cwd === null;
  if (command === onPath) return isPlain && onlyServes(args);
  return isPlain && [node, process.execPath].includes(command) && args[0] === file && onlyServes(args.slice(1));
}

/** The same program could be told to grant or run something, and would do it. */
function onlyServes([verb, ...options]: readonly string[]): boolean {
  const names = options.filter((word) => word.startsWith('-')).map((word) => word.split('=')[0] ?? word);
  return verb === 'serve' && names.every((name) => harmless.has(name));
}

import { realPathOrSelf } from '../../kernel/files.ts';

const has = (flag: string): boolean => process.allowedNodeEnvironmentFlags.has(flag);

/** The switch of Node's permission model, which had another name before Node 22.13 and 23.5; null where there is none. */
const flag = ['--permission', '--experimental-permission'].find(has) ?? null;

/**
 * How Node is told to keep a process of ours from files, other processes, threads, native code, its inspector and, from Node 25 on, the
 * network. The one file that it reads is the program itself.
 */
export function permissionFlags(program: string): readonly string[] {
  return flag === null ? [] : [flag, `--allow-fs-read=${realPathOrSelf(program)}`];
}

/** Added to what holds a guest where the permission model is behind it. */
export function permissionWords(what: 'files' | 'processes' | 'network'): string {
  const isHeld = flag !== null && (what !== 'network' || has('--allow-net'));
  return isHeld ? '; Node permission model' : '';
}

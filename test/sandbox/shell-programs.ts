import type { Task } from '../../src/run/sandbox/types.ts';
import type { Behaviour } from './contract.ts';

/** The programs of the contract, written for a shell. Nothing of a text is ever part of a script. */
const scripts: Readonly<Record<Behaviour['does'], string>> = {
  print: 'if [ "$1" = stderr ]; then printf %s "$2" >&2; else printf %s "$2"; fi; exit "$3"',
  copy: 'exec cat',
  arguments: 'for a in "$@"; do printf "[%s]\\n" "$a"; done',
  environment: 'exec env',
  read: 'exec cat -- "$1"',
  write: 'printf %s "$2" > "$1"',
  fill: 'exec head -c "$2" /dev/zero > "$1"',
  loop: 'trap "" TERM INT HUP; while :; do :; done',
  flood: 'if [ "$1" = stderr ]; then exec >&2; fi; exec tr "\\0" x < /dev/zero',
  take: '[ "$(head -c "$1" /dev/zero | tail -c "$1" | wc -c)" -eq "$1" ] && echo took it all',
  // What comes last is kept until the end of the input, which does not come.
  hold: 'printf held; { head -c "$1" /dev/zero; sleep 1000; } | tail -c "$1"',
};

function wordsOf(behaviour: Behaviour): readonly string[] {
  switch (behaviour.does) {
    case 'print':
      return [behaviour.stream, behaviour.text, String(behaviour.code)];
    case 'arguments':
      return behaviour.args;
    case 'read':
      return [behaviour.path];
    case 'write':
      return [behaviour.path, behaviour.text];
    case 'fill':
      return [behaviour.path, String(behaviour.bytes)];
    case 'flood':
      return [behaviour.stream];
    case 'take':
    case 'hold':
      return [String(behaviour.bytes)];
    case 'copy':
    case 'environment':
    case 'loop':
      return [];
  }
}

export function shellWords(behaviour: Behaviour): readonly string[] {
  return ['/bin/sh', '-c', scripts[behaviour.does], 'sh', ...wordsOf(behaviour)];
}

export function shellJob(behaviour: Behaviour): Task {
  const [program = '', ...args] = shellWords(behaviour);
  return { kind: 'command', program, args };
}

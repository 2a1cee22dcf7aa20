import { assemble } from './assemble.ts';

const header = `
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_get" (func $args_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ_sizes_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "environ_get" (func $environ_get (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 8)
  (func $write (param $to i32) (param $at i32) (param $length i32)
    (i32.store (i32.const 16) (local.get $at))
    (i32.store (i32.const 20) (local.get $length))
    (drop (call $fd_write (local.get $to) (i32.const 16) (i32.const 1) (i32.const 24))))`;

const texts: Readonly<Record<string, string>> = {
  nothing: '(module (memory (export "memory") 1) (func (export "_start")))',

  /** Says its arguments, its environment and its input, each as they lie in memory, and ends with code 7. */
  echo: `(module ${header}
    (func (export "_start")
      (local $got i32)
      (drop (call $args_sizes_get (i32.const 32) (i32.const 36)))
      (drop (call $args_get (i32.const 1024) (i32.const 4096)))
      (call $write (i32.const 1) (i32.const 4096) (i32.load (i32.const 36)))
      (i32.store8 (i32.const 64) (i32.const 124))
      (call $write (i32.const 1) (i32.const 64) (i32.const 1))
      (drop (call $environ_sizes_get (i32.const 32) (i32.const 36)))
      (drop (call $environ_get (i32.const 1024) (i32.const 65536)))
      (call $write (i32.const 1) (i32.const 65536) (i32.load (i32.const 36)))
      (call $write (i32.const 1) (i32.const 64) (i32.const 1))
      (loop $more
        (i32.store (i32.const 16) (i32.const 131072))
        (i32.store (i32.const 20) (i32.const 65536))
        (drop (call $fd_read (i32.const 0) (i32.const 16) (i32.const 1) (i32.const 28)))
        (local.set $got (i32.load (i32.const 28)))
        (call $write (i32.const 1) (i32.const 131072) (local.get $got))
        (br_if $more (local.get $got)))
      (call $write (i32.const 2) (i32.const 64) (i32.const 1))
      (call $proc_exit (i32.const 7))))`,

  /** Says 64 random bytes, as many letters from a to p. */
  dice: `(module (import "wasi_snapshot_preview1" "random_get" (func $random_get (param i32 i32) (result i32))) ${header}
    (func (export "_start")
      (local $at i32)
      (if (call $random_get (i32.const 1024) (i32.const 64)) (then unreachable))
      (loop $more
        (i32.store8 offset=1024 (local.get $at)
          (i32.add (i32.const 97) (i32.and (i32.const 15) (i32.load8_u offset=1024 (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br_if $more (i32.lt_u (local.get $at) (i32.const 64))))
      (call $write (i32.const 1) (i32.const 1024) (i32.const 64))))`,

  endless: '(module (memory (export "memory") 1) (func (export "_start") (loop $again (br $again))))',

  /** Waits an hour in a call of the host. */
  sleeper: `(module ${header}
    (func (export "_start")
      (i32.store (i32.const 528) (i32.const 1))
      (i64.store (i32.const 536) (i64.const 3600000000000))
      (drop (call $poll_oneoff (i32.const 512) (i32.const 1024) (i32.const 1) (i32.const 2048)))))`,

  trap: '(module (memory (export "memory") 1) (func (export "_start") unreachable))',
  deep: '(module (memory (export "memory") 1) (func $down (param i64) (result i64) (i64.add (i64.const 1) (call $down (local.get 0)))) (func (export "_start") (drop (call $down (i64.const 1)))))',

  /** Takes more and more memory and writes to each page of it, until there is none; says how much there was. */
  bomb: `(module (memory (export "memory") 1)
    (func (export "_start")
      (local $page i32)
      (loop $more
        (local.set $page (memory.grow (i32.const 1)))
        (if (i32.eq (local.get $page) (i32.const -1)) (then unreachable))
        (i64.store (i32.mul (local.get $page) (i32.const 65536)) (i64.const -1))
        (i64.store (i32.add (i32.mul (local.get $page) (i32.const 65536)) (i32.const 32768)) (i64.const -1))
        (br $more))))`,
  greedy: '(module (memory (export "memory") 65536) (func (export "_start")))',

  /** Tables instead of memory: as many as it takes. */
  tables: `(module (memory (export "memory") 1)
    ${Array.from({ length: 64 }, (_, index) => `(table $t${index} 1 externref)`).join(' ')}
    (func (export "_start")
      ${Array.from({ length: 64 }, (_, index) => `(drop (table.grow $t${index} (ref.null extern) (i32.const 9000000)))`).join('\n')}))`,

  library:
    '(module (memory (export "memory") 1) (func (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1))))',
  foreign:
    '(module (import "env" "system" (func $system (param i32) (result i32))) (memory (export "memory") 1) (func (export "_start") (drop (call $system (i32.const 0)))))',
};

/** Writes without end to one of the streams, in one line. */
const flood = (stream: number) => `(module ${header}
  (func (export "_start")
    (memory.fill (i32.const 65536) (i32.const 120) (i32.const 65536))
    (loop $again (call $write (i32.const ${stream}) (i32.const 65536) (i32.const 65536)) (br $again))))`;

const exits = (code: number) => `(module ${header} (func (export "_start") (call $proc_exit (i32.const ${code}))))`;

export type ProgramName =
  | 'nothing'
  | 'echo'
  | 'dice'
  | 'endless'
  | 'sleeper'
  | 'trap'
  | 'deep'
  | 'bomb'
  | 'greedy'
  | 'tables'
  | 'library'
  | 'foreign';

export function program(name: ProgramName): Promise<Uint8Array> {
  return assemble(texts[name] ?? '');
}

export function flooding(stream: 'stdout' | 'stderr'): Promise<Uint8Array> {
  return assemble(flood(stream === 'stdout' ? 1 : 2));
}

export function exiting(code: number): Promise<Uint8Array> {
  return assemble(exits(code));
}

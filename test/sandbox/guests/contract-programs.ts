import { createHash } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import wabt from 'wabt';
import type { Task } from '../../../src/run/sandbox/types.ts';
import type { Behaviour } from '../contract.ts';

/** The programs of the contract, written for WebAssembly. Texts go in as data; a failure is exit code 1. */
export async function contractPrograms(): Promise<(behaviour: Behaviour, skillFolder: string) => Task> {
  const tools = await wabt();
  return (behaviour, skillFolder) => {
    const parsed = tools.parseWat('contract.wat', textOf(behaviour), { bulk_memory: true });
    const bytes = parsed.toBinary({}).buffer;
    parsed.destroy();
    const digest = createHash('sha256').update(bytes).digest('hex');
    const file = join(skillFolder, `${behaviour.does}-${digest.slice(0, 8)}.wasm`);
    writeFileSync(file, bytes);
    chmodSync(file, 0o644);
    return { kind: 'module', file, digest, args: behaviour.does === 'arguments' ? behaviour.args : [] };
  };
}

const dataAt = 1_048_576;
const pathAt = 2_097_152;

function textOf(behaviour: Behaviour): string {
  const { text = '', path = '', body } = partsOf(behaviour);
  return `(module
    (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
    (import "wasi_snapshot_preview1" "path_open"
      (func $path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "args_sizes_get" (func $args_sizes_get (param i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "args_get" (func $args_get (param i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "environ_sizes_get" (func $environ_sizes_get (param i32 i32) (result i32)))
    (import "wasi_snapshot_preview1" "environ_get" (func $environ_get (param i32 i32) (result i32)))
    (memory (export "memory") 64)
    (data (i32.const ${dataAt}) "${escaped(text)}")
    (data (i32.const ${pathAt}) "${escaped(path)}")
    (data (i32.const 100) "[]\\0a")
    (func $check (param i32) (if (local.get 0) (then (call $proc_exit (i32.const 1)))))
    (func $write (param $to i32) (param $at i32) (param $length i32)
      (loop $more
        (i32.store (i32.const 16) (local.get $at))
        (i32.store (i32.const 20) (local.get $length))
        (call $check (call $fd_write (local.get $to) (i32.const 16) (i32.const 1) (i32.const 24)))
        (local.set $at (i32.add (local.get $at) (i32.load (i32.const 24))))
        (local.set $length (i32.sub (local.get $length) (i32.load (i32.const 24))))
        (br_if $more (local.get $length))))
    (func $copy (param $from i32)
      (loop $more
        (i32.store (i32.const 16) (i32.const 65536))
        (i32.store (i32.const 20) (i32.const 65536))
        (call $check (call $fd_read (local.get $from) (i32.const 16) (i32.const 1) (i32.const 28)))
        (if (i32.load (i32.const 28)) (then
          (call $write (i32.const 1) (i32.const 65536) (i32.load (i32.const 28)))
          (br $more)))))
    (func $open (param $from i32) (param $flags i32) (param $rights i64)
      (call $check (call $path_open (local.get $from) (i32.const 1) (i32.const ${pathAt}) (i32.const ${Buffer.byteLength(path)})
        (local.get $flags) (local.get $rights) (i64.const 0) (i32.const 0) (i32.const 0))))
    (func $length (param $at i32) (result i32)
      (local $end i32)
      (local.set $end (local.get $at))
      (block $done (loop $more
        (br_if $done (i32.eqz (i32.load8_u (local.get $end))))
        (local.set $end (i32.add (local.get $end) (i32.const 1)))
        (br $more)))
      (i32.sub (local.get $end) (local.get $at)))
    (func (export "_start") (local $at i32) (local $end i32) ${body}))`;
}

interface Parts {
  readonly text?: string;
  readonly path?: string;
  readonly body: string;
}

function partsOf(behaviour: Behaviour): Parts {
  switch (behaviour.does) {
    case 'print': {
      const { text, stream, code } = behaviour;
      const body = `${writing(stream, text)} (call $proc_exit (i32.const ${code}))`;
      return { text, body };
    }
    case 'copy':
      return { body: '(call $copy (i32.const 0))' };
    case 'arguments':
      return { body: argumentsBody };
    case 'environment':
      return { body: environmentBody };
    case 'read':
      return {
        ...pathFor(behaviour.path),
        body: `${opening(behaviour.path, 0, 2)} (call $copy (i32.load (i32.const 0)))`,
      };
    case 'write': {
      const { path, text } = behaviour;
      const put = `(call $write (i32.load (i32.const 0)) (i32.const ${dataAt}) (i32.const ${Buffer.byteLength(text)}))`;
      return { ...pathFor(path), text, body: `${opening(path, 9, 64)} ${put}` };
    }
    case 'fill':
      return { ...pathFor(behaviour.path), body: `${opening(behaviour.path, 9, 64)} ${filling(behaviour.bytes)}` };
    case 'loop':
      return { body: '(loop $again (br $again))' };
    case 'flood':
      return {
        text: 'x'.repeat(4096),
        body: `(loop $again ${writing(behaviour.stream, 'x'.repeat(4096))} (br $again))`,
      };
    case 'hold':
      return {
        text: 'held',
        body: `${writing('stdout', 'held')} ${taking(behaviour.bytes)} (loop $again (br $again))`,
      };
    case 'take':
      return { text: 'took it all', body: `${taking(behaviour.bytes)} ${writing('stdout', 'took it all')}` };
  }
}

/** The folder a path is looked up from, and the rest of it. What lies in none is tried from the skill all the same. */
function pathFor(path: string): { readonly from: number; readonly path: string } {
  if (path.startsWith('/skill/')) return { from: 3, path: path.slice('/skill/'.length) };
  if (path.startsWith('/tmp/')) return { from: 4, path: path.slice('/tmp/'.length) };
  return { from: 3, path: `../../../../..${path}` };
}

function opening(path: string, flags: number, rights: number): string {
  return `(call $open (i32.const ${pathFor(path).from}) (i32.const ${flags}) (i64.const ${rights}))`;
}

function writing(stream: 'stdout' | 'stderr', text: string): string {
  return `(call $write (i32.const ${stream === 'stdout' ? 1 : 2}) (i32.const ${dataAt}) (i32.const ${Buffer.byteLength(text)}))`;
}

const filling = (bytes: number) => `
  (block $done (loop $more
    (br_if $done (i32.ge_u (local.get $at) (i32.const ${bytes})))
    (call $write (i32.load (i32.const 0)) (i32.const 65536) (i32.const 65536))
    (local.set $at (i32.add (local.get $at) (i32.const 65536)))
    (br $more)))`;

const taking = (bytes: number) => `
  (block $done (loop $more
    (br_if $done (i32.ge_u (i32.mul (memory.size) (i32.const 65536)) (i32.const ${bytes})))
    (local.set $at (memory.grow (i32.const 1)))
    (if (i32.eq (local.get $at) (i32.const -1)) (then unreachable))
    (memory.fill (i32.mul (local.get $at) (i32.const 65536)) (i32.const 1) (i32.const 65536))
    (br $more)))`;

const argumentsBody = `
  (drop (call $args_sizes_get (i32.const 32) (i32.const 36)))
  (drop (call $args_get (i32.const 1024) (i32.const 65536)))
  (local.set $end (i32.add (i32.const 1024) (i32.mul (i32.load (i32.const 32)) (i32.const 4))))
  (local.set $at (i32.const 1028))
  (block $done (loop $more
    (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
    (call $write (i32.const 1) (i32.const 100) (i32.const 1))
    (call $write (i32.const 1) (i32.load (local.get $at)) (call $length (i32.load (local.get $at))))
    (call $write (i32.const 1) (i32.const 101) (i32.const 2))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (br $more)))`;

const environmentBody = `
  (drop (call $environ_sizes_get (i32.const 32) (i32.const 36)))
  (drop (call $environ_get (i32.const 1024) (i32.const 65536)))
  (local.set $at (i32.const 65536))
  (local.set $end (i32.add (i32.const 65536) (i32.load (i32.const 36))))
  (block $done (loop $more
    (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
    (if (i32.eqz (i32.load8_u (local.get $at))) (then (i32.store8 (local.get $at) (i32.const 10))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br $more)))
  (call $write (i32.const 1) (i32.const 65536) (i32.load (i32.const 36)))`;

function escaped(text: string): string {
  return [...Buffer.from(text, 'utf8')].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
}

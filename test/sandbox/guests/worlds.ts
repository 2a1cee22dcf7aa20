import { componentEmbed, componentNew } from '@bytecodealliance/jco-transpile/wasm-tools';
import { assemble } from './assemble.ts';

const memory = `(memory (export "memory") 1)
  (global $next (mut i32) (i32.const 8192))
  (func $realloc (export "cabi_realloc") (param i32 i32 i32) (param $size i32) (result i32)
    (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
    (global.set $next (i32.add (local.get $at) (local.get $size)))
    (if (i32.gt_u (global.get $next) (i32.mul (memory.size) (i32.const 65536)))
      (then (if (i32.eq (memory.grow (i32.add (i32.const 1) (i32.div_u (local.get $size) (i32.const 65536)))) (i32.const -1))
        (then unreachable))))
    (local.get $at))`;

/** A component of a world, made of the text of the core module that has its functions. */
export async function componentOfWorld(wit: string, functions: string): Promise<Uint8Array> {
  const binary = await assemble(
    `(module ${imported(functions)} ${memory} ${functions.replace(/^\s*\(import.*$/gm, '')})`,
  );
  return componentNew(await componentEmbed({ binary, witSource: wit }));
}

/** Imports come before everything else in a module. */
function imported(functions: string): string {
  return (functions.match(/^\s*\(import.*$/gm) ?? []).join('\n');
}

/** A function that gives back the list it gets: the bytes stay where they are, whatever the list is of. */
export const echo = (name: string) => `(func (export "${name}") (param i32 i32) (result i32)
  (i32.store (i32.const 16) (local.get 0)) (i32.store (i32.const 20) (local.get 1)) (i32.const 16))`;

/** A function without parameters that gives a text. */
export const say = (name: string, text: string, at = 1024) => `(data (i32.const ${at}) "${escaped(text)}")
  (func (export "${name}") (result i32)
    (i32.store (i32.const 16) (i32.const ${at})) (i32.store (i32.const 20) (i32.const ${Buffer.byteLength(text)})) (i32.const 16))`;

/** The same, as one of the two cases of a result. */
export const sayResult = (
  name: string,
  tag: 'ok' | 'err',
  text: string,
  parameters = '',
) => `(data (i32.const 4096) "${escaped(text)}")
  (func (export "${name}") ${parameters} (result i32)
    (i32.store8 (i32.const 16) (i32.const ${tag === 'ok' ? 0 : 1}))
    (i32.store (i32.const 20) (i32.const 4096)) (i32.store (i32.const 24) (i32.const ${Buffer.byteLength(text)})) (i32.const 16))`;

function escaped(text: string): string {
  return [...Buffer.from(text, 'utf8')].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
}

/** As much of WASI 0.2 as a small program needs. */
export const wasi = `
package wasi:io@0.2.3 {
  interface error { resource error; }
  interface streams {
    use error.{error};
    variant stream-error { last-operation-failed(error), closed }
    resource output-stream { blocking-write-and-flush: func(contents: list<u8>) -> result<_, stream-error>; }
    resource input-stream { blocking-read: func(len: u64) -> result<list<u8>, stream-error>; }
  }
}
package wasi:cli@0.2.3 {
  interface environment { get-arguments: func() -> list<string>; }
  interface exit { exit: func(status: result); }
  interface stdin { use wasi:io/streams@0.2.3.{input-stream}; get-stdin: func() -> input-stream; }
  interface stdout { use wasi:io/streams@0.2.3.{output-stream}; get-stdout: func() -> output-stream; }
  interface run { run: func() -> result; }
}
package wasi:filesystem@0.2.3 {
  interface types {
    enum error-code { access, invalid, no-entry, not-permitted }
    flags path-flags { symlink-follow }
    flags open-flags { create, directory, exclusive, truncate }
    flags descriptor-flags { read, write }
    resource descriptor {
      advise: func(offset: u64, length: u64, advice: advice) -> result<_, error-code>;
      open-at: func(path-flags: path-flags, path: string, open-flags: open-flags, %flags: descriptor-flags) -> result<descriptor, error-code>;
      read: func(length: u64, offset: u64) -> result<tuple<list<u8>, bool>, error-code>;
    }
    enum advice { normal, sequential }
  }
  interface preopens { use types.{descriptor}; get-directories: func() -> list<tuple<descriptor, string>>; }
}`;

/** Prints its first argument and what it reads, a thousand times; ends with a failure where the argument has four bytes. */
export const program = {
  imports: `
    import wasi:cli/environment@0.2.3;
    import wasi:cli/exit@0.2.3;
    import wasi:cli/stdin@0.2.3;
    import wasi:cli/stdout@0.2.3;
    import wasi:io/streams@0.2.3;
    export wasi:cli/run@0.2.3;`,
  text: `
    (import "wasi:cli/environment@0.2.3" "get-arguments" (func $args (param i32)))
    (import "wasi:cli/exit@0.2.3" "exit" (func $exit (param i32)))
    (import "wasi:cli/stdin@0.2.3" "get-stdin" (func $stdin (result i32)))
    (import "wasi:cli/stdout@0.2.3" "get-stdout" (func $stdout (result i32)))
    (import "wasi:io/streams@0.2.3" "[method]output-stream.blocking-write-and-flush" (func $write (param i32 i32 i32 i32)))
    (import "wasi:io/streams@0.2.3" "[method]input-stream.blocking-read" (func $read (param i32 i64 i32)))
    (func (export "wasi:cli/run@0.2.3#run") (result i32)
      (local $out i32) (local $list i32) (local $left i32)
      (local.set $out (call $stdout))
      (call $args (i32.const 32))
      (local.set $list (i32.load (i32.const 32)))
      (call $read (call $stdin) (i64.const 4096) (i32.const 80))
      (local.set $left (i32.const 1000))
      (loop $again
        (call $write (local.get $out) (i32.load offset=8 (local.get $list)) (i32.load offset=12 (local.get $list)) (i32.const 64))
        (call $write (local.get $out) (i32.load (i32.const 84)) (i32.load (i32.const 88)) (i32.const 64))
        (br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (if (i32.eq (i32.load offset=12 (local.get $list)) (i32.const 4)) (then (call $exit (i32.const 1))))
      (i32.const 0))`,
};

/** Gives what stands in a file of one of its folders, or an error. */
export const reader = {
  imports: 'import wasi:filesystem/preopens@0.2.3; import wasi:filesystem/types@0.2.3;',
  text: `
    (import "wasi:filesystem/preopens@0.2.3" "get-directories" (func $folders (param i32)))
    (import "wasi:filesystem/types@0.2.3" "[method]descriptor.advise" (func $advise (param i32 i64 i64 i32 i32)))
    (import "wasi:filesystem/types@0.2.3" "[method]descriptor.open-at" (func $open (param i32 i32 i32 i32 i32 i32 i32)))
    (import "wasi:filesystem/types@0.2.3" "[method]descriptor.read" (func $read (param i32 i64 i64 i32)))
    (func (export "read") (param $folder i32) (param $path i32) (param $length i32) (result i32)
      (local $file i32)
      (i32.store8 (i32.const 16) (i32.const 1))
      (call $folders (i32.const 32))
      (call $open (i32.load (i32.add (i32.load (i32.const 32)) (i32.mul (local.get $folder) (i32.const 12))))
        (i32.const 1) (local.get $path) (local.get $length) (i32.const 0) (i32.const 1) (i32.const 48))
      (if (i32.load8_u (i32.const 48)) (then (return (i32.const 16))))
      (local.set $file (i32.load (i32.const 52)))
      (call $advise (local.get $file) (i64.const 0) (i64.const 0) (i32.const 1) (i32.const 64))
      (call $read (local.get $file) (i64.const 1000) (i64.const 0) (i32.const 80))
      (if (i32.load8_u (i32.const 80)) (then (return (i32.const 16))))
      (i32.store8 (i32.const 16) (i32.const 0))
      (i32.store (i32.const 20) (i32.load (i32.const 84))) (i32.store (i32.const 24) (i32.load (i32.const 88)))
      (i32.const 16))`,
};

import { assemble } from './assemble.ts';

/** The descriptors that a guest begins with, in the order in which they are handed out. */
export const descriptors = { skill: 3, scratch: 4, firstMount: 5 } as const;

/** Puts a text into the memory of the guest, and says where it is. */
export type Place = (text: string) => { readonly at: number; readonly length: number };

/** A step of a guest, as the text of its instructions. Each says what came of it: a line `label=errno`. */
export type Step = (place: Place) => string;

const openFlags = { create: 1, truncate: 8 } as const;
const rights = { read: 0x2, write: 0x40 } as const;

/** Opens a file and says what is in it, in a line `label:text`. */
export function read(label: string, from: number, path: string, follow: 'follow' | 'stop' = 'follow'): Step {
  return opening(label, from, path, { flags: 0, rights: rights.read, follow }, '(call $tell (i32.const 0))');
}

/** Opens or makes a file and writes a text to it; the line `label:written` says that this went well. */
export function write(label: string, from: number, path: string, text: string): Step {
  return (place) => {
    const { at, length } = place(text);
    const then = `(call $put (i32.const ${at}) (i32.const ${length}))`;
    const how = { flags: openFlags.create | openFlags.truncate, rights: rights.write, follow: 'follow' } as const;
    return opening(label, from, path, how, then)(place);
  };
}

interface Opening {
  readonly flags: number;
  readonly rights: number;
  readonly follow: 'follow' | 'stop';
}

function opening(label: string, from: number, path: string, how: Opening, then: string): Step {
  return (place) => {
    const name = place(path);
    const call = `(call $path_open (i32.const ${from}) (i32.const ${how.follow === 'follow' ? 1 : 0})
      (i32.const ${name.at}) (i32.const ${name.length}) (i32.const ${how.flags}) (i64.const ${how.rights})
      (i64.const 0) (i32.const 0) (i32.const 0))`;
    const told = place(`${label}:`);
    return `${noted(place, label, call)}
      (if (i32.eqz (global.get $errno)) (then
        (call $say (i32.const ${told.at}) (i32.const ${told.length})) ${then}
        (drop (call $fd_close (i32.load (i32.const 0))))))`;
  };
}

/** Makes a link; what it points at comes first. */
export function symlink(label: string, target: string, from: number, path: string): Step {
  return (place) =>
    noted(place, label, `(call $path_symlink ${text(place, target)} (i32.const ${from}) ${text(place, path)})`);
}

export function hardLink(label: string, from: number, path: string, to: number, name: string): Step {
  return (place) =>
    noted(
      place,
      label,
      `(call $path_link (i32.const ${from}) (i32.const 0) ${text(place, path)} (i32.const ${to}) ${text(place, name)})`,
    );
}

export function rename(label: string, from: number, path: string, to: number, name: string): Step {
  return (place) =>
    noted(
      place,
      label,
      `(call $path_rename (i32.const ${from}) ${text(place, path)} (i32.const ${to}) ${text(place, name)})`,
    );
}

export function makeFolder(label: string, from: number, path: string): Step {
  return (place) => noted(place, label, `(call $path_create_directory (i32.const ${from}) ${text(place, path)})`);
}

export function remove(label: string, from: number, path: string): Step {
  return (place) => noted(place, label, `(call $path_unlink_file (i32.const ${from}) ${text(place, path)})`);
}

function text(place: Place, value: string): string {
  const { at, length } = place(value);
  return `(i32.const ${at}) (i32.const ${length})`;
}

function noted(place: Place, label: string, call: string): string {
  return `(global.set $errno ${call}) (call $note ${text(place, `${label}=`)})`;
}

const wasi = (name: string, parameters: string) =>
  `(import "wasi_snapshot_preview1" "${name}" (func $${name} (param ${parameters}) (result i32)))`;

/** A guest that takes steps, one after the other, as often as it is told. */
export function guestOf(steps: readonly Step[], rounds = 1): Promise<Uint8Array> {
  return assemble(guestText(steps, rounds));
}

const firstText = 16_384;

export function guestText(steps: readonly Step[], rounds = 1): string {
  const data: string[] = [];
  let next = firstText;
  const known = new Map<string, ReturnType<Place>>();
  const place: Place = (value) => {
    const there = known.get(value);
    if (there !== undefined) return there;
    const bytes = Buffer.from(value, 'utf8');
    const at = next;
    const escaped = [...bytes].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
    data.push(`(data (i32.const ${at}) "${escaped}")`);
    next += bytes.length;
    const placed = { at, length: bytes.length };
    known.set(value, placed);
    return placed;
  };
  const body = steps.map((step) => step(place)).join('\n');
  return `(module
    ${wasi('fd_write', 'i32 i32 i32 i32')}
    ${wasi('fd_read', 'i32 i32 i32 i32')}
    ${wasi('fd_close', 'i32')}
    ${wasi('path_open', 'i32 i32 i32 i32 i32 i64 i64 i32 i32')}
    ${wasi('path_symlink', 'i32 i32 i32 i32 i32')}
    ${wasi('path_link', 'i32 i32 i32 i32 i32 i32 i32')}
    ${wasi('path_rename', 'i32 i32 i32 i32 i32 i32')}
    ${wasi('path_create_directory', 'i32 i32 i32')}
    ${wasi('path_unlink_file', 'i32 i32 i32')}
    (memory (export "memory") ${Math.ceil(next / 65_536)})
    (global $errno (mut i32) (i32.const 0))
    (global $round (mut i32) (i32.const 0))
    ${data.join('\n')}
    (data (i32.const 200) "written\\0a")
    (func $say (param $at i32) (param $length i32)
      (i32.store (i32.const 16) (local.get $at))
      (i32.store (i32.const 20) (local.get $length))
      (drop (call $fd_write (i32.const 1) (i32.const 16) (i32.const 1) (i32.const 24))))
    (func $note (param $at i32) (param $length i32)
      (call $say (local.get $at) (local.get $length))
      (i32.store8 (i32.const 100) (i32.add (i32.const 48) (i32.div_u (global.get $errno) (i32.const 10))))
      (i32.store8 (i32.const 101) (i32.add (i32.const 48) (i32.rem_u (global.get $errno) (i32.const 10))))
      (i32.store8 (i32.const 102) (i32.const 10))
      (call $say (i32.const 100) (i32.const 3)))
    (func $tell (param $unused i32)
      (i32.store (i32.const 16) (i32.const 1024))
      (i32.store (i32.const 20) (i32.const 8192))
      (i32.store (i32.const 28) (i32.const 0))
      (drop (call $fd_read (i32.load (i32.const 0)) (i32.const 16) (i32.const 1) (i32.const 28)))
      (call $say (i32.const 1024) (i32.load (i32.const 28)))
      (call $say (i32.const 102) (i32.const 1)))
    (func $put (param $at i32) (param $length i32)
      (i32.store (i32.const 16) (local.get $at))
      (i32.store (i32.const 20) (local.get $length))
      (if (i32.eqz (call $fd_write (i32.load (i32.const 0)) (i32.const 16) (i32.const 1) (i32.const 24)))
        (then (call $say (i32.const 200) (i32.const 8)))))
    (func (export "_start")
      (loop $again
        ${body}
        (global.set $round (i32.add (global.get $round) (i32.const 1)))
        (br_if $again (i32.lt_u (global.get $round) (i32.const ${rounds}))))))`;
}

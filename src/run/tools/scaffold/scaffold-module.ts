/** The source of the module that a new skill starts with. */
export const moduleSource = `;; Counts the lines, words and bytes that it reads from standard input, and writes them as JSON.
;; Build it again after a change: wat2wasm src/count.wat -o count.wasm
(module
  (import "wasi_snapshot_preview1" "fd_read" (func $fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 2)
  ;; 0: a vector for reading and writing, 8: how many bytes it was, 16: texts, 64: digits, 1024: what is read
  (data (i32.const 16) "{\\22lines\\22:")
  (data (i32.const 28) ",\\22words\\22:")
  (data (i32.const 40) ",\\22bytes\\22:")
  (data (i32.const 52) "}\\0a")

  (func $write (param $at i32) (param $length i32)
    (i32.store (i32.const 0) (local.get $at))
    (i32.store (i32.const 4) (local.get $length))
    (if (call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8))
      (then (call $proc_exit (i32.const 1)))))

  (func $write_number (param $number i32) (local $at i32)
    (local.set $at (i32.const 96))
    (loop $digit
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))
      (local.set $number (i32.div_u (local.get $number) (i32.const 10)))
      (br_if $digit (local.get $number)))
    (call $write (local.get $at) (i32.sub (i32.const 96) (local.get $at))))

  (func (export "_start")
    (local $lines i32) (local $words i32) (local $bytes i32)
    (local $inside i32) (local $at i32) (local $end i32) (local $byte i32)
    (block $done
      (loop $more
        (i32.store (i32.const 0) (i32.const 1024))
        (i32.store (i32.const 4) (i32.const 65536))
        (if (call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8))
          (then (call $proc_exit (i32.const 1))))
        (br_if $done (i32.eqz (i32.load (i32.const 8))))
        (local.set $bytes (i32.add (local.get $bytes) (i32.load (i32.const 8))))
        (local.set $at (i32.const 1024))
        (local.set $end (i32.add (i32.const 1024) (i32.load (i32.const 8))))
        (loop $each
          (local.set $byte (i32.load8_u (local.get $at)))
          (local.set $lines (i32.add (local.get $lines) (i32.eq (local.get $byte) (i32.const 10))))
          ;; a word begins where a blank ends
          (if (i32.le_u (local.get $byte) (i32.const 32))
            (then (local.set $inside (i32.const 0)))
            (else
              (local.set $words (i32.add (local.get $words) (i32.eqz (local.get $inside))))
              (local.set $inside (i32.const 1))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $each (i32.lt_u (local.get $at) (local.get $end))))
        (br $more)))
    (call $write (i32.const 16) (i32.const 9))
    (call $write_number (local.get $lines))
    (call $write (i32.const 28) (i32.const 9))
    (call $write_number (local.get $words))
    (call $write (i32.const 40) (i32.const 9))
    (call $write_number (local.get $bytes))
    (call $write (i32.const 52) (i32.const 2))))
`;

/** The compiled module, so that trying the skill needs no compiler. */
export const moduleBytes: Uint8Array = Buffer.from(
  [
    'AGFzbQEAAAABFQRgBH9/f38Bf2ABfwBgAn9/AGAAAAJnAxZ3YXNpX3NuYXBzaG90X3ByZXZpZXcxB2ZkX3JlYWQAABZ3YXNpX3Nu',
    'YXBzaG90X3ByZXZpZXcxCGZkX3dyaXRlAAAWd2FzaV9zbmFwc2hvdF9wcmV2aWV3MQlwcm9jX2V4aXQAAQMEAwIBAwUDAQACBxMC',
    'Bm1lbW9yeQIABl9zdGFydAAFCooCAyEAQQAgADYCAEEEIAE2AgBBAUEAQQFBCBABBEBBARACCws1AQF/QeAAIQEDQCABQQFrIQEg',
    'AUEwIABBCnBqOgAAIABBCm4hACAADQALIAFB4AAgAWsQAwuvAQEHfwJAA0BBAEGACDYCAEEEQYCABDYCAEEAQQBBAUEIEAAEQEEB',
    'EAILQQgoAgBFDQEgAkEIKAIAaiECQYAIIQRBgAhBCCgCAGohBQNAIAQtAAAhBiAAIAZBCkZqIQAgBkEgTQRAQQAhAwUgASADRWoh',
    'AUEBIQMLIARBAWohBCAEIAVJDQALDAALC0EQQQkQAyAAEARBHEEJEAMgARAEQShBCRADIAIQBEE0QQIQAwsLMgQAQRALCXsibGlu',
    'ZXMiOgBBHAsJLCJ3b3JkcyI6AEEoCwksImJ5dGVzIjoAQTQLAn0K',
  ].join(''),
  'base64',
);

/** The text of a component that gives back what it gets. */
const metadata = JSON.stringify({ name: 'mirror', version: '1.0.0', description: 'Gives back what it gets' });

const mirrorTools = JSON.stringify([
  {
    name: 'mirror',
    description: 'Gives back its arguments',
    parameters: [
      { name: 'ok', paramType: 'json', description: 'A result', required: true },
      { name: 'count', paramType: 'number', description: 'How often', required: false, defaultValue: '3' },
    ],
  },
]);

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const memory = `(memory (export "memory") 1)
    (global $next (mut i32) (i32.const 8192))
    (func (export "realloc") (param i32 i32 i32) (param $size i32) (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
      (global.set $next (i32.add (local.get $at) (local.get $size)))
      (if (i32.gt_u (global.get $next) (i32.mul (memory.size) (i32.const 65536)))
        (then (if (i32.eq (memory.grow (i32.add (i32.const 1) (i32.div_u (local.get $size) (i32.const 65536)))) (i32.const -1))
          (then unreachable))))
      (local.get $at))`;

const answer = `(func $answer (param i32 i32) (result i32)
      (i32.store (i32.const 16) (local.get 0))
      (i32.store (i32.const 20) (local.get 1))
      (i32.const 16))`;

const lifted = (name: string, core: string, parameters: string, from: string) => `
  (func (export "${name}") ${parameters} (result string)
    (canon lift (core func $i "${core}") (memory (core memory ${from} "memory")) (realloc (core func ${from} "realloc"))))`;

/** The name of the function inside can be anything: it ends up in generated code. */
export function mirrorText(core = 'execute'): string {
  return `(component
  (core module $m ${memory} ${answer}
    (data (i32.const 1024) "${escaped(metadata)}")
    (data (i32.const 2048) "${escaped(mirrorTools)}")
    (func (export "metadata") (result i32) (call $answer (i32.const 1024) (i32.const ${metadata.length})))
    (func (export "tools") (result i32) (call $answer (i32.const 2048) (i32.const ${mirrorTools.length})))
    (func (export "${escaped(core)}") (param i32 i32 i32 i32) (result i32) (call $answer (local.get 2) (local.get 3)))
    (func (export "validate") (param i32 i32) (result i32) (call $answer (local.get 0) (local.get 1))))
  (core instance $i (instantiate $m))
  ${lifted('get-metadata', 'metadata', '', '$i')}
  ${lifted('get-tools', 'tools', '', '$i')}
  ${lifted('execute-tool', escaped(core), '(param "tool" string) (param "args-json" string)', '$i')}
  ${lifted('validate-config', 'validate', '(param "config-json" string)', '$i')})`;
}

/** A component that answers with the name of the first variable of its environment, which it asks the system for. */
export const environmentText = `(component
  (import "wasi:cli/environment@0.2.0" (instance $env
    (export "get-environment" (func (result (list (tuple string string)))))))
  (core module $libc ${memory})
  (core instance $l (instantiate $libc))
  (core func $get (canon lower (func $env "get-environment")
    (memory (core memory $l "memory")) (realloc (core func $l "realloc"))))
  (core module $m
    (import "libc" "memory" (memory 1))
    (import "env" "get" (func $get (param i32)))
    (func (export "tools") (result i32) (i32.const 8192))
    (func (export "execute") (param i32 i32 i32 i32) (result i32)
      (call $get (i32.const 32))
      (i32.store (i32.const 16) (i32.load (i32.load (i32.const 32))))
      (i32.store (i32.const 20) (i32.load offset=4 (i32.load (i32.const 32))))
      (i32.const 16)))
  (core instance $i (instantiate $m
    (with "libc" (instance $l))
    (with "env" (instance (export "get" (func $get))))))
  ${lifted('get-tools', 'tools', '', '$l')}
  ${lifted('execute-tool', 'execute', '(param "tool" string) (param "args-json" string)', '$l')})`;

export const endlessText = `(component
  (core module $m ${memory}
    (func (export "tools") (result i32) (i32.const 8192))
    (func (export "execute") (param i32 i32 i32 i32) (result i32) (loop $again (br $again)) (unreachable)))
  (core instance $i (instantiate $m))
  ${lifted('get-tools', 'tools', '', '$i')}
  ${lifted('execute-tool', 'execute', '(param "tool" string) (param "args-json" string)', '$i')})`;

import { expect, it } from 'vitest';
import { wasmtimeArgs } from './sandboxed.ts';

const spec = {
  mounts: [{ source: '/srv/data', target: '/data', access: 'read' }],
  folder: 'skill',
  env: { TOKEN: 'hidden', LANG: 'C' },
  limits: { memoryBytes: 67_108_864 },
} as const;

it('the command of a WebAssembly sandbox has each folder, the memory, the names of variables, and the arguments after the module', () => {
  expect(wasmtimeArgs('/engine/module.wasm', spec, ['tool.wasm', '--env', 'x', ''])).toEqual([
    'run',
    ...['-W', 'max-memory-size=67108864'],
    ...['--dir', '/skill::/skill', '--dir', '/tmp::/tmp', '--dir', '/data::/data', '--dir', '/skill::.'],
    ...['--env', 'TOKEN', '--env', 'LANG'],
    ...['--argv0', 'tool.wasm'],
    '/engine/module.wasm',
    ...['--env', 'x', ''],
  ]);
});

it('a WebAssembly sandbox shows no value of the environment in the list of processes', () => {
  expect(wasmtimeArgs('/m', spec, []).join(' ')).not.toContain('hidden');
});

it('a WebAssembly sandbox starts in the scratch folder where the plan says so', () => {
  expect(wasmtimeArgs('/m', { ...spec, folder: 'scratch' }, [])).toContain('/tmp::.');
});

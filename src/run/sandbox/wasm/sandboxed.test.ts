import { expect, it } from 'vitest';
import { wasmtimeArgs } from './sandboxed.ts';

const spec = {
  mounts: [{ source: '/srv/data', target: '/data', access: 'read' }],
  folder: 'skill',
  env: { TOKEN: 'hidden', LANG: 'C' },
  limits: { memoryBytes: 67_108_864 },
} as const;

it('hands out each folder, the memory and the names of variables, and the arguments after the module', () => {
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

it('shows no value of the environment to whoever lists processes', () => {
  expect(wasmtimeArgs('/m', spec, []).join(' ')).not.toContain('hidden');
});

it('begins in the scratch folder where it is told to', () => {
  expect(wasmtimeArgs('/m', { ...spec, folder: 'scratch' }, [])).toContain('/tmp::.');
});

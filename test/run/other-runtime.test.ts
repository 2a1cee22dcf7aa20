import { expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { Workshop } from './workshop.ts';

const disguises = {
  'Bun 1.4.4': 'Object.defineProperty(process,"versions",{value:{...process.versions,bun:"1.4.4"}})',
  'Deno 2.9.6': 'globalThis.Deno={version:{deno:"2.9.6"}}',
} as const;

it.each(Object.entries(disguises))(
  'on %s skills are listed and served, and tools are refused',
  async (name, script) => {
    const shop = new Workshop();
    shop.skill('[tools.say]\ncommand = ["echo", "hello"]\n');
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
    expect((await shop.run(['list'], env)).stdout).toContain('demo');
    const run = await shop.run(['run', 'demo:say'], env);
    expect([run.code, run.stdout, run.stderr]).toEqual([
      1,
      '',
      expect.stringContaining(`tools run only on Node, and this is ${name}`),
    ]);
    const server = await connectStdio(shop.world, ['serve'], { env });
    const call = { skill_name: 'demo', tool_name: 'say', parameters: {} };
    const { content, isError } = await server.call('skill-engine/execute', call);
    expect([isError, content[0]?.text]).toEqual([true, expect.stringContaining('tools run only on Node')]);
  },
);

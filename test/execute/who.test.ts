import { describe, expect, it } from 'vitest';
import { clientOverHttp, clientOverStdio, eras } from '../extension/clients.ts';
import { startStdio } from '../support/mcp.ts';
import { auditOf, callOf, lab, run } from './library.ts';

const ways = eras.flatMap((era) => [
  { era, over: 'stdio', connect: clientOverStdio },
  { era, over: 'HTTP', connect: clientOverHttp },
]);

describe('who called', () => {
  it.each(ways)('is in the record, by the name the client gave itself, $era over $over', async ({ era, connect }) => {
    const world = lab({ say: 'echo hi' });
    const client = await connect(world, era);
    await client.callTool(callOf('say') as never);
    expect(await auditOf(world)).toMatchObject([{ by: 'mcp', client: 'test' }]);
    expect((await world.run(['audit'])).stdout).toMatch(/ lab:say mcp \(test\)$/m);
    expect((await world.run(['audit', 'verify'])).code).toBe(0);
  });

  it('is told on one line and no more than is good to read, whatever a client calls itself', async () => {
    const world = lab({ say: 'echo hi' });
    const server = startStdio(world, ['serve']);
    await server.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: `\u001b[31mred\n\n${'x'.repeat(100_000)}`, version: '1' },
    });
    server.notify('notifications/initialized');
    await run(server, 'say');
    const [row] = await auditOf(world);
    expect(row?.client).toMatch(/^\ufffd\[31mred x{70}…$/);
  });

  it('is the command line where nobody else called', async () => {
    const world = lab({ say: 'echo hi' });
    await world.run(['run', 'lab:say']);
    const [row] = await auditOf(world);
    expect(row).toMatchObject({ by: 'cli' });
    expect(row).not.toHaveProperty('client');
    expect((await world.run(['audit'])).stdout).toMatch(/ lab:say cli$/m);
  });
});

import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';

const away = 'is another machine, and the network is not to be used';
const elsewhere = 'lies on another machine, and the network is not to be used';

/** Every command that would ask another machine, and what it says. Nothing answers at these addresses. */
const asking: readonly (readonly [string, string])[] = [
  ['add owner/repo --yes', elsewhere],
  ['add npm:left-pad --yes', elsewhere],
  ['add https://skills.example.com --yes', elsewhere],
  ['add mcp+https://skills.example.com/mcp --yes', elsewhere],
  ['remote add team https://skills.example.com/mcp', `skills.example.com ${away}`],
  ['search pdf --embeddings-url https://models.example.com/v1 --embeddings-model m', `models.example.com ${away}`],
];

describe('without the network', () => {
  it.each(asking)('repertoire %s says so at once, by option, variable and setting', async (command, says) => {
    const world = createWorld();
    world.skill('project/skills/pdf');
    const argv = command.split(' ');
    const byOption = await world.run([...argv, '--offline']);
    expect([byOption.code, byOption.stderr]).toEqual([1, expect.stringContaining(says)]);
    const byVariable = await world.run(argv, { env: { REPERTOIRE_OFFLINE: '1' } });
    expect([byVariable.code, byVariable.stderr]).toEqual([1, expect.stringContaining(says)]);
    world.write('home/.config/repertoire/config.toml', 'offline = true\n');
    const bySetting = await world.run(argv);
    expect([bySetting.code, bySetting.stderr]).toEqual([1, expect.stringContaining(says)]);
  });

  it('what is on this machine can be had as ever', async () => {
    const world = createWorld();
    world.skill('source/pdf');
    expect((await world.run(['add', '../source', '--yes', '--offline'])).code).toBe(0);
    expect((await world.run(['outdated', '--offline'])).stdout).toBe('Everything is current.\n');
    expect((await world.run(['search', 'pdf', '--offline'])).code).toBe(0);
  });
});

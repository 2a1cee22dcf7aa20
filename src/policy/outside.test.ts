import { expect, it } from 'vitest';
import { createWorld } from '../../test/support/world.ts';
import { digestFiles } from './digest.ts';
import { outsideIn, withOutside } from './outside.ts';

it('a file outside of a skill counts like one of its own', async () => {
  const world = createWorld();
  const skill = world.skill('project/skills/demo');
  const manifest = world.write('project/.skill-engine.toml', 'version = "1"\n');
  const alone = await digestFiles(skill);
  expect(withOutside(alone, [])).toBe(alone);
  const before = withOutside(alone, [manifest]);
  expect(outsideIn(before.files)).toEqual([manifest]);
  expect(withOutside(alone, [manifest])).toEqual(before);
  world.write('project/.skill-engine.toml', 'version = "2"\n');
  const after = withOutside(alone, [manifest]);
  expect(new Set([alone.digest, before.digest, after.digest]).size).toBe(3);
  expect(withOutside(alone, [world.path('none.toml')]).digest).not.toBe(alone.digest);
});

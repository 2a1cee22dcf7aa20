import { expect, it } from 'vitest';
import { createWorld } from '../../test/support/world.ts';
import { digestFiles } from './digest.ts';
import { outsideNow, withOutside } from './outside.ts';

it('a file outside of a skill counts like one of its own', async () => {
  const world = createWorld();
  const skill = world.skill('project/skills/demo');
  const manifest = world.write('project/.skill-engine.toml', 'version = "1"\n');
  const alone = await digestFiles(skill);
  expect(withOutside(alone, {})).toBe(alone);
  const before = withOutside(alone, outsideNow({ [manifest]: '' }));
  expect(Object.keys(outsideNow(before.files))).toEqual([manifest]);
  expect(withOutside(alone, outsideNow(before.files))).toEqual(before);
  world.write('project/.skill-engine.toml', 'version = "2"\n');
  const after = withOutside(alone, outsideNow(before.files));
  expect(new Set([alone.digest, before.digest, after.digest]).size).toBe(3);
  expect(withOutside(alone, outsideNow({ [world.path('none.toml')]: '' })).digest).not.toBe(alone.digest);
});

import { join } from 'node:path';
import { isThere, realPathOrSelf } from '../../core/disk/files.ts';
import { expandPath } from '../../core/disk/paths.ts';
import { SkillError } from '../../core/errors.ts';
import { oneLine } from '../../core/text/text.ts';
import type { Published } from '../../get/install/site.ts';
import { takeIn } from '../../get/install/store.ts';
import { scanFolder } from '../../get/scan/scan.ts';
import { requireSkill } from '../../registry/resolve.ts';
import { describedSkill } from '../../skill/parse.ts';
import type { Engine } from '../engine.ts';

/** Takes in a skill by its name or by the path of its folder. One that the scan blocks is shared with nobody. */
export async function ownSkill(engine: Engine, word: string): Promise<Published> {
  const path = expandPath(word, engine.environment);
  const isPath = /[\\/]|^\.+$/.test(word) && isThere(join(path, 'SKILL.md'));
  const folder = isPath ? realPathOrSelf(path) : requireSkill(await engine.registry.snapshot(), word).id;
  const kept = await takeIn(engine.environment, folder);
  const { verdict, findings } = await scanFolder(kept.folder);
  const { name, description } = describedSkill(kept.folder);
  if (verdict !== 'blocked') return { name, description, kept };
  const [first] = findings;
  const why = first === undefined ? '' : ` (${first.rule} in ${oneLine(first.file)})`;
  throw new SkillError('denied', `${oneLine(name)} is not shared: the scan blocks it${why}`);
}

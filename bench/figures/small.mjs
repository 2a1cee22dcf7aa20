import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const smallText =
  '---\nname: hello\ndescription: Says hello. Use it to greet somebody.\n---\n\nSay hello, and mean it.\n';

/** One skill, and nothing else to be found. @returns {import('../catalogue.mjs').Catalogue} */
export function writeSmall(base) {
  const [home, work] = [join(base, 'home'), join(base, 'work')];
  const root = join(work, 'skills');
  for (const folder of [home, join(root, 'hello')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(root, 'hello', 'SKILL.md'), smallText);
  return { base, home, work, roots: [root] };
}

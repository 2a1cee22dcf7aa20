import { createWorld, type World } from '../support/world.ts';

/** A picture of one pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const manifest = `
[tools.say]
description = "Says a word."
command = ["echo", "{word}"]
[tools.say.parameters.word]
type = "string"
required = true

[tools.wait]
description = "Takes its time."
command = ["sh", "scripts/wait.sh"]

[tools.count]
command = ["sh", "scripts/count.sh"]
output = "json"

[tools.fail]
command = ["sh", "scripts/fail.sh"]
`;

/** Asks for a host, a variable and a program that nobody has granted. */
const asking = `
[capabilities]
network = ["api.example.com"]
env = ["TIMEZONE"]

[tools.reach]
command = ["echo", "reached"]
`;

/** Skills of every sort: with tools, asking for much, hidden, ambiguous, repaired, broken; and files of every kind. */
export function everySort(): World {
  const world = createWorld();
  const demo = 'project/.claude/skills/demo';
  world.skill(demo, { description: 'Counts words and draws charts.', body: '\n# Demo\n\n![a](assets/a.png)\n' });
  world.write(`${demo}/skill.toml`, manifest);
  world.write(`${demo}/scripts/wait.sh`, 'echo waiting\nsleep 60\n');
  world.write(`${demo}/scripts/count.sh`, `echo '{"words":[1,2,3]}'\n`);
  world.write(`${demo}/scripts/fail.sh`, 'echo gone wrong >&2\nexit 3\n');
  world.write(`${demo}/assets/a.png`, pixel);
  world.write(`${demo}/assets/b.svg`, '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  world.write(`${demo}/assets/c.html`, '<script>alert(1)</script>');
  world.write(`${demo}/assets/fake.png`, '<script>alert(1)</script>');
  world.write('home/secret.png', pixel);
  world.link('home/secret.png', `${demo}/assets/out.png`);
  world.skill('project/.claude/skills/asking', { description: 'Asks for a lot.' });
  world.write('project/.claude/skills/asking/skill.toml', asking);
  world.skill('home/.claude/skills/twin');
  world.skill('home/.codex/skills/twin');
  world.skill('home/.claude/skills/demo');
  world.write('home/.codex/skills/mended/SKILL.md', '---\nname: mended\ndescription: Use when: asked\n---\n');
  world.write('home/.codex/skills/broken/SKILL.md', 'no front matter\n');
  world.skill('home/.claude/skills/crooked');
  world.write('home/.claude/skills/crooked/skill.toml', '[tools\n');
  return world;
}

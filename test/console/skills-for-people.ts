import { createWorld, type World } from '../support/world.ts';

export const claude = 'home/.claude/skills';
export const codex = 'home/.codex/skills';

/** Skills of several agents: plain, repaired, hidden and ambiguous ones, and a file that is none. */
export function library(world: World): void {
  world.skill(`${claude}/release-notes`, {
    description: 'Writes the notes of a release from its commits.',
    body: handbook,
  });
  world.write(`${claude}/release-notes/references/style guide.md`, styleGuide);
  world.write(`${claude}/release-notes/assets/dot.png`, Buffer.from(dot, 'base64'));
  world.write(`${claude}/release-notes/data.bin`, Buffer.from([0, 1, 2, 255]));
  world.skill(`${claude}/fill-forms`, { description: 'Fills in the fields of a PDF form.' });
  world.skill(`${codex}/tune-queries`, {
    description: 'Makes slow database queries fast.',
    body: '\n# Queries\n\nLook at the execution plan before an index is added.\n',
  });
  world.write(`${codex}/mended/SKILL.md`, '---\nname: mended\ndescription: Use when: asked\n---\n\n# Mended\n');
  world.write(`${codex}/broken/SKILL.md`, 'no front matter\n');
  world.skill(`${claude}/twin`);
  world.skill(`${codex}/twin`);
  world.skill(`${claude}/layout`);
  world.skill('home/.agents/skills/layout');
}

/** One red point. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4oaEBAALUARkFUI+kAAAAAElFTkSuQmCC';

const handbook = `
# Release notes

Read the [style guide](references/style%20guide.md#voice) first, then [the steps](#the-steps).

## The steps

1. Collect the commits.
2. Group them.
   - [x] features
   - [ ] fixes

| kind | heading |
| ---- | ------- |
| feat | Added   |
| fix  | Fixed   |

\`\`\`sh
git log --oneline
\`\`\`

![A dot](assets/dot.png) and [what others do](https://keepachangelog.com/).
`;

const styleGuide = `# Style guide

## Voice

Short and plain. Back to [the skill](../SKILL.md).
`;

/** How long the tool `wait` takes, in seconds: nothing else on the machine has such an argument. */
export const waitingWord = `6000.${process.pid}`;

/** A skill `bench` whose tools need no grant. */
export function workbench(world: World): string {
  const folder = world.skill(`${claude}/bench`, { description: 'Tools to try things on.' });
  world.write(`${claude}/bench/skill.toml`, benchManifest);
  world.write('home/.config/repertoire/policy.toml', '[limits]\ntimeout = "90s"\n');
  world.write(`${claude}/bench/scripts/greet.sh`, greetScript);
  world.write(`${claude}/bench/scripts/wait.sh`, `echo waiting\nsleep ${waitingWord}\necho over\n`);
  return folder;
}

const benchManifest = `
[skill]
runtime = "native"

[tools.greet]
description = "Greets somebody, as often as asked."
command = ["sh", "scripts/greet.sh", "{times}", "{loud?loud}", "--", "{name}"]

[tools.greet.parameters]
name = { type = "string", required = true, description = "Who is greeted." }
times = { type = "integer", default = 2, minimum = 1, maximum = 5 }
loud = { type = "boolean", default = false }

[tools.numbers]
description = "Tells some numbers as data."
command = ["printf", '{{"sum": 42, "parts": [40, 2]}}']
output = "json"

[tools.wait]
description = "Takes a minute."
script = "scripts/wait.sh"
args = []
`;

const greetScript = `times=$1; shift
word=Hello
[ "$1" = loud ] && { word=HELLO; shift; }
shift
echo "about to greet" >&2
while [ "$times" -gt 0 ]; do echo "$word, $1!"; times=$((times - 1)); sleep 0.2; done
`;

/** A skill `courier` that asks for a host and a variable. */
export function courier(world: World): string {
  const folder = world.skill(`${claude}/courier`, { description: 'Carries messages away.' });
  world.write(`${claude}/courier/skill.toml`, courierManifest);
  world.write(`${claude}/courier/scripts/send.sh`, 'echo "sent from $REGION"\n');
  return folder;
}

const courierManifest = `
[capabilities]
network = ["api.example.com"]
env = ["REGION"]

[tools.send]
description = "Sends a message."
script = "scripts/send.sh"
args = []

[tools.look]
description = "Looks, and asks for nothing."
command = ["echo", "nothing new"]
[tools.look.capabilities]
`;

/** A world with some of these skills. */
export function worldWith(...kinds: readonly ((world: World) => unknown)[]): World {
  const world = createWorld();
  for (const add of kinds) add(world);
  return world;
}

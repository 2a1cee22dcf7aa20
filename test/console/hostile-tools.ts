import type { World } from '../support/world.ts';
import { image, quoted, turned } from './hostile-world.ts';
import { claude } from './skills-for-people.ts';

/** Everything a manifest can say is markup, and the tools write markup, and what moves a terminal's cursor. */
export function evilTools(world: World): void {
  world.skill(`${claude}/rigged`, { description: 'Has tools that nobody should trust.' });
  world.write(`${claude}/rigged/skill.toml`, manifest);
  world.write(`${claude}/rigged/scripts/shout.sh`, script);
  world.write(`${claude}/wrong/SKILL.md`, '---\nname: wrong\ndescription: Has a manifest that is wrong.\n---\n');
  world.write(`${claude}/wrong/skill.toml`, `[tools.${JSON.stringify(image)}]\n${JSON.stringify(quoted)} = 1\n`);
}

const text = JSON.stringify;

const manifest = `
[skill]
version = ${text(image)}

[capabilities]
env = ["EVIL"]

[tools.shout]
description = ${text(`${image} ${turned}`)}
script = "scripts/shout.sh"
args = ["--text={text}", "--choice={choice}", "--title={titled}"]
[tools.shout.capabilities]

[tools.shout.parameters]
type = "object"
[tools.shout.parameters.properties.text]
type = "string"
title = ${text(`${image} as a title`)}
description = ${text(`${quoted} as a description`)}
default = ${text(quoted)}
examples = [${text(`${image} as an example`)}]
[tools.shout.parameters.properties.choice]
enum = [${text(image)}, ${text(quoted)}]
default = ${text(image)}
[tools.shout.parameters.properties.titled]
type = "string"
default = ${text(`javascript:${image}`)}

[instances.${text(image)}]
env = { PLACE = ${text(quoted)} }

[tools.flood]
description = "Never stops writing."
command = ["yes", ${text(`${image} again and again`)}]
[tools.flood.capabilities]

[tools.asks]
description = "Asks for a variable."
command = ["echo"]
`;

/** What a terminal would obey: colours, titles, links, moves, and what a page would. */
const script = `printf '%s\\n' ${sh(image)} ${sh(quoted)} "$@"
printf '\\033[31mred\\033[0m \\033]0;title\\007\\033]8;;javascript:alert(1)\\007link\\033]8;;\\007 \\033[2J\\033[H end\\n'
printf '\\342\\200\\256turned\\342\\200\\254 \\000null \\b\\b \\377 bytes\\n'
printf '%s\\n' ${sh(`${image} as an error`)} >&2
`;

function sh(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

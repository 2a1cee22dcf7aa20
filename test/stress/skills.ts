import { flooding, program } from '../sandbox/guests/programs.ts';
import type { World } from '../support/world.ts';

/** Says what it was given, who it is, and what it finds in its scratch folder, which must be its own. */
const echo = `#!/bin/sh
[ -z "$(ls -A /tmp)" ] || exit 99
printf %s "$1" > /tmp/mine
printf '%s|%s|%s|' "$REPERTOIRE_EXECUTION_ID" "$1" "$2"
cat
printf '|'
cat /tmp/mine
exit "$3"
`;

/** Goes on for as long as it may, with others that do not end when it does. */
const linger = `#!/bin/sh
setsid sleep "$1" &
(setsid sh -c "sleep $1; sleep $1" &)
sleep "$1"
`;

/** More than any machine has memory for. */
const floods = {
  'scripts/stdout.sh': '#!/bin/sh\nexec head -c 10000000000 /dev/zero\n',
  'scripts/stderr.sh': '#!/bin/sh\nexec head -c 10000000000 /dev/zero >&2\n',
  'scripts/line.sh': '#!/bin/sh\nexec tr "\\0" x < /dev/zero\n',
  'scripts/both.sh': '#!/bin/sh\nyes >&2 &\nexec yes\n',
};

const scripts = { 'scripts/echo.sh': echo, 'scripts/linger.sh': linger };

const parameters = ['id', 'text', 'stdin'].map((name) => `${name} = "string"\n`).join('');

const commands = `[skill]
runtime = "native"
[tools.echo]
command = ["sh", "scripts/echo.sh", "{id}", "{text}", "{code}"]
stdin = "{stdin}"
[tools.echo.parameters]
${parameters}code = "integer"
[tools.linger]
command = ["sh", "scripts/linger.sh", "{id}"]
[tools.linger.parameters]
id = "string"
`;

const module = `[skill]
runtime = "wasm"
module = "guest.wasm"
[tools.run]
command = ["{id}", "{text}"]
stdin = "{stdin}"
[tools.run.parameters]
${parameters}`;

/** Skills whose tools tell what they were given, or do not end: as commands, as scripts and as modules. */
export async function writeSkills(world: World): Promise<void> {
  writeSkill(world, 'first', { ...scripts, 'skill.toml': commands });
  writeSkill(world, 'second', { ...scripts, 'skill.toml': commands });
  writeSkill(world, 'plain', scripts);
  writeSkill(world, 'module', { 'guest.wasm': await program('echo'), 'skill.toml': module });
  writeSkill(world, 'flood', floods);
  for (const stream of ['stdout', 'stderr'] as const) {
    writeSkill(world, `flood-${stream}`, { 'guest.wasm': await flooding(stream), 'skill.toml': module });
  }
  writeSkill(world, 'sleeper', { 'guest.wasm': await program('sleeper'), 'skill.toml': module });
}

function writeSkill(world: World, name: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  world.skill(`project/skills/${name}`);
  for (const [file, content] of Object.entries(files)) world.write(`project/skills/${name}/${file}`, content);
}

import { displayPath } from '../../../../core/disk/paths.ts';
import { oneLine } from '../../../../core/text/text.ts';
import { configure, config as operation } from '../../../../engine/operations/machine/config.ts';
import { ownSetting } from '../../aliases.ts';
import { defineCommand } from '../../command.ts';

export const config = defineCommand({
  operation,
  spelling: { keys: { positional: true, value: 'KEY' } },
  input: ({ keys }) => ({ keys: keys.map(ownSetting) }),
  about:
    'Shows every setting, its value and where it was set. An option overrides an environment variable, which overrides ' +
    'repertoire.toml in the project, which overrides the user file, which overrides the default.',
  examples: [
    { run: 'repertoire config', what: 'what is in effect here' },
    { run: 'repertoire config include exclude', what: 'two of them' },
    { run: 'REPERTOIRE_INCLUDE=project repertoire config --json', what: 'for scripts' },
  ],
  print({ settings, files }, { terminal, engine }) {
    const display = (file: string): string => oneLine(displayPath(file, engine.environment));
    const rows = settings.map(({ fileKey, value, from, where }) => {
      const source = where === null || from === 'option' ? from : `${from}: ${display(where)}`;
      const shown = value === null ? 'not set' : oneLine(JSON.stringify(value));
      return `  ${fileKey.padEnd(18)} ${shown}  ${terminal.style('dim', `(${from === 'option' ? where : source})`)}`;
    });
    const looked = files.map(({ path, exists }) => `  ${display(path)}${exists ? '' : '  (not found)'}`);
    const title = (text: string): string => terminal.style('bold', text);
    return [title('Settings'), ...rows, '', title('Files, highest precedence first'), ...looked];
  },
});

export const configGet = defineCommand({
  operation,
  spelling: { keys: { positional: true, value: 'KEY' } },
  input: ({ keys }) => ({ keys: keys.map(ownSetting) }),
  about:
    'Prints the value of each setting on a line of its own, as JSON where it is not text; null where it is not set.',
  examples: [{ run: 'repertoire config get root', what: 'one value, for a script' }],
  print({ settings }, { terminal }) {
    for (const { value } of settings)
      terminal.write(`${typeof value === 'string' ? oneLine(value) : JSON.stringify(value)}\n`);
  },
});

export const configSet = defineCommand({
  operation: configure,
  spelling: {
    key: { positional: true, value: 'KEY' },
    value: { positional: true, value: 'VALUE' },
  },
  input: ({ key, value, project }) => ({ key: ownSetting(key), value, project }),
  withoutProject: true,
  about:
    'Writes a setting to your own file, or with --project to the repertoire.toml of the project, and leaves every other ' +
    'character of it as it is. A list takes several values; without any value the setting is removed.',
  examples: [
    { run: 'repertoire config set root ./my-skills --project', what: 'where this project keeps its skills' },
    { run: 'repertoire config set exclude @plugins pdf', what: 'a list' },
    { run: 'repertoire config set exclude', what: 'as if it had never been set' },
  ],
  print({ key, file, changed }, { terminal, engine }) {
    const place = oneLine(displayPath(file, engine.environment));
    terminal.write(changed ? `Changed ${key} in ${place}.\n` : `${place} has it so already.\n`);
  },
});

import { displayPath } from '../../../../core/disk/paths.ts';
import { oneLine } from '../../../../core/text/text.ts';
import { config as operation } from '../../../../engine/operations/machine/config.ts';
import { defineCommand } from '../../command.ts';

export const config = defineCommand({
  operation,
  about:
    'Shows every setting, its value and where it was set. An option overrides an environment variable, which overrides ' +
    'repertoire.toml in the project, which overrides the user file, which overrides the default.',
  examples: [
    { run: 'repertoire config', what: 'what is in effect here' },
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
    terminal.write(
      `${[title('Settings'), ...rows, '', title('Files, highest precedence first'), ...looked].join('\n')}\n`,
    );
  },
});

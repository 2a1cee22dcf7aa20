import { displayPath } from '../../../../core/disk/paths.ts';
import { oneLine } from '../../../../core/text/text.ts';
import { aboutKinds, type BundleOutput, bundle as operation } from '../../../../engine/operations/machine/bundle.ts';
import { defineCommand } from '../../command.ts';

export const bundle = defineCommand({
  operation,
  spelling: {
    kind: { positional: true, value: 'KIND' },
    out: { value: 'PATH', completes: 'path' },
    id: { value: 'NAME' },
    url: { value: 'URL' },
  },
  about:
    'Creates a bundle, plugin or link that adds Repertoire to a client. All but the .mcpb file start the program installed ' +
    `here by its absolute path, so they work on this machine only. ${aboutKinds}.`,
  examples: [
    { run: 'repertoire bundle mcpb', what: './repertoire-mcpb, with one file to open in Claude Desktop' },
    { run: 'repertoire bundle claude-plugin --out ~/repertoire-plugin', what: 'a plugin for Claude Code' },
    { run: 'repertoire bundle links', what: 'links for VS Code and Cursor' },
  ],
  print({ folder, files, links, next }: BundleOutput, { terminal, engine }) {
    const place = folder === null ? null : oneLine(displayPath(folder, engine.environment));
    return [
      ...(place === null ? [] : [`Created ${place}:`, ...files.map((file) => `  ${file}`), '']),
      ...Object.entries(links).flatMap(([name, url]) => [terminal.style('bold', name), `  ${url}`]),
      ...(Object.keys(links).length === 0 ? [] : ['']),
      ...next.map(oneLine),
    ];
  },
});

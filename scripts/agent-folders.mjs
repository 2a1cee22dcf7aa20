import { evaluate } from './evaluate.mjs';

const file = 'src/agents/folders.ts';

/**
 * Puts the table of agents' folders in the place of the module that works it out of the agents' objects. Every start
 * needs the folders, and few need the rest.
 * @returns {import('rolldown').Plugin}
 */
export function agentFolders() {
  return {
    name: 'agent-folders',
    async load(id) {
      if (!id.endsWith(`/${file}`)) return null;
      const { agentFolders: table } = await evaluate(file);
      return `export const agentFolders = ${JSON.stringify(table)};`;
    },
  };
}

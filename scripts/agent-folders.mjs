import { evaluate } from './evaluate.mjs';

const file = 'src/agents/folders.ts';

/** What most agents have, as it is written into the program. */
const usual = (provider) => ({ provider, project: [`.${provider}/skills`] });

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
      const rows = table.map((row) => {
        const isUsual = JSON.stringify(row) === JSON.stringify(usual(row.provider));
        return isUsual ? `usual(${JSON.stringify(row.provider)})` : JSON.stringify(row);
      });
      return `const usual = ${String(usual)};\nexport const agentFolders = [${rows.join()}];`;
    },
  };
}

import type { CommandName } from './commands.ts';

/** What each command is for, in a line. Apart from the commands, since a start has no use for it. */
export const summaries: { readonly [N in CommandName]: string } = {
  list: 'Show every skill that any agent on this machine could use',
  show: 'Show one skill: where it comes from and what it says',
  search: 'Find skills by words and by meaning, or by every word exactly',
  eval: 'Measure how well the search finds your own skills, and test what calls them up',
  validate: 'Check skills against the strict rules of the format, and mend what can be mended',
  tools: 'List the tools inside skills: what they take and what they ask for',
  run: 'Run a tool of a skill in its sandbox',
  grant: 'Allow a skill what it asks for beyond the default sandbox',
  grants: 'List what skills have been granted, and whether it still holds',
  revoke: 'Take back what a skill was granted',
  jobs: 'Show, read and cancel executions that went on after their caller had left',
  new: 'Make a skill to start from, with a tool and a test',
  mcp: 'Serve the skills to an MCP client through one tool, skill',
  'mcp-server': 'Serve the catalogue to an MCP client: skills.list and skills.search',
  serve: 'Serve everything to MCP clients: all tools, over stdio or HTTP',
  web: 'Open the console: see, run and decide in a browser',
  setup: 'Connect agents to Repertoire: find them, write their files, check that it works',
  audit: 'Show what was executed, and check that the log was not tampered with',
  activity: 'Show what was searched for, loaded and run, and by which client',
  stats: 'Count runs, searches and loads: how often, how long, and what was denied',
  doctor: 'Show where was looked, what was found, and what is wrong with it',
  why: 'Tell how a name resolves and what it beat, or why it is not seen',
  config: 'Show the settings in effect and where each comes from',
  completion: 'Print the completion script for a shell',
};

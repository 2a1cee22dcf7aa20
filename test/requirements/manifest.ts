/** Where the work that will prove a requirement belongs, while it is not yet proven by a test. */
export type Plan = 'serve' | 'search' | 'run' | 'console';

export interface Requirement {
  /** Stable, cited by tests: source, topic, number. */
  readonly id: string;
  /** Document and heading that ask for it. */
  readonly source: string;
  /** What must hold, in our own words. */
  readonly text: string;
  /** Present while no test proves it yet. */
  readonly planned?: Plan;
}

export const requirements: readonly Requirement[] = [
  // S0 Skill tool listing
  {
    id: 'S0-LIST-01',
    source: 'S0 Skill tool listing',
    text: 'The server started as `repertoire mcp` exposes `skill` as its only tool (settled by the contract).',
  },
  {
    id: 'S0-LIST-02',
    source: 'S0 Skill tool listing',
    text: 'The description of `skill` has an `<available_skills>` block with every discovered skill.',
  },
  {
    id: 'S0-LIST-03',
    source: 'S0 Skill tool listing',
    text: 'Each entry of the block gives name, description and location.',
  },
  {
    id: 'S0-LIST-04',
    source: 'S0 Skill tool listing',
    text: 'The description tells how to use the tool.',
  },
  {
    id: 'S0-LIST-05',
    source: 'S0 Skill tool listing',
    text: 'The description has notes on discovery.',
  },
  {
    id: 'S0-LIST-06',
    source: 'S0 Skill tool listing',
    text: 'With an empty registry the block is still there.',
  },
  {
    id: 'S0-LIST-07',
    source: 'S0 Skill tool listing',
    text: 'With an empty registry the block holds a `none` entry.',
  },

  // S0 Tool invocation loads skill content
  {
    id: 'S0-LOAD-01',
    source: 'S0 Tool invocation loads skill content',
    text: 'A name is resolved to a skill by registry priority.',
  },
  {
    id: 'S0-LOAD-02',
    source: 'S0 Tool invocation loads skill content',
    text: 'A short name resolves to the skill that bears it.',
  },
  {
    id: 'S0-LOAD-03',
    source: 'S0 Tool invocation loads skill content',
    text: 'An ambiguous short name raises an error.',
  },
  {
    id: 'S0-LOAD-04',
    source: 'S0 Tool invocation loads skill content',
    text: 'With `example:pdf` and `other:pdf` present, resolving `pdf` is an ambiguity error.',
  },
  {
    id: 'S0-LOAD-05',
    source: 'S0 Tool invocation loads skill content',
    text: 'Calling `skill` with a `name` loads the matching skill.',
  },
  {
    id: 'S0-LOAD-06',
    source: 'S0 Tool invocation loads skill content',
    text: 'Calling `skill` with a short name two plugins share is an ambiguity error.',
  },
  {
    id: 'S0-LOAD-07',
    source: 'S0 Tool invocation loads skill content',
    text: 'The header of the result gives name, path and location.',
  },
  {
    id: 'S0-LOAD-08',
    source: 'S0 Tool invocation loads skill content',
    text: 'The header of the result names the plugin where there is one.',
  },
  {
    id: 'S0-LOAD-09',
    source: 'S0 Tool invocation loads skill content',
    text: 'The whole markdown of the skill follows the header.',
  },

  // S0 Transports
  { id: 'S0-TRANS-01', source: 'S0 Transports', text: 'stdio is the default transport.' },
  { id: 'S0-TRANS-02', source: 'S0 Transports', text: 'Streamable HTTP is served at `/mcp`.' },
  {
    id: 'S0-TRANS-03',
    source: 'S0 Transports',
    text: 'SSE is the fallback, on `/mcp` and `/messages`.',
  },
  { id: 'S0-TRANS-04', source: 'S0 Transports', text: '`--transport` chooses the transport.' },
  { id: 'S0-TRANS-05', source: 'S0 Transports', text: '`--host` sets the host of the transport.' },
  { id: 'S0-TRANS-06', source: 'S0 Transports', text: '`--port` sets the port of the transport.' },
  {
    id: 'S0-TRANS-07',
    source: 'S0 Transports',
    text: 'With `--transport sse`, `GET /mcp` establishes a session.',
  },
  {
    id: 'S0-TRANS-08',
    source: 'S0 Transports',
    text: '`POST /messages?sessionId=<id>` delivers to the session of that id.',
  },

  // S0 Auto-refresh
  {
    id: 'S0-REFRESH-01',
    source: 'S0 Auto-refresh',
    text: 'The registry refreshes on an interval, 30 seconds by default.',
  },
  { id: 'S0-REFRESH-02', source: 'S0 Auto-refresh', text: 'A refresh writes a notice to stderr.' },
  {
    id: 'S0-REFRESH-03',
    source: 'S0 Auto-refresh',
    text: '`autoRefresh: false` stops the interval refresh.',
  },
  {
    id: 'S0-REFRESH-04',
    source: 'S0 Auto-refresh',
    text: '`--no-refresh` stops the interval refresh.',
  },
  {
    id: 'S0-REFRESH-05',
    source: 'S0 Auto-refresh',
    text: '`--refresh-interval` overrides the default interval.',
  },
  {
    id: 'S0-REFRESH-06',
    source: 'S0 Auto-refresh',
    text: 'With `--refresh-interval 10000` a refresh happens about every 10 seconds and each is logged.',
  },

  // S0 Registry configuration passthrough
  {
    id: 'S0-CONFIG-01',
    source: 'S0 Registry configuration passthrough',
    text: 'The registry takes skill directories, `skipPlugins`, `pluginsFile`, `pluginsRoot` and `scanDefaultDirs` as options.',
  },
  {
    id: 'S0-CONFIG-02',
    source: 'S0 Registry configuration passthrough',
    text: 'The command line passes its `--skill-dir`, plugin and default-directory options to the registry.',
  },
  {
    id: 'S0-CONFIG-03',
    source: 'S0 Registry configuration passthrough',
    text: 'The MCP server passes the same options to the registry, so that it and the command line see the same skills.',
  },
  {
    id: 'S0-CONFIG-04',
    source: 'S0 Registry configuration passthrough',
    text: 'With `--no-plugins` a listing holds project and global skills and none from plugins.',
  },
  {
    id: 'S0-CONFIG-05',
    source: 'S0 Registry configuration passthrough',
    text: 'With `repertoire mcp --no-plugins` the tool description holds no plugin skill.',
  },

  // S0 MCP respects source filters
  {
    id: 'S0-FILTER-01',
    source: 'S0 MCP respects source filters',
    text: 'The MCP server takes the same include and exclude options as the command line.',
  },
  {
    id: 'S0-FILTER-02',
    source: 'S0 MCP respects source filters',
    text: 'Filters shape the list in the tool description.',
  },
  {
    id: 'S0-FILTER-03',
    source: 'S0 MCP respects source filters',
    text: 'Filters decide which skills can be loaded through the tool.',
  },
  {
    id: 'S0-FILTER-04',
    source: 'S0 MCP respects source filters',
    text: 'A skill that filters leave out cannot be loaded by name.',
  },
  {
    id: 'S0-FILTER-05',
    source: 'S0 MCP respects source filters',
    text: 'After a refresh, skills added or removed meanwhile obey the configured filters.',
  },
  {
    id: 'S0-FILTER-06',
    source: 'S0 MCP respects source filters',
    text: 'With `--include=codex` only skills of provider `codex` are listed.',
  },
  {
    id: 'S0-FILTER-07',
    source: 'S0 MCP respects source filters',
    text: 'With `repertoire mcp --include=codex` the `<available_skills>` block lists Codex skills only.',
  },
  {
    id: 'S0-FILTER-08',
    source: 'S0 MCP respects source filters',
    text: 'With `--include=codex` a name known only to Claude is not found, and suggestions are given.',
  },
  {
    id: 'S0-FILTER-09',
    source: 'S0 MCP respects source filters',
    text: 'With `repertoire mcp --include=codex` calling a Claude-only name is a not-found error with suggestions.',
  },

  // S0 Provider-aware resolution
  {
    id: 'S0-PROVIDER-01',
    source: 'S0 Provider-aware resolution',
    text: 'A name prefixed by its provider picks one of several duplicates.',
  },
  {
    id: 'S0-PROVIDER-02',
    source: 'S0 Provider-aware resolution',
    text: 'A short name that several agent-specific providers hold is an ambiguity error (settled by the contract).',
  },
  {
    id: 'S0-PROVIDER-03',
    source: 'S0 Provider-aware resolution',
    text: 'With `pdf` in both Codex and Claude, the error tells the caller to ask for `codex:pdf` or `claude:pdf`.',
  },
  {
    id: 'S0-PROVIDER-04',
    source: 'S0 Provider-aware resolution',
    text: '`skill` accepts provider-prefixed names.',
  },
  {
    id: 'S0-PROVIDER-05',
    source: 'S0 Provider-aware resolution',
    text: '`skill` returns the ambiguity error for `{ name: "pdf" }` held by both providers.',
  },
  {
    id: 'S0-PROVIDER-06',
    source: 'S0 Provider-aware resolution',
    text: 'The header of the result names the provider.',
  },

  // S1 MCP Server Initialization
  {
    id: 'S1-INIT-01',
    source: 'S1 MCP Server Initialization',
    text: 'JSON-RPC messages written to stdin are read by the server.',
  },
  {
    id: 'S1-INIT-02',
    source: 'S1 MCP Server Initialization',
    text: 'The server sends its responses to stdout.',
  },
  {
    id: 'S1-INIT-03',
    source: 'S1 MCP Server Initialization',
    text: 'The server sends diagnostics to stderr.',
  },
  {
    id: 'S1-INIT-04',
    source: 'S1 MCP Server Initialization',
    text: 'The server follows the MCP specification.',
  },
  {
    id: 'S1-INIT-05',
    source: 'S1 MCP Server Initialization',
    text: 'Building a registry scans all skill directories.',
  },
  {
    id: 'S1-INIT-06',
    source: 'S1 MCP Server Initialization',
    text: 'The server scans the skill directories and builds its registry on start.',
  },
  {
    id: 'S1-INIT-07',
    source: 'S1 MCP Server Initialization',
    text: 'The server logs the progress of its initialization to stderr.',
  },

  // S1 Skill Tool / Definition and description
  {
    id: 'S1-TOOL-01',
    source: 'S1 Skill Tool / Definition and description',
    text: 'The tool list holds a tool named `skill`.',
  },
  {
    id: 'S1-TOOL-02',
    source: 'S1 Skill Tool / Definition and description',
    text: 'The description of `skill` lists all available skills with name and description.',
  },
  {
    id: 'S1-TOOL-03',
    source: 'S1 Skill Tool / Definition and description',
    text: 'The input schema of `skill` requires `name`, a string.',
  },
  {
    id: 'S1-TOOL-04',
    source: 'S1 Skill Tool / Definition and description',
    text: 'After a refresh the description of `skill` shows the current skills.',
  },
  {
    id: 'S1-TOOL-05',
    source: 'S1 Skill Tool / Definition and description',
    text: 'The description covers global, project and plugin skills.',
  },
  {
    id: 'S1-TOOL-06',
    source: 'S1 Skill Tool / Definition and description',
    text: 'The list in the description takes the XML form and not the dashed plain list (settled by the contract).',
  },
  {
    id: 'S1-TOOL-07',
    source: 'S1 Skill Tool / Definition and description',
    text: 'A description in any script, Chinese for one, appears unharmed in the list.',
  },

  // S1 Skill Tool / Load skill
  {
    id: 'S1-LOAD-01',
    source: 'S1 Skill Tool / Load skill',
    text: 'A skill is found by name whatever the letter case of the request.',
  },
  {
    id: 'S1-LOAD-02',
    source: 'S1 Skill Tool / Load skill',
    text: '`skill` with `{ "name": "user" }` returns the whole SKILL.md, front matter included.',
  },
  {
    id: 'S1-LOAD-03',
    source: 'S1 Skill Tool / Load skill',
    text: '`skill` puts the base directory before the content.',
  },
  {
    id: 'S1-LOAD-04',
    source: 'S1 Skill Tool / Load skill',
    text: 'A plugin skill is found by its full name (`example-skills:pdf`).',
  },
  {
    id: 'S1-LOAD-05',
    source: 'S1 Skill Tool / Load skill',
    text: '`skill` with a full plugin name returns the whole content.',
  },
  {
    id: 'S1-LOAD-06',
    source: 'S1 Skill Tool / Load skill',
    text: 'A short name that one skill only bears resolves to it.',
  },
  {
    id: 'S1-LOAD-07',
    source: 'S1 Skill Tool / Load skill',
    text: '`skill` with an unambiguous short name returns the content.',
  },
  {
    id: 'S1-LOAD-08',
    source: 'S1 Skill Tool / Load skill',
    text: 'A short name several skills bear is an error, unless exact match or shadowing settles it (settled by the contract).',
  },
  {
    id: 'S1-LOAD-09',
    source: 'S1 Skill Tool / Load skill',
    text: 'The ambiguity error lists all matching full names.',
  },
  { id: 'S1-LOAD-10', source: 'S1 Skill Tool / Load skill', text: 'The ambiguity error suggests using the full name.' },
  {
    id: 'S1-LOAD-11',
    source: 'S1 Skill Tool / Load skill',
    text: '`skill` with an ambiguous short name returns the ambiguity error.',
  },
  { id: 'S1-LOAD-12', source: 'S1 Skill Tool / Load skill', text: 'A name that does not exist is an error.' },
  { id: 'S1-LOAD-13', source: 'S1 Skill Tool / Load skill', text: 'The not-found error suggests similar names.' },
  {
    id: 'S1-LOAD-14',
    source: 'S1 Skill Tool / Load skill',
    text: '`skill` reports a missing skill as a result with `isError: true` (settled by the contract).',
  },

  // S1 Skill Content Format
  {
    id: 'S1-FORMAT-01',
    source: 'S1 Skill Content Format',
    text: 'With `--header loading` the result begins `Loading: {name}`, `Base directory: {absolute path}`, blank line (settled by the contract).',
  },
  {
    id: 'S1-FORMAT-02',
    source: 'S1 Skill Content Format',
    text: 'The result goes on with the whole SKILL.md, front matter included.',
  },
  { id: 'S1-FORMAT-03', source: 'S1 Skill Content Format', text: 'Loaded content keeps its line breaks.' },
  { id: 'S1-FORMAT-04', source: 'S1 Skill Content Format', text: 'Loaded content keeps its code blocks.' },
  { id: 'S1-FORMAT-05', source: 'S1 Skill Content Format', text: 'Loaded content keeps its indentation.' },
  { id: 'S1-FORMAT-06', source: 'S1 Skill Content Format', text: 'Loaded content keeps its UTF-8 characters.' },
  {
    id: 'S1-FORMAT-07',
    source: 'S1 Skill Content Format',
    text: 'The tool result keeps line breaks, code blocks, indentation and UTF-8 characters.',
  },

  // S1 Auto-Refresh
  {
    id: 'S1-REFRESH-01',
    source: 'S1 Auto-Refresh',
    text: 'After 30 seconds the server rescans all skill directories.',
  },
  {
    id: 'S1-REFRESH-02',
    source: 'S1 Auto-Refresh',
    text: 'The interval rescan updates the registry.',
  },
  {
    id: 'S1-REFRESH-03',
    source: 'S1 Auto-Refresh',
    text: 'The interval rescan updates the description of the tool.',
  },
  {
    id: 'S1-REFRESH-04',
    source: 'S1 Auto-Refresh',
    text: 'A skill added on disk is in the registry after the next refresh.',
  },
  {
    id: 'S1-REFRESH-05',
    source: 'S1 Auto-Refresh',
    text: 'A skill added on disk can be loaded through the tool after the next refresh.',
  },
  {
    id: 'S1-REFRESH-06',
    source: 'S1 Auto-Refresh',
    text: 'A modified SKILL.md is loaded with its new content after the next refresh.',
  },
  {
    id: 'S1-REFRESH-07',
    source: 'S1 Auto-Refresh',
    text: 'Tool calls return the new content of a modified skill after the next refresh.',
  },
  {
    id: 'S1-REFRESH-08',
    source: 'S1 Auto-Refresh',
    text: 'A skill deleted on disk is out of the registry after the next refresh.',
  },
  {
    id: 'S1-REFRESH-09',
    source: 'S1 Auto-Refresh',
    text: 'Looking up a deleted skill after the next refresh is a not-found error.',
  },
  {
    id: 'S1-REFRESH-10',
    source: 'S1 Auto-Refresh',
    text: 'Tool calls for a deleted skill return the not-found error after the next refresh.',
  },

  // S1 Concurrent Request Handling
  {
    id: 'S1-CONC-01',
    source: 'S1 Concurrent Request Handling',
    text: 'Concurrent lookups are independent of one another.',
  },
  {
    id: 'S1-CONC-02',
    source: 'S1 Concurrent Request Handling',
    text: 'Concurrent loads each return the content of the skill they asked for.',
  },
  { id: 'S1-CONC-03', source: 'S1 Concurrent Request Handling', text: 'Concurrent lookups leave the registry intact.' },
  {
    id: 'S1-CONC-04',
    source: 'S1 Concurrent Request Handling',
    text: 'Concurrent calls of `skill` each return the right content.',
  },
  {
    id: 'S1-CONC-05',
    source: 'S1 Concurrent Request Handling',
    text: 'A lookup made during a refresh is answered from the registry as it stands.',
  },
  {
    id: 'S1-CONC-06',
    source: 'S1 Concurrent Request Handling',
    text: 'A lookup made during a refresh is not held up.',
  },
  {
    id: 'S1-CONC-07',
    source: 'S1 Concurrent Request Handling',
    text: 'A request that began before a refresh ended keeps the registry it began with.',
  },
  {
    id: 'S1-CONC-08',
    source: 'S1 Concurrent Request Handling',
    text: 'A call of `skill` made during a refresh is answered at once from the current registry.',
  },

  // S1 Error Responses
  {
    id: 'S1-ERROR-01',
    source: 'S1 Error Responses',
    text: 'Calling `skill` without `name` is an MCP error.',
  },
  {
    id: 'S1-ERROR-02',
    source: 'S1 Error Responses',
    text: 'That error says that `name` is required.',
  },
  {
    id: 'S1-ERROR-03',
    source: 'S1 Error Responses',
    text: 'That error has the code for invalid parameters, -32602.',
  },
  {
    id: 'S1-ERROR-04',
    source: 'S1 Error Responses',
    text: 'An internal error, such as a failing file read, reaches the client as an error.',
  },
  {
    id: 'S1-ERROR-05',
    source: 'S1 Error Responses',
    text: 'The internal error carries its message.',
  },
  {
    id: 'S1-ERROR-06',
    source: 'S1 Error Responses',
    text: 'The full internal error is logged to stderr.',
  },

  // S1 Graceful Shutdown
  {
    id: 'S1-STOP-01',
    source: 'S1 Graceful Shutdown',
    text: 'SIGINT clears the refresh interval and other resources.',
  },
  {
    id: 'S1-STOP-02',
    source: 'S1 Graceful Shutdown',
    text: 'SIGINT logs a shutdown message to stderr.',
  },
  { id: 'S1-STOP-03', source: 'S1 Graceful Shutdown', text: 'SIGINT ends the process with code 0.' },
  { id: 'S1-STOP-04', source: 'S1 Graceful Shutdown', text: 'SIGTERM cleans up as SIGINT does.' },
  { id: 'S1-STOP-05', source: 'S1 Graceful Shutdown', text: 'SIGTERM ends the process with code 0.' },

  // S2 Goals
  {
    id: 'S2-GOAL-01',
    source: 'S2 Goals',
    text: 'Agents can list and search the skills of a checkout over stdio MCP.',
  },
  {
    id: 'S2-GOAL-02',
    source: 'S2 Goals',
    text: 'MCP clients discover the tools through the ordinary lifecycle.',
  },
  {
    id: 'S2-GOAL-03',
    source: 'S2 Goals',
    text: 'Every answer has a structured JSON part and a readable text part.',
  },

  // S2 Lifecycle + Capabilities
  {
    id: 'S2-LIFE-01',
    source: 'S2 Lifecycle + Capabilities',
    text: '`repertoire mcp-server [--root ./skills]` speaks JSON-RPC 2.0 over stdio.',
  },
  {
    id: 'S2-LIFE-02',
    source: 'S2 Lifecycle + Capabilities',
    text: 'On the handshake path the server sends nothing until `initialize` arrives.',
  },
  {
    id: 'S2-LIFE-03',
    source: 'S2 Lifecycle + Capabilities',
    text: 'A client asking for `2025-03-26` is answered with it; other released revisions are negotiated (settled by the contract).',
  },
  {
    id: 'S2-LIFE-04',
    source: 'S2 Lifecycle + Capabilities',
    text: '`capabilities.tools.listChanged` is true, since changes are notified (settled by the contract).',
  },
  {
    id: 'S2-LIFE-05',
    source: 'S2 Lifecycle + Capabilities',
    text: '`serverInfo` of `mcp-server` is `{ name: "sk-mcp", version }` with the version of the package.',
  },
  {
    id: 'S2-LIFE-06',
    source: 'S2 Lifecycle + Capabilities',
    text: '`instructions` of `mcp-server` point to `skills.list` for all metadata.',
  },
  {
    id: 'S2-LIFE-07',
    source: 'S2 Lifecycle + Capabilities',
    text: '`instructions` of `mcp-server` point to `skills.search` for targeted lookups.',
  },
  {
    id: 'S2-LIFE-08',
    source: 'S2 Lifecycle + Capabilities',
    text: '`notifications/initialized` gets no response.',
  },

  // S2 Tool Surface / skills.list
  {
    id: 'S2-LIST-01',
    source: 'S2 Tool Surface / skills.list',
    text: '`skills.list` enumerates every SKILL.md under the root.',
  },
  {
    id: 'S2-LIST-02',
    source: 'S2 Tool Surface / skills.list',
    text: '`skills.list` takes an optional string `query` described as "Optional substring filter applied to install name, meta.name, or description".',
  },
  {
    id: 'S2-LIST-03',
    source: 'S2 Tool Surface / skills.list',
    text: '`query` of `skills.list` keeps the skills whose install name, name or description contains it.',
  },
  {
    id: 'S2-LIST-04',
    source: 'S2 Tool Surface / skills.list',
    text: '`skills.list` takes an optional boolean `includeBody`, described as including the body minus front matter.',
  },
  {
    id: 'S2-LIST-05',
    source: 'S2 Tool Surface / skills.list',
    text: 'The schema of `skills.list` forbids additional properties.',
  },
  {
    id: 'S2-LIST-06',
    source: 'S2 Tool Surface / skills.list',
    text: '`skills.list` returns `{ skills }`, an array of summaries.',
  },
  {
    id: 'S2-LIST-07',
    source: 'S2 Tool Surface / skills.list',
    text: 'A summary holds `installName`, the directory name.',
  },
  {
    id: 'S2-LIST-08',
    source: 'S2 Tool Surface / skills.list',
    text: 'A summary holds `meta.name` and `meta.description`.',
  },
  {
    id: 'S2-LIST-09',
    source: 'S2 Tool Surface / skills.list',
    text: 'A summary holds `skillPath`, the relative path of the directory.',
  },
  {
    id: 'S2-LIST-10',
    source: 'S2 Tool Surface / skills.list',
    text: 'A summary holds `skillFile`, the path of the SKILL.md.',
  },
  {
    id: 'S2-LIST-11',
    source: 'S2 Tool Surface / skills.list',
    text: 'A summary holds `body`, without front matter, when `includeBody` is true.',
  },
  {
    id: 'S2-LIST-12',
    source: 'S2 Tool Surface / skills.list',
    text: 'A summary has no `body` when `includeBody` is absent or false.',
  },
  {
    id: 'S2-LIST-13',
    source: 'S2 Tool Surface / skills.list',
    text: '`skills.list` also returns a text saying how many skills matched.',
  },

  // S2 Tool Surface / skills.search
  { id: 'S2-SEARCH-01', source: 'S2 Tool Surface / skills.search', text: 'Search looks at the install name.' },
  { id: 'S2-SEARCH-02', source: 'S2 Tool Surface / skills.search', text: 'Search looks at the metadata.' },
  { id: 'S2-SEARCH-03', source: 'S2 Tool Surface / skills.search', text: 'Search looks at the body of SKILL.md.' },
  { id: 'S2-SEARCH-04', source: 'S2 Tool Surface / skills.search', text: 'An empty query is refused.' },
  { id: 'S2-SEARCH-05', source: 'S2 Tool Surface / skills.search', text: 'The limit of hits is 10 by default.' },
  {
    id: 'S2-SEARCH-06',
    source: 'S2 Tool Surface / skills.search',
    text: 'The limit of hits is at least 1; a lower one is refused.',
  },
  {
    id: 'S2-SEARCH-07',
    source: 'S2 Tool Surface / skills.search',
    text: 'The limit of hits is at most 25; a higher one is refused.',
  },
  {
    id: 'S2-SEARCH-08',
    source: 'S2 Tool Surface / skills.search',
    text: 'The limit is a whole number; anything else is refused.',
  },
  { id: 'S2-SEARCH-09', source: 'S2 Tool Surface / skills.search', text: 'No more hits are returned than the limit.' },
  {
    id: 'S2-SEARCH-10',
    source: 'S2 Tool Surface / skills.search',
    text: 'A search returns `query`, `limit`, `total` and `results`.',
  },
  { id: 'S2-SEARCH-11', source: 'S2 Tool Surface / skills.search', text: 'Each hit carries a `score`.' },
  { id: 'S2-SEARCH-12', source: 'S2 Tool Surface / skills.search', text: 'Each hit carries an `excerpt`.' },
  {
    id: 'S2-SEARCH-13',
    source: 'S2 Tool Surface / skills.search',
    text: 'Each hit carries the metadata of a listing: install name, name, description, skill path and skill file.',
  },
  {
    id: 'S2-SEARCH-14',
    source: 'S2 Tool Surface / skills.search',
    text: 'The schema of `skills.search` requires `query`, a string of `minLength` 1.',
  },
  {
    id: 'S2-SEARCH-15',
    source: 'S2 Tool Surface / skills.search',
    text: 'The schema of `skills.search` has `limit`, an integer from 1 to 25 with default 10.',
  },
  {
    id: 'S2-SEARCH-16',
    source: 'S2 Tool Surface / skills.search',
    text: 'The schema of `skills.search` forbids additional properties.',
  },
  {
    id: 'S2-SEARCH-17',
    source: 'S2 Tool Surface / skills.search',
    text: '`skills.search` returns `{ query, limit, total, results }` over MCP.',
  },

  // S2 Data & Implementation Notes
  {
    id: 'S2-DATA-01',
    source: 'S2 Data & Implementation Notes',
    text: 'Skills are found by walking the root, `./skills` by default.',
  },
  {
    id: 'S2-DATA-02',
    source: 'S2 Data & Implementation Notes',
    text: 'Every SKILL.md below the root, at any depth, is a skill.',
  },
  {
    id: 'S2-DATA-03',
    source: 'S2 Data & Implementation Notes',
    text: 'A front matter that cannot be parsed, even after repair, is logged to stderr and its skill skipped (settled by the contract).',
  },
  {
    id: 'S2-DATA-04',
    source: 'S2 Data & Implementation Notes',
    text: 'A front matter that cannot be parsed does not end the MCP session.',
  },
  {
    id: 'S2-DATA-05',
    source: 'S2 Data & Implementation Notes',
    text: 'Listing, searching and loading read front matter by one and the same reader.',
  },
  {
    id: 'S2-DATA-06',
    source: 'S2 Data & Implementation Notes',
    text: 'Tokens are lower-cased by Unicode folding rather than ASCII alone (settled by the contract).',
  },
  {
    id: 'S2-DATA-07',
    source: 'S2 Data & Implementation Notes',
    text: 'Tokens are split on any whitespace rather than ASCII whitespace alone (settled by the contract).',
  },
  {
    id: 'S2-DATA-08',
    source: 'S2 Data & Implementation Notes',
    text: 'A skill that lacks one of the tokens is no hit.',
  },
  {
    id: 'S2-DATA-09',
    source: 'S2 Data & Implementation Notes',
    text: 'Equal queries over equal skills give equal scores and equal order.',
  },
  {
    id: 'S2-DATA-10',
    source: 'S2 Data & Implementation Notes',
    text: '`skills.list` reflects the files as they are at each call, by the call-time check (settled by the contract).',
  },
  {
    id: 'S2-DATA-11',
    source: 'S2 Data & Implementation Notes',
    text: '`skills.search` reflects the files as they are at each call, by the call-time check (settled by the contract).',
  },

  // S2 Testing Strategy
  {
    id: 'S2-TEST-01',
    source: 'S2 Testing Strategy',
    text: 'Scanning a tree of nested SKILL.md files returns the right summary of each.',
  },
  { id: 'S2-TEST-02', source: 'S2 Testing Strategy', text: 'Queries of several tokens score as documented.' },
  { id: 'S2-TEST-03', source: 'S2 Testing Strategy', text: 'Queries of several tokens give the documented excerpt.' },
  {
    id: 'S2-TEST-04',
    source: 'S2 Testing Strategy',
    text: 'A session of `initialize`, `tools/list` and `tools/call` on stdin gets valid JSON-RPC replies.',
  },

  // S2 Open Items / Follow-ups
  {
    id: 'S2-FOLLOW-01',
    source: 'S2 Open Items / Follow-ups',
    text: '`notifications/tools/list_changed` is emitted when skill files change.',
  },
  {
    id: 'S2-FOLLOW-02',
    source: 'S2 Open Items / Follow-ups',
    text: '`resources/read` returns the whole SKILL.md.',
  },

  // S2 Incremental Refresh
  {
    id: 'S2-WATCH-01',
    source: 'S2 Incremental Refresh',
    text: 'The skills directory is watched recursively.',
  },
  {
    id: 'S2-WATCH-02',
    source: 'S2 Incremental Refresh',
    text: '`notifications/tools/list_changed` carries a short reason.',
  },
  {
    id: 'S2-WATCH-03',
    source: 'S2 Incremental Refresh',
    text: 'A change that leaves the visible set as it was is not notified (settled by the contract).',
  },
  {
    id: 'S2-WATCH-04',
    source: 'S2 Incremental Refresh',
    text: 'Events are debounced by about 500 ms.',
  },
  {
    id: 'S2-WATCH-05',
    source: 'S2 Incremental Refresh',
    text: 'Change notifications are sent only after `initialize` has succeeded.',
  },

  // S3 Tool Definition / Tool Metadata
  {
    id: 'S3-META-01',
    source: 'S3 Tool Definition / Tool Metadata',
    text: 'The name of the tool is `skill`.',
  },
  {
    id: 'S3-META-02',
    source: 'S3 Tool Definition / Tool Metadata',
    text: 'The title of the tool is "Load Skill".',
  },
  { id: 'S3-META-03', source: 'S3 Tool Definition / Tool Metadata', text: '`readOnlyHint` is true.' },
  {
    id: 'S3-META-04',
    source: 'S3 Tool Definition / Tool Metadata',
    text: '`destructiveHint` is false.',
  },
  {
    id: 'S3-META-05',
    source: 'S3 Tool Definition / Tool Metadata',
    text: '`idempotentHint` is true.',
  },
  {
    id: 'S3-META-06',
    source: 'S3 Tool Definition / Tool Metadata',
    text: '`openWorldHint` is false.',
  },
  {
    id: 'S3-META-07',
    source: 'S3 Tool Definition / Tool Metadata',
    text: 'The tool is served over stdio.',
  },

  // S3 Tool Definition / Input
  { id: 'S3-INPUT-01', source: 'S3 Tool Definition / Input', text: '`name` is a required string.' },
  {
    id: 'S3-INPUT-02',
    source: 'S3 Tool Definition / Input',
    text: 'An empty `name` is refused with "Skill name cannot be empty".',
  },
  {
    id: 'S3-INPUT-03',
    source: 'S3 Tool Definition / Input',
    text: '`name` is described as "Name of the skill to load (case-insensitive)".',
  },
  {
    id: 'S3-INPUT-04',
    source: 'S3 Tool Definition / Input',
    text: 'Unknown properties are refused; `command` alone passes, as another spelling of `name` (settled by the contract).',
  },
  {
    id: 'S3-INPUT-05',
    source: 'S3 Tool Definition / Input',
    text: 'A lookup of the empty name is refused as invalid.',
  },
  { id: 'S3-INPUT-06', source: 'S3 Tool Definition / Input', text: 'A request of "Git" matches "git".' },
  {
    id: 'S3-INPUT-07',
    source: 'S3 Tool Definition / Input',
    text: 'A requested name may hold spaces, special characters and Unicode, but no path separator, `..` or NUL (settled by the contract).',
  },

  // S3 Tool Definition / Tool Description
  {
    id: 'S3-DESC-01',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The description is generated from the skills at hand.',
  },
  {
    id: 'S3-DESC-02',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The description begins "Execute a skill within the main conversation".',
  },
  {
    id: 'S3-DESC-03',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The instructions stand in `<skills_instructions>`.',
  },
  {
    id: 'S3-DESC-04',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The instructions say to check whether an available skill helps with the task.',
  },
  {
    id: 'S3-DESC-05',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The instructions say to invoke the tool with the skill name only.',
  },
  {
    id: 'S3-DESC-06',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The instructions mention the `<command-message>` that says the skill is loading.',
  },
  {
    id: 'S3-DESC-07',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The instructions say that the prompt of the skill will expand with details.',
  },
  {
    id: 'S3-DESC-08',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The instructions give `pdf`, `xlsx` and `ms-office-suite:pdf` as examples, with `name:` (settled by the contract).',
  },
  {
    id: 'S3-DESC-09',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The instructions say to use listed skills only.',
  },
  {
    id: 'S3-DESC-10',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The instructions warn against starting a running skill a second time.',
  },
  {
    id: 'S3-DESC-11',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The instructions say not to use the tool for built-in CLI commands.',
  },
  {
    id: 'S3-DESC-12',
    source: 'S3 Tool Definition / Tool Description',
    text: 'The list stands in `<available_skills>` after the instructions.',
  },
  {
    id: 'S3-DESC-13',
    source: 'S3 Tool Definition / Tool Description',
    text: 'Each entry is `<skill>` with `<name>`, `<description>` and `<location>`, one to a line.',
  },
  {
    id: 'S3-DESC-14',
    source: 'S3 Tool Definition / Tool Description',
    text: '`<location>` is project or global, or plugin for plugin skills (settled by the contract).',
  },

  // S3 Response Format
  {
    id: 'S3-RESP-01',
    source: 'S3 Response Format',
    text: 'A loaded skill is one content item of type text.',
  },
  {
    id: 'S3-RESP-02',
    source: 'S3 Response Format',
    text: 'The text begins `Loading: ` and the name of the skill.',
  },
  {
    id: 'S3-RESP-03',
    source: 'S3 Response Format',
    text: 'The second line is `Base directory: ` and the path of the skill.',
  },
  {
    id: 'S3-RESP-04',
    source: 'S3 Response Format',
    text: 'The content of the file follows the header after a blank line.',
  },
  {
    id: 'S3-RESP-05',
    source: 'S3 Response Format',
    text: "An unknown skill gives the text `Skill 'x' not found.`, with the name as it was requested.",
  },
  {
    id: 'S3-RESP-06',
    source: 'S3 Response Format',
    text: 'The not-found text lists `Available skills:` as `- name: description` lines.',
  },
  {
    id: 'S3-RESP-07',
    source: 'S3 Response Format',
    text: 'The not-found text ends "Use the exact skill name (case-insensitive) to load a skill."',
  },

  // S3 Behavior / Skill Discovery
  {
    id: 'S3-DISC-01',
    source: 'S3 Behavior / Skill Discovery',
    text: '`./.agent/skills` has priority over `~/.agent/skills`.',
  },
  {
    id: 'S3-DISC-02',
    source: 'S3 Behavior / Skill Discovery',
    text: '`~/.agent/skills` has priority over `./.claude/skills`.',
  },
  {
    id: 'S3-DISC-03',
    source: 'S3 Behavior / Skill Discovery',
    text: '`./.claude/skills` has priority over `~/.claude/skills`.',
  },
  {
    id: 'S3-DISC-04',
    source: 'S3 Behavior / Skill Discovery',
    text: 'Of several skills of one name the first in priority order wins, where shadowing applies (settled by the contract).',
  },
  { id: 'S3-DISC-05', source: 'S3 Behavior / Skill Discovery', text: 'A skill lies at `<root>/<folder>/SKILL.md`.' },

  // S3 Behavior / Case-Insensitive Matching
  { id: 'S3-CASE-01', source: 'S3 Behavior / Case-Insensitive Matching', text: '"Git" finds "git".' },
  { id: 'S3-CASE-02', source: 'S3 Behavior / Case-Insensitive Matching', text: '"MCP-Builder" finds "mcp-builder".' },
  { id: 'S3-CASE-03', source: 'S3 Behavior / Case-Insensitive Matching', text: '"POSTGRES" finds "postgres".' },
  {
    id: 'S3-CASE-04',
    source: 'S3 Behavior / Case-Insensitive Matching',
    text: 'Lookup compares case-folded names (settled by the contract).',
  },

  // S3 Behavior / Required Frontmatter Fields
  { id: 'S3-FRONT-01', source: 'S3 Behavior / Required Frontmatter Fields', text: 'Front matter must have `name`.' },
  {
    id: 'S3-FRONT-02',
    source: 'S3 Behavior / Required Frontmatter Fields',
    text: 'Front matter must have `description`.',
  },
  {
    id: 'S3-FRONT-03',
    source: 'S3 Behavior / Required Frontmatter Fields',
    text: 'A skill missing either field is skipped by the scan.',
  },
  {
    id: 'S3-FRONT-04',
    source: 'S3 Behavior / Required Frontmatter Fields',
    text: 'Skipping such a skill is logged to stderr.',
  },
  {
    id: 'S3-FRONT-05',
    source: 'S3 Behavior / Required Frontmatter Fields',
    text: 'Skipping such a skill raises no error.',
  },

  // S3 Behavior / Refresh Cycle
  {
    id: 'S3-CYCLE-01',
    source: 'S3 Behavior / Refresh Cycle',
    text: 'Skills are scanned when the server starts.',
  },
  {
    id: 'S3-CYCLE-02',
    source: 'S3 Behavior / Refresh Cycle',
    text: 'Skills are refreshed every 30 seconds.',
  },
  { id: 'S3-CYCLE-03', source: 'S3 Behavior / Refresh Cycle', text: 'A new skill appears with the next refresh.' },
  {
    id: 'S3-CYCLE-04',
    source: 'S3 Behavior / Refresh Cycle',
    text: 'A deleted skill disappears with the next refresh.',
  },

  // S3 Behavior / Error Handling
  { id: 'S3-ERR-01', source: 'S3 Behavior / Error Handling', text: 'The not-found error lists the available skills.' },
  {
    id: 'S3-ERR-02',
    source: 'S3 Behavior / Error Handling',
    text: 'The not-found error suggests checking the spelling of the name.',
  },
  {
    id: 'S3-ERR-03',
    source: 'S3 Behavior / Error Handling',
    text: 'A skill with malformed front matter is skipped by the scan, if the repair fails too (settled by the contract).',
  },
  {
    id: 'S3-ERR-04',
    source: 'S3 Behavior / Error Handling',
    text: 'Malformed front matter is logged to stderr as a warning.',
  },
  { id: 'S3-ERR-05', source: 'S3 Behavior / Error Handling', text: 'Malformed front matter does not break the scan.' },
  {
    id: 'S3-ERR-06',
    source: 'S3 Behavior / Error Handling',
    text: 'Malformed front matter does not break the server.',
  },
  { id: 'S3-ERR-07', source: 'S3 Behavior / Error Handling', text: 'A missing directory is skipped silently.' },
  {
    id: 'S3-ERR-08',
    source: 'S3 Behavior / Error Handling',
    text: 'After a missing directory the remaining directories are still scanned.',
  },
  { id: 'S3-ERR-09', source: 'S3 Behavior / Error Handling', text: 'A file that may not be read is skipped.' },
  { id: 'S3-ERR-10', source: 'S3 Behavior / Error Handling', text: 'A directory that may not be read is skipped.' },
  { id: 'S3-ERR-11', source: 'S3 Behavior / Error Handling', text: 'A permission error is logged to stderr.' },

  // S3 Examples
  {
    id: 'S3-EX-01',
    source: 'S3 Examples',
    text: '`tools/call` of `skill` with `git` returns the header and the file of git.',
  },
  {
    id: 'S3-EX-02',
    source: 'S3 Examples',
    text: '`tools/call` of `skill` with `MCP-Builder` loads mcp-builder.',
  },
  {
    id: 'S3-EX-03',
    source: 'S3 Examples',
    text: '`tools/call` of `skill` with `nonexistent` returns the not-found text and the list.',
  },

  // S3 Performance Guarantees
  { id: 'S3-PERF-01', source: 'S3 Performance Guarantees', text: 'A lookup takes less than 100 ms.' },
  {
    id: 'S3-PERF-02',
    source: 'S3 Performance Guarantees',
    text: 'A call of the tool takes less than 100 ms.',
  },
  {
    id: 'S3-PERF-03',
    source: 'S3 Performance Guarantees',
    text: 'The initial scan takes less than 1 second, for 1,000 skills (settled by the contract).',
  },
  {
    id: 'S3-PERF-04',
    source: 'S3 Performance Guarantees',
    text: 'A refresh takes less than 1 second, for 10,000 unchanged skills (settled by the contract).',
  },
  {
    id: 'S3-PERF-05',
    source: 'S3 Performance Guarantees',
    text: 'Fewer than 100 skills take less than 10 MB of memory, counted as heap above an empty registry (settled by the contract).',
  },

  // S3 Protocol Compliance
  {
    id: 'S3-RPC-01',
    source: 'S3 Protocol Compliance',
    text: 'A tool call is a JSON-RPC 2.0 `tools/call` with `name` and `arguments`.',
  },
  {
    id: 'S3-RPC-02',
    source: 'S3 Protocol Compliance',
    text: 'The response repeats the `id` and carries `result.content`.',
  },

  // S3 Security Considerations
  {
    id: 'S3-SEC-01',
    source: 'S3 Security Considerations',
    text: 'The tool checks that `name` is a non-empty string.',
  },
  {
    id: 'S3-SEC-02',
    source: 'S3 Security Considerations',
    text: 'No requested name can walk out of the skill directories.',
  },
  { id: 'S3-SEC-03', source: 'S3 Security Considerations', text: 'Only the known skill directories are read.' },
  {
    id: 'S3-SEC-04',
    source: 'S3 Security Considerations',
    text: 'Over stdio and on loopback no authentication is needed; beyond loopback a token is (settled by the contract).',
  },
  {
    id: 'S3-SEC-05',
    source: 'S3 Security Considerations',
    text: 'Finding, listing, searching and loading skills change nothing in them.',
  },
  { id: 'S3-SEC-06', source: 'S3 Security Considerations', text: '`../../../etc/passwd` is refused as a name.' },
  { id: 'S3-SEC-07', source: 'S3 Security Considerations', text: '`.ssh/id_rsa` is refused as a name.' },
  { id: 'S3-SEC-08', source: 'S3 Security Considerations', text: 'Path separators are not accepted in names.' },

  // S3 Testing Scenarios
  {
    id: 'S3-TEST-01',
    source: 'S3 Testing Scenarios',
    text: 'Scenario 1: loading an existing skill returns its content.',
  },
  { id: 'S3-TEST-02', source: 'S3 Testing Scenarios', text: 'Scenario 2: "Git" finds "git".' },
  {
    id: 'S3-TEST-03',
    source: 'S3 Testing Scenarios',
    text: 'Scenario 3: a missing skill gives an error with the available skills.',
  },
  {
    id: 'S3-TEST-04',
    source: 'S3 Testing Scenarios',
    text: 'Scenario 4: an empty name given to the tool is a validation error.',
  },
  { id: 'S3-TEST-05', source: 'S3 Testing Scenarios', text: 'Scenario 5: a project skill overrides the global one.' },
  { id: 'S3-TEST-06', source: 'S3 Testing Scenarios', text: 'Scenario 6: a new skill appears after a refresh.' },
  { id: 'S3-TEST-07', source: 'S3 Testing Scenarios', text: 'Scenario 7: a missing directory causes no error.' },
  {
    id: 'S3-TEST-08',
    source: 'S3 Testing Scenarios',
    text: 'Scenario 8: malformed front matter skips the skill and logs a warning.',
  },
  { id: 'S3-TEST-09', source: 'S3 Testing Scenarios', text: 'Scenario 9: a missing required field skips the skill.' },
  {
    id: 'S3-TEST-10',
    source: 'S3 Testing Scenarios',
    text: 'Scenario 10: a skill that may not be read is skipped and an error logged.',
  },
  {
    id: 'S3-TEST-11',
    source: 'S3 Testing Scenarios',
    text: 'Scenario 6, on the server: a new skill appears within 30 seconds without any refresh call.',
  },

  // S4 Protocol Version
  {
    id: 'S4-PROTO-01',
    source: 'S4 Protocol Version',
    text: 'The server implements MCP in every released revision (settled by the contract).',
  },

  // S4 Transport
  {
    id: 'S4-TRANS-01',
    source: 'S4 Transport',
    text: '`skill serve` speaks JSON-RPC 2.0 over stdin and stdout.',
  },
  {
    id: 'S4-TRANS-02',
    source: 'S4 Transport',
    text: '`skill serve --http --port 3000` serves HTTP on port 3000 (settled by the contract).',
  },
  {
    id: 'S4-TRANS-03',
    source: 'S4 Transport',
    text: 'Over HTTP, responses can stream as server-sent events.',
  },

  // S4 Message Format
  {
    id: 'S4-MSG-01',
    source: 'S4 Message Format',
    text: 'Every message is JSON-RPC 2.0: `jsonrpc`, `id`, `method`, `params`.',
  },

  // S4 Methods
  {
    id: 'S4-METHOD-01',
    source: 'S4 Methods',
    text: '`tools/list` returns all available tools with name, description and input schema.',
  },
  {
    id: 'S4-METHOD-02',
    source: 'S4 Methods',
    text: '`tools/list` of `serve` has `skill-engine/execute`, whose description is about executing a skill tool.',
  },
  {
    id: 'S4-METHOD-03',
    source: 'S4 Methods',
    text: '`tools/call` of `skill-engine/execute` runs the named tool of the named skill with its parameters.',
  },
  {
    id: 'S4-METHOD-04',
    source: 'S4 Methods',
    text: 'The result of an execution is content of type text holding the output of the tool.',
  },

  // S4 Error Handling
  {
    id: 'S4-ERR-01',
    source: 'S4 Error Handling',
    text: 'Errors are JSON-RPC error objects with the `id` of the request, `code` and `message`.',
  },
  {
    id: 'S4-ERR-02',
    source: 'S4 Error Handling',
    text: 'A failed execution raised as -32603 carries `data.details`; it is an `isError` result by default (settled by the contract).',
  },
  { id: 'S4-ERR-03', source: 'S4 Error Handling', text: '-32700 stands for a parse error.' },
  { id: 'S4-ERR-04', source: 'S4 Error Handling', text: '-32600 stands for an invalid request.' },
  { id: 'S4-ERR-05', source: 'S4 Error Handling', text: '-32601 stands for an unknown method.' },
  { id: 'S4-ERR-06', source: 'S4 Error Handling', text: '-32602 stands for invalid parameters.' },
  { id: 'S4-ERR-07', source: 'S4 Error Handling', text: '-32603 stands for an internal error.' },

  // S4 Tool Schema / skill-engine/execute
  {
    id: 'S4-EXEC-01',
    source: 'S4 Tool Schema / skill-engine/execute',
    text: '`skill-engine/execute` has `skill_name`, a string described as "Name of the skill to execute".',
  },
  {
    id: 'S4-EXEC-02',
    source: 'S4 Tool Schema / skill-engine/execute',
    text: '`skill-engine/execute` has `tool_name`, a string described as "Name of the tool within the skill".',
  },
  {
    id: 'S4-EXEC-03',
    source: 'S4 Tool Schema / skill-engine/execute',
    text: '`skill-engine/execute` has `parameters`, an object described as "Tool-specific parameters".',
  },
  {
    id: 'S4-EXEC-04',
    source: 'S4 Tool Schema / skill-engine/execute',
    text: '`skill_name`, `tool_name` and `parameters` are required.',
  },
  {
    id: 'S4-EXEC-05',
    source: 'S4 Tool Schema / skill-engine/execute',
    text: '`skill-engine/execute` can run any tool of any skill.',
  },

  // S4 Tool Schema / skill-engine/list_skills
  {
    id: 'S4-LIST-01',
    source: 'S4 Tool Schema / skill-engine/list_skills',
    text: '`skill-engine/list_skills` lists the installed skills in pages.',
  },
  {
    id: 'S4-LIST-02',
    source: 'S4 Tool Schema / skill-engine/list_skills',
    text: '`limit` is a number described as "Maximum skills to return", default 50.',
  },
  {
    id: 'S4-LIST-03',
    source: 'S4 Tool Schema / skill-engine/list_skills',
    text: '`offset` is a number described as "Pagination offset", default 0.',
  },
  {
    id: 'S4-LIST-04',
    source: 'S4 Tool Schema / skill-engine/list_skills',
    text: '`limit` and `offset` are optional.',
  },

  // S4 Tool Schema / skill-engine/search_skills
  {
    id: 'S4-SEARCH-01',
    source: 'S4 Tool Schema / skill-engine/search_skills',
    text: '`skill-engine/search_skills` searches tools by meaning.',
  },
  {
    id: 'S4-SEARCH-02',
    source: 'S4 Tool Schema / skill-engine/search_skills',
    text: '`query` is a string described as "Natural language search query".',
  },
  {
    id: 'S4-SEARCH-03',
    source: 'S4 Tool Schema / skill-engine/search_skills',
    text: '`top_k` is a number described as "Number of results", default 10.',
  },
  {
    id: 'S4-SEARCH-04',
    source: 'S4 Tool Schema / skill-engine/search_skills',
    text: '`query` is required.',
  },

  // S4 Implementation Details / Connection Lifecycle
  {
    id: 'S4-LIFE-01',
    source: 'S4 Implementation Details / Connection Lifecycle',
    text: 'A client can spawn `skill serve` as its server process.',
  },
  {
    id: 'S4-LIFE-02',
    source: 'S4 Implementation Details / Connection Lifecycle',
    text: 'The server loads its skills on start, without holding up `initialize` (settled by the contract).',
  },
  {
    id: 'S4-LIFE-03',
    source: 'S4 Implementation Details / Connection Lifecycle',
    text: '`initialize` is answered with the capabilities of the server.',
  },
  {
    id: 'S4-LIFE-04',
    source: 'S4 Implementation Details / Connection Lifecycle',
    text: 'Tool requests that follow are executed and answered.',
  },
  {
    id: 'S4-LIFE-05',
    source: 'S4 Implementation Details / Connection Lifecycle',
    text: '`shutdown` from the client is answered and ends the server.',
  },

  // S4 Implementation Details / Concurrent Requests
  {
    id: 'S4-CONC-01',
    source: 'S4 Implementation Details / Concurrent Requests',
    text: 'Requests are handled concurrently: a slow one does not hold up a quick one.',
  },
  {
    id: 'S4-CONC-02',
    source: 'S4 Implementation Details / Concurrent Requests',
    text: 'No tool execution can affect another one.',
  },

  // S4 Implementation Details / Timeouts
  {
    id: 'S4-TIME-01',
    source: 'S4 Implementation Details / Timeouts',
    text: 'A tool execution times out after 30 seconds by default.',
  },
  {
    id: 'S4-TIME-02',
    source: 'S4 Implementation Details / Timeouts',
    text: 'The timeout can be configured per skill.',
  },
  {
    id: 'S4-TIME-03',
    source: 'S4 Implementation Details / Timeouts',
    text: 'A streaming run may exceed the default timeout.',
  },

  // S4 Implementation Details / Resource Limits
  {
    id: 'S4-RES-01',
    source: 'S4 Implementation Details / Resource Limits',
    text: 'The memory limit can be configured per skill.',
  },
  {
    id: 'S4-RES-02',
    source: 'S4 Implementation Details / Resource Limits',
    text: 'A run shares the CPU of the host, within its limit of CPU time (settled by the contract).',
  },
  {
    id: 'S4-RES-03',
    source: 'S4 Implementation Details / Resource Limits',
    text: 'Network access is configured by the manifest of the skill.',
  },

  // S4 Security / Sandboxing
  {
    id: 'S4-SANDBOX-01',
    source: 'S4 Security / Sandboxing',
    text: 'WASM skills run in a WASI sandbox with capability-based security.',
  },
  {
    id: 'S4-SANDBOX-02',
    source: 'S4 Security / Sandboxing',
    text: 'Docker skills run in a container with resource limits.',
  },
  {
    id: 'S4-SANDBOX-03',
    source: 'S4 Security / Sandboxing',
    text: 'Native skills run allow-listed commands only, inside an OS sandbox (settled by the contract).',
  },

  // S4 Security / Permissions
  {
    id: 'S4-PERM-01',
    source: 'S4 Security / Permissions',
    text: 'The manifest declares permissions under `[capabilities]`.',
  },
  {
    id: 'S4-PERM-02',
    source: 'S4 Security / Permissions',
    text: '`network = ["*.example.com"]` is the form of network permissions.',
  },
  {
    id: 'S4-PERM-03',
    source: 'S4 Security / Permissions',
    text: '`filesystem = ["read:/data", "write:/tmp"]` is the form of filesystem permissions.',
  },

  // S4 Security / Audit Logging
  { id: 'S4-AUDIT-01', source: 'S4 Security / Audit Logging', text: 'Every tool execution is logged.' },
  { id: 'S4-AUDIT-02', source: 'S4 Security / Audit Logging', text: 'The log entry has a timestamp.' },
  {
    id: 'S4-AUDIT-03',
    source: 'S4 Security / Audit Logging',
    text: 'The log entry has the names of skill and tool.',
  },
  {
    id: 'S4-AUDIT-04',
    source: 'S4 Security / Audit Logging',
    text: 'The log entry has the parameters, sanitised.',
  },
  {
    id: 'S4-AUDIT-05',
    source: 'S4 Security / Audit Logging',
    text: 'The log entry has the result of the execution.',
  },
  { id: 'S4-AUDIT-06', source: 'S4 Security / Audit Logging', text: 'The log entry has the duration.' },

  // S4 Testing
  {
    id: 'S4-TEST-01',
    source: 'S4 Testing',
    text: 'A lone `tools/list` piped into `skill serve` is answered without a handshake.',
  },
  {
    id: 'S4-TEST-02',
    source: 'S4 Testing',
    text: 'A client library connecting over stdio with command `skill` and argument `serve` succeeds.',
  },
  {
    id: 'S4-TEST-03',
    source: 'S4 Testing',
    text: 'That client can call `skill-engine/execute` with a skill, a tool and parameters.',
  },

  // Contract 1, Finding skills
  {
    id: 'C1-SKILL-01',
    source: 'Contract 1, Finding skills',
    text: 'A folder is a skill exactly when it holds a file called SKILL.md.',
  },
  {
    id: 'C1-SKILL-02',
    source: 'Contract 1, Finding skills',
    text: 'The file name is recognised in any letter case (`skill.md`, `Skill.md`, `SKILL.MD`).',
  },
  {
    id: 'C1-SKILL-03',
    source: 'Contract 1, Finding skills',
    text: 'Where one folder holds several spellings of the file, the one written `SKILL.md` is read.',
  },
  {
    id: 'C1-SKILL-04',
    source: 'Contract 1, Finding skills',
    text: 'The identity of a skill is the real path of its folder, not its name.',
  },
  {
    id: 'C1-SKILL-05',
    source: 'Contract 1, Finding skills',
    text: 'One folder reached by several roots or symlinks is one skill and appears once.',
  },

  // Contract 1, Roots
  {
    id: 'C1-ROOT-01',
    source: 'Contract 1, Roots',
    text: 'Every folder given by `--skill-dir` is a root of location `project`.',
  },
  {
    id: 'C1-ROOT-02',
    source: 'Contract 1, Roots',
    text: '`--skill-dir` may be given several times and each one is scanned.',
  },
  {
    id: 'C1-ROOT-03',
    source: 'Contract 1, Roots',
    text: '`--skill-dir PATH?scope=NAME` publishes the skills below PATH under provider NAME.',
  },
  { id: 'C1-ROOT-04', source: 'Contract 1, Roots', text: 'A `--skill-dir` without a scope gets the provider `file`.' },
  { id: 'C1-ROOT-05', source: 'Contract 1, Roots', text: 'Skills below a `--skill-dir` are found at any depth.' },
  {
    id: 'C1-ROOT-06',
    source: 'Contract 1, Roots',
    text: '`./.agent/skills` is a root with provider `agents`, location `project`.',
  },
  {
    id: 'C1-ROOT-07',
    source: 'Contract 1, Roots',
    text: '`./.agents/skills` is a root with provider `agents`, location `project`.',
  },
  {
    id: 'C1-ROOT-08',
    source: 'Contract 1, Roots',
    text: '`~/.agent/skills` is a root with provider `agents`, location `global`.',
  },
  {
    id: 'C1-ROOT-09',
    source: 'Contract 1, Roots',
    text: '`~/.agents/skills` is a root with provider `agents`, location `global`.',
  },
  {
    id: 'C1-ROOT-10',
    source: 'Contract 1, Roots',
    text: '`~/.config/agents/skills` is a root with provider `agents`, location `global`.',
  },
  {
    id: 'C1-ROOT-11',
    source: 'Contract 1, Roots',
    text: '`./.claude/skills` is a root with provider `claude`, location `project`.',
  },
  {
    id: 'C1-ROOT-12',
    source: 'Contract 1, Roots',
    text: '`~/.claude/skills` is a root with provider `claude`, location `global`, ranked after its project twin.',
  },
  {
    id: 'C1-ROOT-13',
    source: 'Contract 1, Roots',
    text: '`CLAUDE_CONFIG_DIR` moves the global Claude root to `$CLAUDE_CONFIG_DIR/skills`.',
  },
  {
    id: 'C1-ROOT-14',
    source: 'Contract 1, Roots',
    text: '`./.codex/skills` is a root with provider `codex`, location `project`.',
  },
  {
    id: 'C1-ROOT-15',
    source: 'Contract 1, Roots',
    text: '`~/.codex/skills` is a root with provider `codex`, location `global`.',
  },
  {
    id: 'C1-ROOT-16',
    source: 'Contract 1, Roots',
    text: '`CODEX_HOME` moves the global Codex root to `$CODEX_HOME/skills`.',
  },
  {
    id: 'C1-ROOT-17',
    source: 'Contract 1, Roots',
    text: '`/etc/codex/skills` is a root with provider `codex`, location `global`, ranked last of the Codex roots.',
  },
  {
    id: 'C1-ROOT-18',
    source: 'Contract 1, Roots',
    text: 'Every other known agent has its project folder as a root, with the name of the agent as provider.',
  },
  {
    id: 'C1-ROOT-19',
    source: 'Contract 1, Roots',
    text: 'Every other known agent has its global folder as a root, with the name of the agent as provider.',
  },
  {
    id: 'C1-ROOT-20',
    source: 'Contract 1, Roots',
    text: 'An agent whose global folder differs from its project path has it as root (Windsurf: `~/.codeium/windsurf/skills`).',
  },
  {
    id: 'C1-ROOT-21',
    source: 'Contract 1, Roots',
    text: 'For each of the other agents the project folder ranks above the global one.',
  },
  {
    id: 'C1-ROOT-22',
    source: 'Contract 1, Roots',
    text: '`./skills` is a root with provider `agents`, location `project`.',
  },
  { id: 'C1-ROOT-23', source: 'Contract 1, Roots', text: 'Skills below `./skills` are found at any depth.' },
  {
    id: 'C1-ROOT-24',
    source: 'Contract 1, Roots',
    text: '`--root PATH` replaces `./skills`: PATH is scanned and `./skills` is not.',
  },
  {
    id: 'C1-ROOT-25',
    source: 'Contract 1, Roots',
    text: 'Skills of installed Claude Code plugins are found, with location `plugin` and provider `claude`.',
  },
  {
    id: 'C1-ROOT-26',
    source: 'Contract 1, Roots',
    text: 'Skills of installed Codex plugins are found, with location `plugin` and provider `codex`.',
  },
  {
    id: 'C1-ROOT-27',
    source: 'Contract 1, Roots',
    text: 'Skills of installed Gemini CLI extensions are found, with location `plugin` and provider `gemini`.',
  },
  {
    id: 'C1-ROOT-28',
    source: 'Contract 1, Roots',
    text: 'Skills in Agent Plugins folders are found, with location `plugin` and their agent as provider.',
  },
  {
    id: 'C1-ROOT-29',
    source: 'Contract 1, Roots',
    text: 'Roots rank in this order: skill-dir, project `agents`, global `agents`, claude, codex, other agents, `./skills`, plugins.',
  },
  {
    id: 'C1-ROOT-30',
    source: 'Contract 1, Roots',
    text: 'Project roots are looked for in the working directory and in each parent up to the repository root.',
  },
  { id: 'C1-ROOT-31', source: 'Contract 1, Roots', text: 'Project roots above the repository root are not looked at.' },
  {
    id: 'C1-ROOT-32',
    source: 'Contract 1, Roots',
    text: 'Of two project roots of one kind, the one nearest the working directory wins.',
  },
  {
    id: 'C1-ROOT-33',
    source: 'Contract 1, Roots',
    text: 'A relative `--root` is looked for from the working directory up to the repository root, as `./skills` is.',
  },
  {
    id: 'C1-ROOT-34',
    source: 'Contract 1, Roots',
    text: 'A folder that the user named and that does not exist is one warning, on stderr and among the diagnostics.',
  },

  // Contract 1, Walking a root
  {
    id: 'C1-WALK-01',
    source: 'Contract 1, Walking a root',
    text: 'In a depth-1 root, each direct child folder with a SKILL.md is a skill.',
  },
  {
    id: 'C1-WALK-02',
    source: 'Contract 1, Walking a root',
    text: 'A category folder, one without a SKILL.md of its own but with skills further down, is entered.',
  },
  {
    id: 'C1-WALK-03',
    source: 'Contract 1, Walking a root',
    text: 'Category folders are entered down to depth 6 and no further.',
  },
  { id: 'C1-WALK-04', source: 'Contract 1, Walking a root', text: '`.git` is never entered.' },
  { id: 'C1-WALK-05', source: 'Contract 1, Walking a root', text: '`node_modules` is never entered.' },
  {
    id: 'C1-WALK-06',
    source: 'Contract 1, Walking a root',
    text: 'Other version-control and dependency folders of that kind are never entered.',
  },
  {
    id: 'C1-WALK-07',
    source: 'Contract 1, Walking a root',
    text: 'A skill lying within the folder of another one appears as a separate skill.',
  },
  {
    id: 'C1-WALK-08',
    source: 'Contract 1, Walking a root',
    text: 'A skill that contains nested skills still appears itself.',
  },

  // Contract 1, Links and unreadable roots
  {
    id: 'C1-LINK-01',
    source: 'Contract 1, Links and unreadable roots',
    text: 'Skills behind a symlink to a folder are found.',
  },
  {
    id: 'C1-LINK-02',
    source: 'Contract 1, Links and unreadable roots',
    text: 'A symlinked folder is visited once only.',
  },
  {
    id: 'C1-LINK-03',
    source: 'Contract 1, Links and unreadable roots',
    text: 'A loop of symlinks ends the walk without error and without noise.',
  },
  {
    id: 'C1-LINK-04',
    source: 'Contract 1, Links and unreadable roots',
    text: 'A file link whose target lies outside the real folder of its skill is not read.',
  },
  {
    id: 'C1-LINK-05',
    source: 'Contract 1, Links and unreadable roots',
    text: 'A file link leading out of its skill is reported as a diagnostic.',
  },
  {
    id: 'C1-LINK-06',
    source: 'Contract 1, Links and unreadable roots',
    text: 'A root that does not exist is passed over without any message.',
  },
  { id: 'C1-LINK-07', source: 'Contract 1, Links and unreadable roots', text: 'A root that cannot be read is logged.' },

  // Contract 1, Plugins
  {
    id: 'C1-PLUGIN-01',
    source: 'Contract 1, Plugins',
    text: '`installed_plugins.json` version 1, one object per `plugin@marketplace`, is understood.',
  },
  {
    id: 'C1-PLUGIN-02',
    source: 'Contract 1, Plugins',
    text: '`installed_plugins.json` version 2, an array of entries per `plugin@marketplace`, is understood.',
  },
  {
    id: 'C1-PLUGIN-03',
    source: 'Contract 1, Plugins',
    text: '`installed_plugins.json` as a flat array of entries naming plugin and marketplace is understood.',
  },
  {
    id: 'C1-PLUGIN-04',
    source: 'Contract 1, Plugins',
    text: 'An entry whose `scope` is `user` counts in every working directory.',
  },
  {
    id: 'C1-PLUGIN-05',
    source: 'Contract 1, Plugins',
    text: 'An entry with scope `project` or `local` counts only when its `projectPath` contains the working directory.',
  },
  {
    id: 'C1-PLUGIN-06',
    source: 'Contract 1, Plugins',
    text: 'Of several entries that count, the narrower scope wins (local, project, user), then the most recently updated.',
  },
  {
    id: 'C1-PLUGIN-07',
    source: 'Contract 1, Plugins',
    text: 'A plugin set to false under `enabledPlugins` in the settings publishes no skills.',
  },
  {
    id: 'C1-PLUGIN-08',
    source: 'Contract 1, Plugins',
    text: 'An entry whose `installPath` is gone affects nothing but itself.',
  },
  {
    id: 'C1-PLUGIN-09',
    source: 'Contract 1, Plugins',
    text: 'An unreadable or malformed `installed_plugins.json` is reported and the other roots are still found.',
  },
  { id: 'C1-PLUGIN-10', source: 'Contract 1, Plugins', text: 'The full name of a plugin skill is `plugin:skill`.' },
  {
    id: 'C1-PLUGIN-11',
    source: 'Contract 1, Plugins',
    text: 'Skills of a plugin are found at `skills/<x>/SKILL.md` below its root.',
  },
  {
    id: 'C1-PLUGIN-12',
    source: 'Contract 1, Plugins',
    text: 'Skill folders that the manifest of a plugin names are found too.',
  },

  // Contract 1, Options
  { id: 'C1-OPT-01', source: 'Contract 1, Options', text: '`--no-plugins` leaves every plugin skill out.' },
  {
    id: 'C1-OPT-02',
    source: 'Contract 1, Options',
    text: 'The library option `skipPlugins: true` does what `--no-plugins` does.',
  },
  {
    id: 'C1-OPT-03',
    source: 'Contract 1, Options',
    text: '`--plugins-file PATH` reads PATH in place of the default `installed_plugins.json`.',
  },
  {
    id: 'C1-OPT-04',
    source: 'Contract 1, Options',
    text: 'The library option `pluginsFile` does what `--plugins-file` does.',
  },
  {
    id: 'C1-OPT-05',
    source: 'Contract 1, Options',
    text: '`--plugins-root PATH` takes PATH as the folder where plugins live.',
  },
  {
    id: 'C1-OPT-06',
    source: 'Contract 1, Options',
    text: 'The library option `pluginsRoot` does what `--plugins-root` does.',
  },
  {
    id: 'C1-OPT-07',
    source: 'Contract 1, Options',
    text: '`--no-scan-default-dirs` turns the built-in directories off; folders named by `--skill-dir` are still scanned.',
  },
  {
    id: 'C1-OPT-08',
    source: 'Contract 1, Options',
    text: 'The library option `scanDefaultDirs: false` does what `--no-scan-default-dirs` does.',
  },

  // Contract 1, Reading a SKILL.md
  {
    id: 'C1-READ-01',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'A skill without a `name` is skipped and the reason is logged.',
  },
  {
    id: 'C1-READ-02',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'A skill without a `description` is skipped and the reason is logged.',
  },
  {
    id: 'C1-READ-03',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'Front matter is the YAML between the opening and the closing `---` line.',
  },
  {
    id: 'C1-READ-04',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'Front matter is read by YAML 1.2 rules (block scalars, quoting, flow and nested values).',
  },
  {
    id: 'C1-READ-05',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'Front matter whose aliases expand beyond a limit is refused rather than expanded.',
  },
  {
    id: 'C1-READ-06',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'Front matter nested beyond a depth limit is refused.',
  },
  { id: 'C1-READ-07', source: 'Contract 1, Reading a SKILL.md', text: 'Front matter beyond a size limit is refused.' },
  {
    id: 'C1-READ-08',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'A plain value that breaks strict YAML only by holding `: ` or the like is quoted and read again.',
  },
  {
    id: 'C1-READ-09',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'A front matter repaired by quoting yields a warning.',
  },
  {
    id: 'C1-READ-10',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'Quoting repairs the common real failures: at least 66 of the 72 among 9,994 real files.',
  },
  {
    id: 'C1-READ-11',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'Front matter that stays unreadable after the repair makes the skill skipped, with a warning.',
  },
  {
    id: 'C1-READ-21',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'What a repair could not make a name or a description of is skipped with a warning, never published.',
  },
  {
    id: 'C1-READ-12',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'A leading byte order mark does not prevent reading.',
  },
  {
    id: 'C1-READ-13',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'CRLF line ends do not prevent reading and give the same values as LF.',
  },
  {
    id: 'C1-READ-14',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'Loading returns the bytes of the file unchanged, byte order mark and CRLF included.',
  },
  {
    id: 'C1-READ-15',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'Front matter in JavaScript (`---js`) is never evaluated.',
  },
  {
    id: 'C1-READ-16',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'YAML tags that ask for code or host objects (`!!js/function`) are never evaluated.',
  },
  { id: 'C1-READ-17', source: 'Contract 1, Reading a SKILL.md', text: 'A number where text belongs is read as text.' },
  { id: 'C1-READ-18', source: 'Contract 1, Reading a SKILL.md', text: 'A boolean where text belongs is read as text.' },
  {
    id: 'C1-READ-19',
    source: 'Contract 1, Reading a SKILL.md',
    text: '`repertoire validate` reports breaches of the strict format rules.',
  },
  {
    id: 'C1-READ-20',
    source: 'Contract 1, Reading a SKILL.md',
    text: 'Loading and listing accept skills that breach the strict rules, as long as `name` and `description` are there.',
  },

  // Contract 1, Names
  {
    id: 'C1-NAME-01',
    source: 'Contract 1, Names',
    text: 'Lookup folds letter case by Unicode rules, not ASCII alone.',
  },
  {
    id: 'C1-NAME-02',
    source: 'Contract 1, Names',
    text: 'Lookup treats composed and decomposed forms of a name as equal (NFC).',
  },
  { id: 'C1-NAME-03', source: 'Contract 1, Names', text: 'An exact match is preferred to one found by folding.' },
  {
    id: 'C1-NAME-04',
    source: 'Contract 1, Names',
    text: 'A full name (`plugin:skill`, or the name of a plain skill) is tried first.',
  },
  { id: 'C1-NAME-05', source: 'Contract 1, Names', text: '`provider:name` is tried after the full name.' },
  { id: 'C1-NAME-06', source: 'Contract 1, Names', text: '`provider:plugin:name` is tried after `provider:name`.' },
  {
    id: 'C1-NAME-07',
    source: 'Contract 1, Names',
    text: 'A short name, the last segment of a full name, is tried after the provider forms.',
  },
  {
    id: 'C1-NAME-08',
    source: 'Contract 1, Names',
    text: 'A `skill://…/SKILL.md` URI is tried last and finds its skill.',
  },

  // Contract 1, Shadowing
  {
    id: 'C1-SHADOW-01',
    source: 'Contract 1, Shadowing',
    text: 'Within one provider a project skill shadows a global skill of the same name.',
  },
  {
    id: 'C1-SHADOW-02',
    source: 'Contract 1, Shadowing',
    text: 'A skill of provider `file` shadows a skill of the same name from `agents` or an agent-specific provider.',
  },
  {
    id: 'C1-SHADOW-03',
    source: 'Contract 1, Shadowing',
    text: 'A skill of provider `agents` shadows a skill of the same name from an agent-specific provider.',
  },
  {
    id: 'C1-SHADOW-04',
    source: 'Contract 1, Same name twice in one root',
    text: 'Both are listed; the first by path has the name, the other is loaded by its folder, and the clash is a diagnostic.',
  },

  // Contract 1, Ambiguity
  {
    id: 'C1-AMBIG-01',
    source: 'Contract 1, Ambiguity',
    text: 'A short name shared by two agent-specific providers and settled by no shadowing rule is an error.',
  },
  {
    id: 'C1-AMBIG-02',
    source: 'Contract 1, Ambiguity',
    text: 'The error for two providers names every full name (`codex:pdf`, `claude:pdf`).',
  },
  {
    id: 'C1-AMBIG-03',
    source: 'Contract 1, Ambiguity',
    text: 'A short name shared by two plugins and settled by no shadowing rule is an error.',
  },
  {
    id: 'C1-AMBIG-04',
    source: 'Contract 1, Ambiguity',
    text: 'The error for two plugins names every full name (`example:pdf`, `other:pdf`).',
  },
  {
    id: 'C1-AMBIG-05',
    source: 'Contract 1, Ambiguity',
    text: '`--on-duplicate first` takes the skill of the higher root instead of failing.',
  },
  {
    id: 'C1-AMBIG-06',
    source: 'Contract 1, Ambiguity',
    text: '`pdf` resolves to the project or global skill of that very name even where plugins hold a `pdf` too.',
  },

  // Contract 1, Not found
  {
    id: 'C1-MISS-01',
    source: 'Contract 1, Not found',
    text: 'A name that matches nothing is an error offering near names, five at most.',
  },
  {
    id: 'C1-MISS-02',
    source: 'Contract 1, Not found',
    text: 'A request with two letters transposed is offered the right name.',
  },
  {
    id: 'C1-MISS-03',
    source: 'Contract 1, Not found',
    text: 'A request with a letter doubled is offered the right name.',
  },
  {
    id: 'C1-MISS-04',
    source: 'Contract 1, Not found',
    text: 'A request with a letter missing is offered the right name.',
  },
  { id: 'C1-MISS-05', source: 'Contract 1, Not found', text: 'The error lists the available skills.' },
  { id: 'C1-MISS-06', source: 'Contract 1, Not found', text: 'The list of available skills is capped.' },
  { id: 'C1-MISS-07', source: 'Contract 1, Not found', text: 'A capped list states how many skills it leaves out.' },

  // Contract 1, Refused names
  {
    id: 'C1-GUARD-01',
    source: 'Contract 1, Refused names',
    text: 'Requesting a name with `/` or a backslash in it is refused as invalid parameters.',
  },
  {
    id: 'C1-GUARD-02',
    source: 'Contract 1, Refused names',
    text: 'Requesting a name with `..` in it is refused as invalid parameters.',
  },
  {
    id: 'C1-GUARD-03',
    source: 'Contract 1, Refused names',
    text: 'Requesting a name with a NUL character in it is refused as invalid parameters.',
  },
  {
    id: 'C1-GUARD-04',
    source: 'Contract 1, Refused names',
    text: 'No form of request, the URI form included, can make a file outside the known skills be read.',
  },

  // Contract 1, Filters
  { id: 'C1-FILTER-01', source: 'Contract 1, Filters', text: '`--include` may be repeated.' },
  { id: 'C1-FILTER-02', source: 'Contract 1, Filters', text: '`--exclude` may be repeated.' },
  {
    id: 'C1-FILTER-03',
    source: 'Contract 1, Filters',
    text: 'One `--include` or `--exclude` may hold several tokens separated by commas.',
  },
  {
    id: 'C1-FILTER-04',
    source: 'Contract 1, Filters',
    text: 'Every command that sees skills takes `--include` and `--exclude`.',
  },
  { id: 'C1-FILTER-05', source: 'Contract 1, Filters', text: 'Filters are applied again at every refresh.' },
  {
    id: 'C1-FILTER-06',
    source: 'Contract 1, Filters',
    text: 'The token `auto` stands for the default selection: `--include auto` equals no include.',
  },
  { id: 'C1-FILTER-07', source: 'Contract 1, Filters', text: 'The token `all` matches every skill.' },
  {
    id: 'C1-FILTER-08',
    source: 'Contract 1, Filters',
    text: 'A provider name as token matches all skills of that provider.',
  },
  {
    id: 'C1-FILTER-09',
    source: 'Contract 1, Filters',
    text: '`<provider>:<name>` matches that name within the provider only.',
  },
  {
    id: 'C1-FILTER-10',
    source: 'Contract 1, Filters',
    text: '`<provider>:<glob>` matches by glob within the provider only.',
  },
  { id: 'C1-FILTER-11', source: 'Contract 1, Filters', text: '`@plugins` matches every plugin skill.' },
  {
    id: 'C1-FILTER-12',
    source: 'Contract 1, Filters',
    text: '`@plugins:<plugin>` matches every skill of that plugin.',
  },
  { id: 'C1-FILTER-13', source: 'Contract 1, Filters', text: '`@<plugin>:<skill>` matches that skill of that plugin.' },
  { id: 'C1-FILTER-14', source: 'Contract 1, Filters', text: '`project` matches the skills of location `project`.' },
  { id: 'C1-FILTER-15', source: 'Contract 1, Filters', text: '`global` matches the skills of location `global`.' },
  { id: 'C1-FILTER-16', source: 'Contract 1, Filters', text: '`user` means the same as `global`.' },
  {
    id: 'C1-FILTER-17',
    source: 'Contract 1, Filters',
    text: '`file:<path>` matches the skills at or below that path.',
  },
  {
    id: 'C1-FILTER-18',
    source: 'Contract 1, Filters',
    text: 'A bare name matches the skills so called and nothing else.',
  },
  { id: 'C1-FILTER-19', source: 'Contract 1, Filters', text: 'A bare glob matches skills by name.' },
  {
    id: 'C1-FILTER-20',
    source: 'Contract 1, Filters',
    text: '`*` in a token stands for any run of characters, as in a shell.',
  },
  {
    id: 'C1-FILTER-21',
    source: 'Contract 1, Filters',
    text: '`?` in a token stands for exactly one character, as in a shell.',
  },
  {
    id: 'C1-FILTER-22',
    source: 'Contract 1, Filters',
    text: 'Includes are applied first and excludes take away from their result.',
  },
  {
    id: 'C1-FILTER-23',
    source: 'Contract 1, Filters',
    text: 'A token that matches nothing yields a warning naming it.',
  },

  // Contract 2, Start commands
  {
    id: 'C2-CMD-01',
    source: 'Contract 2, Start commands',
    text: '`repertoire mcp` lists the tool `skill` and no other.',
  },
  {
    id: 'C2-CMD-02',
    source: 'Contract 2, Start commands',
    text: '`repertoire mcp-server` lists `skills.list` and `skills.search` and no other.',
  },
  {
    id: 'C2-CMD-03',
    source: 'Contract 2, Start commands',
    text: '`repertoire mcp-server` takes `--root`, `./skills` by default.',
  },
  {
    id: 'C2-CMD-04',
    source: 'Contract 2, Start commands',
    text: '`repertoire serve` lists all six tools.',
  },
  {
    id: 'C2-CMD-05',
    source: 'Contract 2, Start commands',
    text: '`--tools a,b,c` lists exactly the named tools, on any of the three commands.',
  },
  {
    id: 'C2-CMD-06',
    source: 'Contract 2, Start commands',
    text: '`repertoire alias skill` puts the program on the path under the name `skill`, so that `skill serve` works; the package installs `repertoire` alone.',
  },

  // Contract 2, Tool names
  {
    id: 'C2-TOOLNAME-01',
    source: 'Contract 2, Tool names',
    text: 'By default (`--tool-names documented`) tools are listed as `skill`, `skills.list`, `skill-engine/execute` and so on.',
  },
  {
    id: 'C2-TOOLNAME-02',
    source: 'Contract 2, Tool names',
    text: '`--tool-names portable` lists underscored names (`skills_list`, `skill_engine_execute`).',
  },
  {
    id: 'C2-TOOLNAME-03',
    source: 'Contract 2, Tool names',
    text: '`tools/call` accepts every spelling of a tool name in either mode.',
  },
  {
    id: 'C2-TOOLNAME-04',
    source: 'Contract 2, Tool names',
    text: 'The tools listed are the same on every connection.',
  },

  // Contract 2, Protocol
  {
    id: 'C2-PROTO-01',
    source: 'Contract 2, Protocol',
    text: 'Each released protocol revision (2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28) can be negotiated.',
  },
  {
    id: 'C2-PROTO-02',
    source: 'Contract 2, Protocol',
    text: 'Clients of the handshake era (`initialize`) are served.',
  },
  {
    id: 'C2-PROTO-03',
    source: 'Contract 2, Protocol',
    text: 'Clients of the stateless era (`server/discover`) are served.',
  },
  {
    id: 'C2-PROTO-04',
    source: 'Contract 2, Protocol',
    text: 'Both eras are served on one endpoint.',
  },
  {
    id: 'C2-PROTO-05',
    source: 'Contract 2, Protocol',
    text: 'Malformed JSON is answered with -32700.',
  },
  {
    id: 'C2-PROTO-06',
    source: 'Contract 2, Protocol',
    text: 'A message that is no valid request is answered with -32600.',
  },
  {
    id: 'C2-PROTO-07',
    source: 'Contract 2, Protocol',
    text: 'An unknown method is answered with -32601.',
  },
  {
    id: 'C2-PROTO-08',
    source: 'Contract 2, Protocol',
    text: 'Invalid parameters are answered with -32602.',
  },
  {
    id: 'C2-PROTO-09',
    source: 'Contract 2, Protocol',
    text: 'An internal failure is answered with -32603.',
  },

  // Contract 2, Transports
  {
    id: 'C2-TRANS-01',
    source: 'Contract 2, Transports',
    text: 'Without options the server speaks over stdio.',
  },
  {
    id: 'C2-TRANS-02',
    source: 'Contract 2, Transports',
    text: '`--transport http` serves streamable HTTP at `/mcp`.',
  },
  {
    id: 'C2-TRANS-03',
    source: 'Contract 2, Transports',
    text: '`--transport sse` opens the stream at `GET /mcp`.',
  },
  {
    id: 'C2-TRANS-04',
    source: 'Contract 2, Transports',
    text: '`--transport sse` takes messages at `POST /messages?sessionId=`.',
  },
  {
    id: 'C2-TRANS-05',
    source: 'Contract 2, Transports',
    text: '`--host` sets the bind address, 127.0.0.1 by default.',
  },
  {
    id: 'C2-TRANS-06',
    source: 'Contract 2, Transports',
    text: '`--port` sets the port, 3000 by default.',
  },
  { id: 'C2-TRANS-07', source: 'Contract 2, Transports', text: '`--http` means `--transport http`.' },
  {
    id: 'C2-TRANS-08',
    source: 'Contract 2, Transports',
    text: 'Over HTTP any number of clients are served at the same time.',
  },
  {
    id: 'C2-TRANS-09',
    source: 'Contract 2, Transports',
    text: 'A request with a foreign Host header is refused, on every bind address.',
  },
  {
    id: 'C2-TRANS-10',
    source: 'Contract 2, Transports',
    text: 'A request with a foreign Origin header is refused, on every bind address.',
  },
  {
    id: 'C2-TRANS-11',
    source: 'Contract 2, Transports',
    text: 'Binding beyond loopback without a token refuses to start.',
  },
  {
    id: 'C2-TRANS-12',
    source: 'Contract 2, Transports',
    text: '`--auth-token` or `REPERTOIRE_TOKEN` lets the server bind beyond loopback.',
  },
  {
    id: 'C2-TRANS-13',
    source: 'Contract 2, Transports',
    text: 'With a token set, a request that does not carry it is refused.',
  },

  // Contract 2, stdio hygiene
  {
    id: 'C2-STDIO-01',
    source: 'Contract 2, stdio hygiene',
    text: 'stdout carries JSON-RPC messages and nothing else.',
  },
  { id: 'C2-STDIO-02', source: 'Contract 2, stdio hygiene', text: 'Logs go to stderr.' },
  {
    id: 'C2-STDIO-03',
    source: 'Contract 2, stdio hygiene',
    text: 'On SIGINT the server exits with code 0 over stdio.',
  },
  {
    id: 'C2-STDIO-04',
    source: 'Contract 2, stdio hygiene',
    text: 'On SIGTERM the server exits with code 0 over stdio.',
  },
  {
    id: 'C2-STDIO-05',
    source: 'Contract 2, stdio hygiene',
    text: 'The end of stdin ends the process with code 0.',
  },
  {
    id: 'C2-STDIO-06',
    source: 'Contract 2, stdio hygiene',
    text: 'A `shutdown` request ends the process with code 0.',
  },
  {
    id: 'C2-STDIO-07',
    source: 'Contract 2, stdio hygiene',
    text: 'Every ordinary end writes a shutdown line to stderr.',
  },
  {
    id: 'C2-STDIO-08',
    source: 'Contract 2, stdio hygiene',
    text: 'Every ordinary end first ends all child processes.',
  },

  // Contract 2, Start-up
  {
    id: 'C2-START-01',
    source: 'Contract 2, Start-up',
    text: 'The handshake waits for the first scan at most 500 ms, and only where nothing is remembered of the roots.',
  },
  {
    id: 'C2-START-02',
    source: 'Contract 2, Start-up',
    text: '`instructions` never says that there are no skills before a scan has ended; until then it says that they are being read, and how to ask.',
  },
  {
    id: 'C2-START-03',
    source: 'Contract 2, Start-up',
    text: 'What one start has found serves every start command, option and filter on the same roots, and outlasts an edited text.',
  },

  // Contract 2, Freshness
  {
    id: 'C2-FRESH-01',
    source: 'Contract 2, Freshness',
    text: 'A watcher notices changed skills on its own.',
  },
  {
    id: 'C2-FRESH-02',
    source: 'Contract 2, Freshness',
    text: 'The watcher debounces by 500 ms after the last change.',
  },
  {
    id: 'C2-FRESH-03',
    source: 'Contract 2, Freshness',
    text: 'However many changes follow one another, the last of them is picked up.',
  },
  {
    id: 'C2-FRESH-04',
    source: 'Contract 2, Freshness',
    text: 'A cheap check at call time notices changes the watcher has not yet reported.',
  },
  {
    id: 'C2-FRESH-05',
    source: 'Contract 2, Freshness',
    text: '`--refresh-interval` sets the period of the safety rescan, 30000 ms by default.',
  },
  {
    id: 'C2-FRESH-06',
    source: 'Contract 2, Freshness',
    text: 'Each interval rescan writes one line to stderr.',
  },
  {
    id: 'C2-FRESH-07',
    source: 'Contract 2, Freshness',
    text: '`--no-refresh` turns watcher, call-time check and interval off.',
  },
  {
    id: 'C2-FRESH-08',
    source: 'Contract 2, Freshness',
    text: 'The library option `autoRefresh: false` turns watcher, call-time check and interval off.',
  },
  {
    id: 'C2-FRESH-09',
    source: 'Contract 2, Freshness',
    text: 'A refresh builds a second registry and swaps it in whole: no reader sees a half-built one.',
  },
  { id: 'C2-FRESH-10', source: 'Contract 2, Freshness', text: 'No lookup waits for a refresh in progress.' },
  {
    id: 'C2-FRESH-11',
    source: 'Contract 2, Freshness',
    text: 'No lookup fails because of a refresh, not even of one that fails itself.',
  },
  {
    id: 'C2-FRESH-12',
    source: 'Contract 2, Freshness',
    text: '`notifications/tools/list_changed` goes out when the visible set of skills has changed.',
  },
  {
    id: 'C2-FRESH-13',
    source: 'Contract 2, Freshness',
    text: '`notifications/resources/list_changed` goes out when the visible set of skills has changed.',
  },
  {
    id: 'C2-FRESH-14',
    source: 'Contract 2, Freshness',
    text: 'A refresh that leaves the visible set as it was sends no notification.',
  },
  {
    id: 'C2-FRESH-15',
    source: 'Contract 2, Freshness',
    text: 'No change notification goes out before initialization.',
  },
  {
    id: 'C2-FRESH-16',
    source: 'Contract 2, Freshness',
    text: 'Where the revision has clients subscribe, only those that asked get change notifications.',
  },

  // Contract 2, skill
  {
    id: 'C2-SKILL-01',
    source: 'Contract 2, skill',
    text: 'The input schema of `skill` requires `name`, a non-empty string, and nothing else, and is strict.',
  },
  { id: 'C2-SKILL-02', source: 'Contract 2, skill', text: 'The title of `skill` is "Load Skill".' },
  {
    id: 'C2-SKILL-03',
    source: 'Contract 2, skill',
    text: '`skill` carries the four annotations readOnlyHint, destructiveHint, idempotentHint and openWorldHint.',
  },
  {
    id: 'C2-SKILL-04',
    source: 'Contract 2, skill',
    text: '`command` is accepted on input in place of `name`.',
  },
  {
    id: 'C2-SKILL-05',
    source: 'Contract 2, skill',
    text: 'An empty `name` is -32602 with "Skill name cannot be empty".',
  },
  {
    id: 'C2-SKILL-06',
    source: 'Contract 2, skill',
    text: 'A missing `name` is -32602 with "`name` is required".',
  },

  // Contract 2, skill description
  {
    id: 'C2-CATALOG-01',
    source: 'Contract 2, skill description',
    text: 'The description holds the usage instructions, with `name` in place of `command` in the examples.',
  },
  {
    id: 'C2-CATALOG-02',
    source: 'Contract 2, skill description',
    text: 'The description holds notes on how skills are discovered.',
  },
  {
    id: 'C2-CATALOG-03',
    source: 'Contract 2, skill description',
    text: 'The description holds an `<available_skills>` block of XML entries.',
  },
  {
    id: 'C2-CATALOG-04',
    source: 'Contract 2, skill description',
    text: 'Names, descriptions and locations in the block are XML-escaped.',
  },
  {
    id: 'C2-CATALOG-05',
    source: 'Contract 2, skill description',
    text: 'With no skills the block holds an entry called `none`.',
  },
  {
    id: 'C2-CATALOG-06',
    source: 'Contract 2, skill description',
    text: 'Every skill is listed in the block.',
  },
  {
    id: 'C2-CATALOG-07',
    source: 'Contract 2, skill description',
    text: '`--catalog-budget` caps the catalogue, not the text around it; 16,000 characters by default.',
  },
  {
    id: 'C2-CATALOG-08',
    source: 'Contract 2, skill description',
    text: '`--catalog-budget 0` means no cap.',
  },
  {
    id: 'C2-CATALOG-09',
    source: 'Contract 2, skill description',
    text: 'Beyond the budget all descriptions are first shortened evenly.',
  },
  {
    id: 'C2-CATALOG-10',
    source: 'Contract 2, skill description',
    text: 'Where shortening is not enough, descriptions are dropped and the names remain.',
  },
  {
    id: 'C2-CATALOG-11',
    source: 'Contract 2, skill description',
    text: 'A shortened catalogue says that it is shortened and points to search.',
  },
  {
    id: 'C2-CATALOG-12',
    source: 'Contract 2, skill description',
    text: 'Whatever the budget, names are listed, and none disappears without a word about it.',
  },
  {
    id: 'C2-CATALOG-13',
    source: 'Contract 2, skill description',
    text: 'Skills are listed by priority, then by name.',
  },
  {
    id: 'C2-CATALOG-14',
    source: 'Contract 2, skill description',
    text: 'What matters most stands at the start of the description, within its first 2,048 characters.',
  },
  {
    id: 'C2-CATALOG-15',
    source: 'Contract 2, skill description',
    text: 'What matters most stands at the start of `instructions`.',
  },
  {
    id: 'C2-CATALOG-16',
    source: 'Contract 2, skill description',
    text: '`instructions` carries a compact catalogue, and is at most 2,000 characters long in all.',
  },
  {
    id: 'C2-CATALOG-17',
    source: 'Contract 2, skill description',
    text: "Texts name the server with its tool `skill`, so that it is not taken for an agent's own tool of that name.",
  },

  // Contract 2, skill result
  {
    id: 'C2-RESULT-01',
    source: 'Contract 2, skill result',
    text: 'The result is one text: header, blank line, then the file as on disk, its hidden characters shown by number.',
  },
  {
    id: 'C2-RESULT-02',
    source: 'Contract 2, skill result',
    text: 'The header lines are, in order: Loading, Base directory, Path, Location, Provider, Plugin, Files.',
  },
  { id: 'C2-RESULT-03', source: 'Contract 2, skill result', text: '`Loading:` names the skill.' },
  {
    id: 'C2-RESULT-04',
    source: 'Contract 2, skill result',
    text: '`Base directory:` gives the absolute path of the skill folder.',
  },
  {
    id: 'C2-RESULT-05',
    source: 'Contract 2, skill result',
    text: '`Path:` gives the absolute path of the SKILL.md.',
  },
  {
    id: 'C2-RESULT-06',
    source: 'Contract 2, skill result',
    text: '`Location:` gives project, global or plugin.',
  },
  { id: 'C2-RESULT-07', source: 'Contract 2, skill result', text: '`Provider:` gives the provider.' },
  {
    id: 'C2-RESULT-08',
    source: 'Contract 2, skill result',
    text: '`Plugin:` gives `plugin@marketplace`, for plugin skills only.',
  },
  {
    id: 'C2-RESULT-09',
    source: 'Contract 2, skill result',
    text: '`Files:` lists the other files of the skill and counts those left out (`+12 more`).',
  },
  {
    id: 'C2-RESULT-10',
    source: 'Contract 2, skill result',
    text: '`--header loading` reduces the header to its first two lines.',
  },
  {
    id: 'C2-RESULT-11',
    source: 'Contract 2, skill result',
    text: 'The answer of `skill` is text and nothing beside it; with `--structured`, `structuredContent` carries the facts of the header.',
  },
  {
    id: 'C2-RESULT-12',
    source: 'Contract 2, skill result',
    text: 'A failing `skill` call is a result marked `isError: true`.',
  },
  {
    id: 'C2-RESULT-13',
    source: 'Contract 2, skill result',
    text: "The text of a not-found result begins `Skill 'x' not found.` and goes on with `Available skills:`.",
  },

  {
    id: 'C2-FILE-01',
    source: 'Contract 2, skill',
    text: 'Text comes in parts of at most 8,000 characters (`--file-part`), each saying where the next begins.',
  },
  {
    id: 'C2-FILE-02',
    source: 'Contract 2, skill',
    text: 'Pictures are image content, sound is audio content.',
  },
  {
    id: 'C2-FILE-03',
    source: 'Contract 2, skill',
    text: 'Other binary files are named by path and type.',
  },

  {
    id: 'C2-MANUAL-01',
    source: 'Contract 2, skill',
    text: 'A skill with `disable-model-invocation: true` is listed to no model.',
  },
  {
    id: 'C2-MANUAL-02',
    source: 'Contract 2, skill',
    text: 'Prompts and the command line offer a skill with `disable-model-invocation: true`.',
  },
  {
    id: 'C2-BROKEN-01',
    source: 'Contract 2, skill',
    text: 'A skill that was found and could not be read is answered with its file and the reason.',
  },

  // Contract 2, skills.list and skills.search
  {
    id: 'C2-CATTOOLS-01',
    source: 'Contract 2, skills.list and skills.search',
    text: '`skills.list` has the documented schema and output fields.',
  },
  {
    id: 'C2-CATTOOLS-02',
    source: 'Contract 2, skills.list and skills.search',
    text: '`skills.search` has the documented schema and output fields.',
  },
  {
    id: 'C2-CATTOOLS-03',
    source: 'Contract 2, skills.list and skills.search',
    text: 'Both tools declare an `outputSchema`.',
  },
  {
    id: 'C2-CATTOOLS-04',
    source: 'Contract 2, skills.list and skills.search',
    text: 'Both tools return `structuredContent`.',
  },
  {
    id: 'C2-CATTOOLS-05',
    source: 'Contract 2, skills.list and skills.search',
    text: 'Both tools return a text summary.',
  },
  {
    id: 'C2-CATTOOLS-06',
    source: 'Contract 2, skills.list and skills.search',
    text: '`installName` is the name of the skill directory.',
  },
  {
    id: 'C2-CATTOOLS-07',
    source: 'Contract 2, skills.list and skills.search',
    text: 'Search tokens are compared after Unicode case folding.',
  },
  {
    id: 'C2-CATTOOLS-08',
    source: 'Contract 2, skills.list and skills.search',
    text: 'The query is split into tokens on whitespace.',
  },
  {
    id: 'C2-CATTOOLS-09',
    source: 'Contract 2, skills.list and skills.search',
    text: 'A skill is a hit only if all tokens occur in its name, metadata and body taken together.',
  },
  {
    id: 'C2-CATTOOLS-10',
    source: 'Contract 2, skills.list and skills.search',
    text: '`score` counts the query tokens that matched.',
  },
  {
    id: 'C2-CATTOOLS-11',
    source: 'Contract 2, skills.list and skills.search',
    text: 'Among hits with the same score the more relevant comes first.',
  },
  {
    id: 'C2-CATTOOLS-12',
    source: 'Contract 2, skills.list and skills.search',
    text: '`excerpt` shows some 160 characters of text surrounding the earliest match.',
  },
  {
    id: 'C2-CATTOOLS-13',
    source: 'Contract 2, skills.list and skills.search',
    text: 'An excerpt never cuts a character (surrogate pair) in half.',
  },
  {
    id: 'C2-CATTOOLS-14',
    source: 'Contract 2, skills.list and skills.search',
    text: '`total` counts all hits, those beyond the limit included.',
  },

  // Contract 2, skill-engine
  {
    id: 'C2-ENGINE-01',
    source: 'Contract 2, skill-engine',
    text: '`skill-engine/list_skills` takes `limit` (50) and `offset` (0).',
  },
  {
    id: 'C2-ENGINE-02',
    source: 'Contract 2, skill-engine',
    text: '`skill-engine/list_skills` returns the installed skills.',
  },
  {
    id: 'C2-ENGINE-03',
    source: 'Contract 2, skill-engine',
    text: '`skill-engine/list_skills` shows the tools and runtimes of each skill.',
  },
  {
    id: 'C2-ENGINE-04',
    source: 'Contract 2, skill-engine',
    text: '`skill-engine/list_skills` returns `total` and `nextOffset`.',
  },
  {
    id: 'C2-ENGINE-05',
    source: 'Contract 2, skill-engine',
    text: '`skill-engine/search_skills` takes `query` and `top_k` (10).',
  },
  {
    id: 'C2-ENGINE-06',
    source: 'Contract 2, skill-engine',
    text: '`skill-engine/search_skills` searches by meaning from natural language.',
  },
  {
    id: 'C2-ENGINE-07',
    source: 'Contract 2, skill-engine',
    text: '`skill-engine/search_skills` covers skills and their tools.',
  },
  {
    id: 'C2-ENGINE-08',
    source: 'Contract 2, skill-engine',
    text: 'Each hit of `skill-engine/search_skills` has a score.',
  },
  {
    id: 'C2-ENGINE-09',
    source: 'Contract 2, skill-engine',
    text: 'Each hit of `skill-engine/search_skills` has a ready-made call.',
  },
  {
    id: 'C2-ENGINE-10',
    source: 'Contract 2, skill-engine',
    text: '`skill-engine/execute` takes `skill_name`, `tool_name` and `parameters`.',
  },
  {
    id: 'C2-ENGINE-11',
    source: 'Contract 2, skill-engine',
    text: '`instance` on `skill-engine/execute` selects the instance of the skill to run.',
  },
  {
    id: 'C2-ENGINE-12',
    source: 'Contract 2, skill-engine',
    text: '`max_output` caps the output returned.',
  },
  {
    id: 'C2-ENGINE-13',
    source: 'Contract 2, skill-engine',
    text: '`grep` keeps only the matching output lines.',
  },
  {
    id: 'C2-ENGINE-14',
    source: 'Contract 2, skill-engine',
    text: '`head` keeps only the first output lines.',
  },
  {
    id: 'C2-ENGINE-15',
    source: 'Contract 2, skill-engine',
    text: '`tail` keeps only the last output lines.',
  },
  {
    id: 'C2-ENGINE-16',
    source: 'Contract 2, skill-engine',
    text: '`jq` selects a part of JSON output.',
  },
  {
    id: 'C2-ENGINE-17',
    source: 'Contract 2, skill-engine',
    text: '`format` changes the form of the output.',
  },
  {
    id: 'C2-ENGINE-18',
    source: 'Contract 2, skill-engine',
    text: 'All output shaping happens before the result leaves the server.',
  },
  {
    id: 'C2-ENGINE-19',
    source: 'Contract 2, skill-engine',
    text: 'The answer of `skill-engine/execute` is text and nothing beside it; `--structured` adds `structuredContent`.',
  },

  // Contract 2, Skills extension and resources
  {
    id: 'C2-EXT-01',
    source: 'Contract 2, Skills extension and resources',
    text: 'The capability `io.modelcontextprotocol/skills` is declared with `directoryRead: true`.',
  },
  {
    id: 'C2-EXT-02',
    source: 'Contract 2, Skills extension and resources',
    text: '`skills/list` lists skills in pages with a cursor.',
  },
  {
    id: 'C2-EXT-03',
    source: 'Contract 2, Skills extension and resources',
    text: 'Each `skills/list` entry carries the URI, the whole front matter as JSON, and every file once.',
  },
  {
    id: 'C2-EXT-04',
    source: 'Contract 2, Skills extension and resources',
    text: '`skills/get` answers for each skill served.',
  },
  {
    id: 'C2-EXT-05',
    source: 'Contract 2, Skills extension and resources',
    text: '`skills/get` of an unknown URI is -32602.',
  },
  {
    id: 'C2-EXT-06',
    source: 'Contract 2, Skills extension and resources',
    text: '`resources/directory/read` returns the direct children of a directory of a skill.',
  },
  {
    id: 'C2-EXT-07',
    source: 'Contract 2, Skills extension and resources',
    text: '`resources/directory/read` of what is no directory is -32602.',
  },
  {
    id: 'C2-EXT-08',
    source: 'Contract 2, Skills extension and resources',
    text: '`resources/read` serves `skill://<skill-path>/<file>`.',
  },
  {
    id: 'C2-EXT-09',
    source: 'Contract 2, Skills extension and resources',
    text: '`resources/read` of an unserved file is -32602.',
  },
  {
    id: 'C2-EXT-10',
    source: 'Contract 2, Skills extension and resources',
    text: 'Entries carry the size of each file in bytes.',
  },
  {
    id: 'C2-EXT-11',
    source: 'Contract 2, Skills extension and resources',
    text: 'Entries carry the SHA-256 digest of the raw bytes of each file.',
  },
  {
    id: 'C2-EXT-12',
    source: 'Contract 2, Skills extension and resources',
    text: 'The last segment of the skill path in a URI is the `name` of the skill.',
  },
  {
    id: 'C2-EXT-13',
    source: 'Contract 2, Skills extension and resources',
    text: '`resources/list` lists skills for clients that know resources only.',
  },
  {
    id: 'C2-EXT-14',
    source: 'Contract 2, Skills extension and resources',
    text: 'The resource template `skill://{+path}` is offered.',
  },
  {
    id: 'C2-EXT-15',
    source: 'Contract 2, Skills extension and resources',
    text: 'Each user-invocable skill is offered as a prompt.',
  },
  {
    id: 'C2-EXT-16',
    source: 'Contract 2, Skills extension and resources',
    text: 'A skill that is not user-invocable is not offered as a prompt.',
  },
  {
    id: 'C2-EXT-17',
    source: 'Contract 2, Skills extension and resources',
    text: 'A skill whose name breaks the rules of the extension is left out of it.',
  },
  {
    id: 'C2-EXT-18',
    source: 'Contract 2, Skills extension and resources',
    text: 'A skill with more than 512 files is left out of the extension.',
  },
  {
    id: 'C2-EXT-19',
    source: 'Contract 2, Skills extension and resources',
    text: 'A skill of more than 16 MiB is left out of the extension.',
  },
  {
    id: 'C2-EXT-20',
    source: 'Contract 2, Skills extension and resources',
    text: 'Each skill left out of the extension yields a diagnostic.',
  },
  {
    id: 'C2-EXT-21',
    source: 'Contract 2, Skills extension and resources',
    text: 'A skill left out of the extension still loads through the tool.',
  },

  // Contract 3, Searching
  {
    id: 'C3-SEARCH-01',
    source: 'Contract 3, Searching',
    text: 'Keyword search and semantic search share one index.',
  },
  {
    id: 'C3-SEARCH-02',
    source: 'Contract 3, Searching',
    text: 'Semantic search works offline right after `npm ci`.',
  },
  {
    id: 'C3-SEARCH-03',
    source: 'Contract 3, Searching',
    text: 'Semantic search downloads nothing.',
  },
  { id: 'C3-SEARCH-04', source: 'Contract 3, Searching', text: 'Semantic search calls no service.' },
  {
    id: 'C3-SEARCH-05',
    source: 'Contract 3, Searching',
    text: 'Ranking takes meaning and words together.',
  },
  {
    id: 'C3-SEARCH-06',
    source: 'Contract 3, Searching',
    text: 'Semantic search works in languages other than English.',
  },
  {
    id: 'C3-SEARCH-07',
    source: 'Contract 3, Searching',
    text: 'The index is kept on disk, keyed by content digest.',
  },
  {
    id: 'C3-SEARCH-08',
    source: 'Contract 3, Searching',
    text: 'A second start on unchanged skills embeds nothing.',
  },

  // Contract 4, Where tools come from
  {
    id: 'C4-TOOLS-01',
    source: 'Contract 4, Where tools come from',
    text: 'A `skill.toml`, or else a `manifest.toml`, beside SKILL.md declares the tools of a skill.',
  },
  {
    id: 'C4-TOOLS-02',
    source: 'Contract 4, Where tools come from',
    text: 'Without a manifest, the exports of a WebAssembly component (`skill.wasm`, `dist/skill.wasm`) are its tools, WIT types as JSON Schema.',
  },
  {
    id: 'C4-TOOLS-03',
    source: 'Contract 4, Where tools come from',
    text: 'Where neither exists, each executable file under `scripts/` is one tool.',
  },
  {
    id: 'C4-TOOLS-04',
    source: 'Contract 4, Where tools come from',
    text: 'A script tool takes `args` and `stdin` as parameters.',
  },
  {
    id: 'C4-TOOLS-05',
    source: 'Contract 4, Where tools come from',
    text: 'Nothing runs until its parameters have passed a JSON Schema.',
  },
  {
    id: 'C4-TOOLS-06',
    source: 'Contract 4, Where tools come from',
    text: 'A parameter value reaches the tool as one argument and is never split.',
  },
  {
    id: 'C4-TOOLS-07',
    source: 'Contract 4, Where tools come from',
    text: 'No parameter value is ever read by a shell.',
  },
  {
    id: 'C4-TOOLS-08',
    source: 'Contract 4, Where tools come from',
    text: 'A parameter value is never taken for an option.',
  },

  // Contract 4, Runtimes
  {
    id: 'C4-RUNTIME-01',
    source: 'Contract 4, Runtimes',
    text: 'The `wasm` runtime is a WASI sandbox.',
  },
  {
    id: 'C4-RUNTIME-02',
    source: 'Contract 4, Runtimes',
    text: 'The `wasm` runtime hands out each capability singly.',
  },
  {
    id: 'C4-RUNTIME-03',
    source: 'Contract 4, Runtimes',
    text: 'The `docker` runtime talks to the API of the container engine.',
  },
  {
    id: 'C4-RUNTIME-04',
    source: 'Contract 4, Runtimes',
    text: 'The `docker` runtime sets the limits on the container.',
  },
  {
    id: 'C4-RUNTIME-05',
    source: 'Contract 4, Runtimes',
    text: 'The `docker` runtime mounts nothing but what was granted.',
  },
  {
    id: 'C4-RUNTIME-06',
    source: 'Contract 4, Runtimes',
    text: 'The `native` runtime runs allow-listed commands only.',
  },
  {
    id: 'C4-RUNTIME-07',
    source: 'Contract 4, Runtimes',
    text: 'The `native` runtime runs inside an OS sandbox.',
  },
  {
    id: 'C4-RUNTIME-08',
    source: 'Contract 4, Runtimes',
    text: 'Without an OS sandbox on the machine the `native` runtime refuses.',
  },

  // Contract 4, Capabilities
  {
    id: 'C4-CAP-01',
    source: 'Contract 4, Capabilities',
    text: '`network` capabilities are host patterns such as `*.example.com`, and are enforced.',
  },
  {
    id: 'C4-CAP-02',
    source: 'Contract 4, Capabilities',
    text: '`filesystem` capabilities are `read:` and `write:` paths, and are enforced.',
  },
  {
    id: 'C4-CAP-03',
    source: 'Contract 4, Capabilities',
    text: 'Environment variables reach a tool only when named as a capability.',
  },
  {
    id: 'C4-CAP-04',
    source: 'Contract 4, Capabilities',
    text: 'Secrets reach a tool only when named as a capability.',
  },
  {
    id: 'C4-CAP-05',
    source: 'Contract 4, Capabilities',
    text: 'A capability has to be declared and granted before it takes effect.',
  },
  {
    id: 'C4-CAP-06',
    source: 'Contract 4, Capabilities',
    text: 'With nothing declared there is no network.',
  },
  {
    id: 'C4-CAP-07',
    source: 'Contract 4, Capabilities',
    text: 'With nothing declared the folder of the skill is readable and not writable.',
  },
  {
    id: 'C4-CAP-08',
    source: 'Contract 4, Capabilities',
    text: 'With nothing declared there is a scratch folder, deleted after the run.',
  },
  {
    id: 'C4-CAP-09',
    source: 'Contract 4, Capabilities',
    text: '`repertoire grant` grants the capabilities of a skill.',
  },
  {
    id: 'C4-CAP-10',
    source: 'Contract 4, Capabilities',
    text: 'A grant is bound to the digest of the files of the skill.',
  },
  {
    id: 'C4-CAP-11',
    source: 'Contract 4, Capabilities',
    text: 'One changed byte in the skill revokes its grant.',
  },
  {
    id: 'C4-CAP-12',
    source: 'Contract 4, Capabilities',
    text: 'A folder that is granted and does not exist stops no run, and the result says that it was not there.',
  },
  {
    id: 'C4-CAP-13',
    source: 'Contract 4, Capabilities',
    text: 'What runs is what was checked: changes of the files of a skill after the check, or during the run, have no effect on it.',
  },
  {
    id: 'C4-CAP-14',
    source: 'Contract 4, Capabilities',
    text: 'Revoking or narrowing a grant ends the runs under way that need it.',
  },
  {
    id: 'C4-CAP-15',
    source: 'Contract 4, Capabilities',
    text: 'Inside a writable grant, what programs of the host run or obey by its name cannot be changed, moved or made.',
  },
  {
    id: 'C4-CAP-16',
    source: 'Contract 4, Capabilities',
    text: 'No run makes a setuid or setgid file, or reaches system calls that lead around its walls, containers included.',
  },

  // Contract 4, Limits
  { id: 'C4-LIMIT-01', source: 'Contract 4, Limits', text: 'A run is limited to 30 s by default.' },
  { id: 'C4-LIMIT-02', source: 'Contract 4, Limits', text: 'The time limit can be set per skill.' },
  { id: 'C4-LIMIT-03', source: 'Contract 4, Limits', text: 'The time limit can be set per tool.' },
  { id: 'C4-LIMIT-04', source: 'Contract 4, Limits', text: 'Memory is limited.' },
  { id: 'C4-LIMIT-05', source: 'Contract 4, Limits', text: 'CPU time is limited.' },
  { id: 'C4-LIMIT-06', source: 'Contract 4, Limits', text: 'The number of processes is limited.' },
  { id: 'C4-LIMIT-07', source: 'Contract 4, Limits', text: 'The size of written files is limited.' },
  { id: 'C4-LIMIT-08', source: 'Contract 4, Limits', text: 'The number of output bytes is limited.' },
  {
    id: 'C4-LIMIT-09',
    source: 'Contract 4, Limits',
    text: 'A run that reaches a limit is ended together with all its descendants.',
  },
  { id: 'C4-LIMIT-10', source: 'Contract 4, Limits', text: 'Reaching a limit is a clear error.' },
  { id: 'C4-LIMIT-11', source: 'Contract 4, Limits', text: 'Executions run concurrently.' },
  {
    id: 'C4-LIMIT-12',
    source: 'Contract 4, Limits',
    text: 'Executions at the same time share no files, processes or state.',
  },
  { id: 'C4-LIMIT-13', source: 'Contract 4, Limits', text: 'Cancelling a request kills its run.' },
  { id: 'C4-LIMIT-14', source: 'Contract 4, Limits', text: 'A long run streams progress.' },
  {
    id: 'C4-LIMIT-15',
    source: 'Contract 4, Limits',
    text: 'A limit that a program survives, such as a file cut short or a refused fork, is named and makes the result an error.',
  },
  {
    id: 'C4-LIMIT-16',
    source: 'Contract 4, Limits',
    text: 'Processor time is that of all processes of a run together, also without control groups.',
  },
  {
    id: 'C4-LIMIT-17',
    source: 'Contract 4, Limits',
    text: 'How many run at once is counted over all processes of a user.',
  },
  {
    id: 'C4-LIMIT-18',
    source: 'Contract 4, Limits',
    text: 'What a killed run left is removed by the next run.',
  },

  // Contract 4, Audit
  {
    id: 'C4-AUDIT-01',
    source: 'Contract 4, Audit',
    text: 'Each allowed execution appends exactly one record.',
  },
  {
    id: 'C4-AUDIT-02',
    source: 'Contract 4, Audit',
    text: 'Each denied execution appends exactly one record.',
  },
  {
    id: 'C4-AUDIT-03',
    source: 'Contract 4, Audit',
    text: 'Each failed execution appends exactly one record.',
  },
  {
    id: 'C4-AUDIT-04',
    source: 'Contract 4, Audit',
    text: 'A record tells when, which skill (with its digest), which tool, with what sanitised parameters, what came of it and how long it took.',
  },
  {
    id: 'C4-AUDIT-05',
    source: 'Contract 4, Audit',
    text: 'The audit file is JSONL and is only ever appended to.',
  },
  { id: 'C4-AUDIT-06', source: 'Contract 4, Audit', text: 'The records are chained by hash.' },
  {
    id: 'C4-AUDIT-07',
    source: 'Contract 4, Audit',
    text: 'The record is written before the result is returned.',
  },
  { id: 'C4-AUDIT-08', source: 'Contract 4, Audit', text: '`repertoire audit` shows the records.' },
  {
    id: 'C4-AUDIT-09',
    source: 'Contract 4, Audit',
    text: '`repertoire audit` verifies the chain and detects tampering.',
  },

  {
    id: 'C4-AUDIT-10',
    source: 'Contract 4, Audit',
    text: 'An execution asked of a skill or tool that is not there leaves a record, wherever it was asked.',
  },
  {
    id: 'C4-AUDIT-11',
    source: 'Contract 4, Audit',
    text: 'Each grant, narrowing and revocation appends one record, wherever it was made.',
  },

  // Contract 4, Failures
  {
    id: 'C4-ERR-01',
    source: 'Contract 4, Failures',
    text: 'A failed run is an `isError` result with the details.',
  },
  {
    id: 'C4-ERR-02',
    source: 'Contract 4, Failures',
    text: 'With `--errors protocol` a failed run is the error -32603 with `data.details`.',
  },

  {
    id: 'C4-ERR-03',
    source: 'Contract 4, Failures',
    text: 'With `--errors protocol` a skill or tool that is not there is the error -32602 with `data.details`.',
  },

  // Contract 5, Promises
  {
    id: 'C5-PROMISE-01',
    source: 'Contract 5, Promises',
    text: 'A lookup among 10,000 skills takes less than 100 ms at p99.',
  },
  {
    id: 'C5-PROMISE-02',
    source: 'Contract 5, Promises',
    text: 'A lookup among 10,000 skills takes less than 100 ms at p99 while a refresh runs.',
  },
  { id: 'C5-PROMISE-03', source: 'Contract 5, Promises', text: 'The first scan of 1,000 skills takes less than 1 s.' },
  {
    id: 'C5-PROMISE-04',
    source: 'Contract 5, Promises',
    text: 'The handshake does not wait for the end of the first scan, whatever the number of skills.',
  },
  {
    id: 'C5-PROMISE-05',
    source: 'Contract 5, Promises',
    text: 'A refresh over 10,000 unchanged skills takes less than 1 s.',
  },
  {
    id: 'C5-PROMISE-06',
    source: 'Contract 5, Promises',
    text: 'Holding 100 skills costs under 10 MB of heap more than holding none.',
  },
  { id: 'C5-PROMISE-07', source: 'Contract 5, Promises', text: 'Bad input yields a clear error that names the file.' },
  { id: 'C5-PROMISE-08', source: 'Contract 5, Promises', text: 'Bad input yields a clear error that names the line.' },
  { id: 'C5-PROMISE-09', source: 'Contract 5, Promises', text: 'Bad input yields a clear error that names the cause.' },
  {
    id: 'C5-PROMISE-10',
    source: 'Contract 5, Promises',
    text: 'One bad skill costs no other skill and changes nothing else.',
  },
];

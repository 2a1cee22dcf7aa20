#!/usr/bin/env node
import { isSupportedNode, refuseNode } from './faces/cli/node-version.ts';

const argv = process.argv.slice(2);
const { node } = process.versions;
// The rest does not even load on an old Node.
if (!isSupportedNode(node)) process.exitCode = refuseNode(node, argv);
else
  void import('./faces/cli/main.ts')
    .then(({ main }) => main(argv))
    .then((code) => {
      process.exitCode = code;
    });

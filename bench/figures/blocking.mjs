import { floorFile, probeFile, summary, takeTurns, tellOf } from '../measure.mjs';
import { layoutsOf, many } from './figure.mjs';

/**
 * How long a scan keeps everything else waiting. A plain walk lets nothing run until it ends, so that is the floor.
 *
 * @type {import('./figure.mjs').Figure}
 */
export async function blocking(sandbox, quick) {
  const catalogue = await sandbox.catalogue(many);
  const rows = [];
  for (const isCold of [true, false]) {
    for (const { layout, folder } of layoutsOf(catalogue)) {
      const [blocks, walks] = await takeTurns(
        quick ? 1 : 7,
        () => {
          if (isCold) sandbox.clearCache();
          return tellOf(sandbox, catalogue, [probeFile('block'), ...folder]);
        },
        () => tellOf(sandbox, catalogue, [floorFile('walk'), ...catalogue.roots]),
      );
      rows.push({
        name: `longest block of the event loop, ${isCold ? 'cold' : 'warm'} scan, ${layout}`,
        unit: 'ms',
        subject: summary(blocks.map(({ longest }) => longest)),
        floor: summary(walks.map(({ wallMs }) => wallMs)),
        floorName: 'walk and stat',
      });
    }
  }
  return rows;
}

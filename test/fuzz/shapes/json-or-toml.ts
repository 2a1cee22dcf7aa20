import { Entries, type Shape } from '../tree.ts';
import { json } from './json.ts';
import { toml } from './toml.ts';

const shapes: ReadonlyMap<string, Shape> = new Map([
  ['json', json],
  ['toml', toml],
]);

/** Written as it was read; JSON is YAML too. */
export const jsonOrToml: Shape = {
  read(input) {
    for (const [format, shape] of shapes) {
      const tree = shape.read(input);
      if (tree !== undefined) return new Entries([[format, tree]]);
    }
    return;
  },
  write(tree) {
    const [[format, value] = ['json', tree] as const] = tree instanceof Entries ? tree.entries : [];
    return (shapes.get(format) ?? json).write(value);
  },
};

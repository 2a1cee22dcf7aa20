import { parseDefinition } from '../parse/parse.ts';
import type { Definition } from '../parse/syntax.ts';
import { streamFunctions, valueFunctions } from './table.ts';

/** Functions that are best said in the language itself. */
const sources: readonly string[] = [
  'values: select(. != null);',
  'nulls: select(. == null);',
  'booleans: select(type == "boolean");',
  'numbers: select(type == "number");',
  'strings: select(type == "string");',
  'arrays: select(type == "array");',
  'objects: select(type == "object");',
  'iterables: select(type == "array" or type == "object");',
  'scalars: select(type != "array" and type != "object");',
  'in($object): . as $key | $object | has($key);',
  'inside($whole): . as $part | $whole | contains($part);',
  'map_values(f): .[] |= f;',
  'with_entries(f): to_entries | map(f) | from_entries;',
  'recurse(f; test): recurse(f | select(test));',
  'first: .[0];',
  'last: .[-1];',
  'nth($n): .[$n];',
  'nth($n; f): if $n < 0 then error("nth does not support negative indices") else first(skip($n; f)) end;',
  'any(f): any(.[]; f);',
  'all(f): all(.[]; f);',
  'any(stream; f): isempty(first(stream | f | select(.))) | not;',
  'all(stream; f): isempty(first(stream | f | select(. | not)));',
  'paths: path(..) | select(length > 0);',
  'paths(f): . as $whole | paths | select(. as $path | $whole | getpath($path) | f);',
  'leaf_paths: paths(scalars);',
  'del(f): delpaths([path(f)]);',
  'pick(f): . as $whole | reduce path(f) as $path (null; setpath($path; $whole | getpath($path)));',
  'walk(f): if type == "object" then map_values(walk(f)) elif type == "array" then map(walk(f)) else . end | f;',
  'combinations: if length == 0 then [] else .[0][] as $first | .[1:] | combinations | [$first] + . end;',
  'combinations($n): . as $list | [range($n)] | map($list) | combinations;',
  'IN(stream): any(stream == .; .);',
  'IN(source; stream): any(source == stream; .);',
  'INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] = $row);',
  'INDEX(f): map({key: (f | tostring), value: .}) | from_entries;',
  'ascii: [.] | implode;',
  'finites: select(isinfinite or isnan | not);',
  'normals: select(isnormal);',
  'isvalid(f): try (f | true) catch false;',
];

const byName = new Map(sources.map((source) => [nameOf(source), source]));
const parsed = new Map<string, Definition>();

/** The names of all functions that there are. */
export const builtins: ReadonlySet<string> = new Set([
  ...valueFunctions.keys(),
  ...streamFunctions.keys(),
  ...byName.keys(),
]);

/** Parsed when it is first used. */
export function preludeFunction(name: string): Definition {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const definition = parseDefinition(byName.get(name) ?? '', builtins);
  parsed.set(name, definition);
  return definition;
}

/** `map(f)` is `map/1`. */
function nameOf(source: string): string {
  const [, name = '', parameters] = /^(\w+)(?:\(([^)]*)\))?/.exec(source) ?? [];
  return `${name}/${parameters === undefined ? 0 : parameters.split(';').length}`;
}

import { describe, expect, it } from 'vitest';
import { jq } from '../../../../test/support/jq.ts';

describe('what is gathered piece by piece', () => {
  it.each([
    ['reduce range(20000) as $i ({}; .[$i | tostring] = $i) | length', '20000'],
    ['reduce range(20000) as $i ([]; . + [$i]) | length', '20000'],
    ['reduce range(20000) as $i ({}; . + {($i | tostring): $i}) | length', '20000'],
    ['reduce range(8000) as $i ({}; .[$i % 7 | tostring] += [$i]) | map_values(length) | add', '8000'],
    ['[range(20000)] | map_values(. + 1) | add', '200010000'],
    ['[range(20000)] | .[] += 1 | add', '200010000'],
    ['[range(20000)] | del(.[] | select(. % 2 == 0)) | length', '10000'],
  ])('is gathered in time: %s', (filter, result) => {
    expect(jq(filter)).toEqual([result]);
  });

  it.each([
    ['[1] as $a | reduce (2, 3) as $i ($a; . + [$i]) | [$a, .]', '[[1],[1,2,3]]'],
    ['{"a":{}} as $a | reduce (2, 3) as $i ($a; .a.b = $i) | [$a, .]', '[{"a":{}},{"a":{"b":3}}]'],
    ['[5] as $a | reduce (1, 2) as $i (null; . + $a) | [$a, .]', '[[5],[5,5]]'],
    [
      '{} as $o | reduce (1, 2) as $i ({}; .[$i | tostring] = $o) | .["1"].x = 1 | [$o, .]',
      '[{},{"1":{"x":1},"2":{}}]',
    ],
    ['reduce (1, 2) as $i ([]; .[0] = .)', '[[[]]]'],
    ['reduce (1, 2, 3) as $i ({"a":[]}; .b = .a | .a += [$i])', '{"a":[1,2,3],"b":[1,2]}'],
    ['reduce (1, 2) as $i (0; . + (10, 20))', '40'],
    ['reduce (1, 2) as $i (0; . + ([] | .[]))', 'null'],
    ['reduce (1, 2) as $i ({"a":1}; .a = ([] | .[]))', 'null'],
    ['[{"a":1}] | .[] |= . + {b: 2} | .. |= .', '[{"a":1,"b":2}]'],
    ['{"a":[1]} | .. |= (if type == "array" then [., .] else . end)', '{"a":[[[1],[1]],[1]]}'],
  ])('changes nothing else: %s', (filter, result) => {
    expect(jq(filter)).toEqual([result]);
  });
});

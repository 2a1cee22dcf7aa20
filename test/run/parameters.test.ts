import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Workshop } from './workshop.ts';

/** A tool with parameters of all kinds, which leaves a file wherever it runs. */
function marking(): { readonly shop: Workshop; readonly place: string } {
  const shop = new Workshop();
  const place = shop.place();
  shop.skill(
    `[capabilities]
filesystem = ["write:${place}"]
[tools.short]
command = ["sh", "scripts/mark.sh", "${place}", "{name}", "{size}", "{kind}", "--ratio={ratio}"]
[tools.short.parameters]
name = { type = "string", required = true, pattern = "^[a-z ]+$", max_length = 20 }
size = { type = "integer", minimum = 1, maximum = 9, default = 3 }
kind = { type = "string", enum = ["round", "square"], default = "round" }
ratio = { type = "number" }
[tools.schema]
command = ["sh", "scripts/mark.sh", "${place}", "{tags}", "{options}", "{deep?--deep}"]
[tools.schema.parameters]
type = "object"
required = ["tags"]
additionalProperties = false
[tools.schema.parameters.properties]
tags = { type = "array", items = { type = "string", minLength = 2 }, minItems = 1, maxItems = 3 }
options = { type = "object", properties = { mode = { const = "fast" } }, additionalProperties = false }
deep = { type = "boolean" }
`,
    { 'scripts/mark.sh': 'place=$1; shift; touch "$place/ran"; printf "[%s]" "$@"\n' },
  );
  return { shop, place };
}

describe('parameters', () => {
  it('are checked before anything runs, whatever is wrong with them [C4-TOOLS-05]', async () => {
    const { shop, place } = marking();
    await shop.grant();
    const wrong: readonly (readonly [tool: string, parameters: unknown, complaint: string])[] = [
      ['short', {}, 'name is missing'],
      ['short', { name: 'UPPER' }, 'name must match'],
      ['short', { name: 'a'.repeat(21) }, 'name'],
      ['short', { name: 7 }, 'name must be a string'],
      ['short', { name: 'a', size: 10 }, 'size'],
      ['short', { name: 'a', size: 1.5 }, 'size'],
      ['short', { name: 'a', kind: 'oval' }, 'kind must be one of round, square'],
      ['short', { name: 'a', nmae: 'b' }, 'nmae'],
      ['schema', { tags: [] }, 'tags'],
      ['schema', { tags: ['ok'], options: JSON.parse('[{"mode":'.repeat(500) + 1 + '}]'.repeat(500)) }, 'levels deep'],
      ['schema', { tags: ['ok', 'x'] }, 'tags'],
      ['schema', { tags: ['ok'], options: { mode: 'slow' } }, 'mode'],
      ['schema', { tags: ['ok'], deep: 'yes' }, 'deep'],
    ];
    const runs = await Promise.all(
      wrong.map(([tool, parameters]) => shop.result([`demo:${tool}`, '--params', JSON.stringify(parameters)])),
    );
    for (const [index, run] of runs.entries()) {
      expect(run).toMatchObject({ reason: 'invalid_parameters', exitCode: null, stdout: '', limits: null });
      expect(run.message).toContain(wrong[index]?.[2]);
      expect(run.hint).toContain('It takes ');
    }
    expect(readdirSync(place)).toEqual([]);
    expect(shop.records().filter(({ event }) => event === 'start')).toEqual([]);
    // The same tool leaves its mark when they are right.
    expect((await shop.run(['run', 'demo:short', '--param', 'name=a'])).stdout).toBe('[a][3][round]');
    expect(readdirSync(place)).toEqual(['ran']);
  });

  it('have defaults, and values from the command line become what the schema says', async () => {
    const { shop } = marking();
    await shop.grant();
    const given = (name: string, ...pairs: readonly string[]) =>
      shop.run(['run', `demo:${name}`, ...pairs.flatMap((pair) => ['--param', pair])]);
    const [short, list, single, json] = await Promise.all([
      given('short', 'name=two words', 'size=5', 'kind=square', 'ratio=0.5'),
      given('schema', 'tags=one', 'tags=two', 'options={"mode":"fast"}', 'deep=true'),
      given('schema', 'tags=one', 'deep=false'),
      shop.run(['run', 'demo:schema', '--params', '{"tags":["a,b","c d"]}', '--param', 'deep=true']),
    ]);
    expect(short.stdout).toBe('[two words][5][square][--ratio=0.5]');
    expect(list.stdout).toBe('[one][two][{"mode":"fast"}][--deep]');
    expect(single.stdout).toBe('[one]');
    expect(json.stdout).toBe('[a,b][c d][--deep]');
  });

  it('that cannot be read are a usage error, and no execution', async () => {
    const { shop } = marking();
    const [noPair, noJson, noObject, noInput] = await Promise.all([
      shop.run(['run', 'demo:short', '--param', 'name']),
      shop.run(['run', 'demo:short', '--params', '{name}']),
      shop.run(['run', 'demo:short', '--params', '["a"]']),
      shop.run(['run', 'demo:short', '--stdin']),
    ]);
    expect([noPair.code, noPair.stderr]).toEqual([2, expect.stringContaining('NAME=VALUE')]);
    expect([noJson.code, noJson.stderr]).toEqual([2, expect.stringContaining('--params is not JSON')]);
    expect([noObject.code, noObject.stderr]).toEqual([2, expect.stringContaining('must be a JSON object')]);
    expect([noInput.code, noInput.stderr]).toEqual([2, expect.stringContaining('does not read standard input')]);
    expect(shop.records()).toEqual([]);
  });
});

describe('a tool and its parameters', () => {
  it('may be words of their own, where the tool has no other use for them', async () => {
    const shop = new Workshop();
    const parameters = 'parameters = { name = { type = "string" }, count = { type = "integer" } }';
    const hello = `command = ["printf", "%s|", "{name}", "--count={count}"]\n${parameters}\n`;
    shop.skill(`[tools.hello]\n${hello}[tools.again]\n${hello}`, {}, 'simple');
    shop.skill(`[tools.hello]\n${hello}`, {}, 'single');
    shop.skill('', { 'scripts/say.sh': 'printf "%s|" "$@"\n' }, 'plain');
    const forms: readonly (readonly [args: readonly string[], output: string])[] = [
      [['simple:hello', 'name=World', 'count=2'], 'World|--count=2|'],
      [['simple', 'hello', 'name=a=b'], 'a=b|'],
      [['simple', 'again', '--param', 'count=1', 'name=x'], 'x|--count=1|'],
      [['single', 'name=World'], 'World|'],
      [['single', 'hello', 'name=World'], 'World|'],
      [['plain', 'say', 'name=World'], 'name=World|'],
      [['plain', '--', '-x', 'name=World'], '-x|name=World|'],
      [['plain:say', '--', 'say', 'name=World'], 'say|name=World|'],
    ];
    for (const [args, output] of forms)
      expect([args, (await shop.run(['run', ...args])).stdout]).toEqual([args, output]);
    const wrong = await shop.run(['run', 'simple', 'hello', 'nonsense=1']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('nonsense')]);
    expect((await shop.run(['run', 'simple', 'name=World'])).stderr).toContain('choose one of the tools');
  });
});

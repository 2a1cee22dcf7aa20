import { Entries, Raw, type Shape, type Tree } from '../tree.ts';
import { parsedJson, withoutVersion, withVersion, writtenJson } from './json.ts';

/** Stands for the length that a body has when it is written. */
const itsLength = new Raw('');

/** One request, whose body is JSON or any text. */
export const http: Shape = {
  read(input) {
    const [head = '', ...rest] = input.toString('latin1').split('\r\n\r\n');
    const [first = '', ...lines] = head.split('\r\n');
    if (rest.length === 0 || !first.includes(' HTTP/1.')) return;
    const body = rest.join('\r\n\r\n');
    const headers = lines.map((line): readonly [string, Tree] => {
      const [name = '', value = ''] = line.split(/: ?(.*)/s);
      return [name, name === 'Content-Length' && Number(value) === body.length ? itsLength : value];
    });
    return new Entries([
      ['line', first.split(' ')],
      ['headers', new Entries(headers)],
      ['body', withoutVersion(parsedJson(body) ?? new Raw(body))],
    ]);
  },
  write(tree) {
    const parts = new Map(tree instanceof Entries ? tree.entries : []);
    const [line, headers] = [parts.get('line') ?? [], parts.get('headers')];
    const body = writtenBody(parts.get('body') ?? new Raw(''));
    const [method = '', path = '', version = ''] = Array.isArray(line) ? line.map(fieldOf) : [fieldOf(line)];
    const head = [
      [methods.has(method) ? method : 'POST', pathOf(path), versions.has(version) ? version : 'HTTP/1.1'].join(' '),
      ...(headers instanceof Entries ? headers.entries : []).map(
        ([name, value]) => `${tokenOf(name)}: ${value === itsLength ? body.length : fieldOf(value)}`,
      ),
    ];
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  },
};

// What Node's own parser refuses never comes to us. Changes of bytes give it enough of that.
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']);
const versions = new Set(['HTTP/1.0', 'HTTP/1.1']);
const pathOf = (text: string): string =>
  `/${text.replace(/^\//, '').replace(/[^!-~]/g, (odd) => `%${odd.charCodeAt(0) & 0xff}`)}`;
const tokenOf = (text: string): string => text.replace(/[^\w!#$%&'*+.^`|~-]/g, '') || 'x';
const fieldOf = (value: Tree): string =>
  (typeof value === 'string' ? value : writtenJson(value)).replace(/[^\t -~\u0080-\u00ff]/g, '');
const writtenBody = (body: Tree): Buffer =>
  body instanceof Raw ? Buffer.from(body.bytes, 'latin1') : Buffer.from(writtenJson(withVersion(body)));

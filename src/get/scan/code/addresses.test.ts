import { expect, it } from 'vitest';
import { addressKind } from './addresses.ts';

it.each([
  [
    'installer',
    [
      'https://get.docker.com',
      'https://astral.sh/uv/install.sh',
      'https://www.rvm.io/mpapis.asc',
      'https://bun.sh/install',
    ],
  ],
  [
    'installer',
    ['https://raw.githubusercontent.com/Homebrew/install/HEAD/install.sh', 'https://aka.ms/install-azd.sh'],
  ],
  [
    'local',
    ['http://localhost:3000/x', 'http://10.0.0.7/', 'http://192.168.1.2', 'http://db:5432', 'http://printer.local'],
  ],
  ['collector', ['https://webhook.site/abc', 'https://a.ngrok.io']],
  ['reputable', ['https://api.github.com/repos', 'https://pypi.org/simple']],
  // What only begins or ends like a place that is known.
  [
    'suspicious',
    ['https://get.docker.com.evil.tk/x', 'https://astral.sh.example.ru/install.sh', 'https://git.io/install-it'],
  ],
  [
    'unknown',
    ['https://get.docker.com.example.net/x', 'https://proto.example.net/x', 'https://goose.example.net/i.sh'],
  ],
  [
    'unknown',
    ['https://bun.sh/other', 'https://10.example.net/x', 'https://127.0.0.1.example.net/x', 'https://notgithub.com'],
  ],
  ['unknown', ['https://get.docker.com@example.net/x', 'https://raw.githubusercontent.com.example.net/google/x']],
  ['reputable', ['https://raw.githubusercontent.com/somebody/Homebrew/x.sh']],
] as const)('an address is %s: %j', (kind, addresses) => {
  expect(addresses.map((one) => [one, addressKind(one)])).toEqual(addresses.map((one) => [one, kind]));
});

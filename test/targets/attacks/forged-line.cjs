// Calls its unix socket so that the kernel's table of them has a line about the socket with the number <inode>.
const net = require('node:net');

const [inode] = process.argv.slice(2);
const line = `0000000000000000: 00000002 00000000 00010000 0001 01 ${inode.padStart(5)} /forged`;
net.createServer().listen(`\0x\n${line}`, () => console.log('ready'));

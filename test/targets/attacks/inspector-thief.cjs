// Connects to the inspector's port as soon as anybody opens it, and stays.
const net = require('node:net');

function lurk() {
  const socket = net.connect(9229, '127.0.0.1');
  socket.on('error', () => setImmediate(lurk));
  socket.once('connect', () => console.log('connected'));
}

lurk();
console.log('ready');

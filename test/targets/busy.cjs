// Blocks its event loop until a file appears, then lives on.
const fs = require('node:fs');
const flag = process.argv[2];
let rounds = 0;
console.log('ready');
setTimeout(() => {
  while (!fs.existsSync(flag)) rounds++;
  console.log('free');
  setInterval(() => rounds++, 1000);
}, 10);

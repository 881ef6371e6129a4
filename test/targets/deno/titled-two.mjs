// Sets the title that its twin has, too: the command line is gone then.
import process from 'node:process';

const visits = { count: 3 };
setInterval(() => {
  visits.count += 0;
}, 60_000);
process.title = 'one title';
console.log('ready');

// Things that go wrong after the call that began them, and calls during which the program ends.
class Machine {
  state = 'on';
  heard = 0;

  startFuse() {
    this.state = 'lit';
    setTimeout(() => {
      throw new Error('the fuse has burnt down');
    }, 20);
  }

  leave() {
    this.state = 'left';
    process.exit(0);
  }
}

const machine = new Machine();
if (process.argv[2] === 'patient') process.on('uncaughtException', () => machine.heard++);
setInterval(() => machine.heard, 1000);
console.log('ready');

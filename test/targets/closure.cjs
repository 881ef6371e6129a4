// Everything is inside functions: a factory whose variables only its methods see, and a class in a closure.
(() => {
  let sold = 0;
  class Till {
    constructor() {
      this.open = true;
    }
    sell(amount) {
      sold += amount;
    }
  }
  const till = new Till();

  function createCounter(start) {
    let count = start;
    return {
      increment() {
        count++;
      },
      decrement() {
        count--;
      },
      current: () => count,
    };
  }
  const counter = createCounter(5);
  setInterval(() => (till.open ? counter.current() : till.sell(0)), 60_000);
  console.log('ready');
})();

// A small app for trying substrate out: a coffee shop that takes orders by itself. It knows nothing of substrate.
const MENU = { espresso: 2.2, cappuccino: 3.1, tea: 2.6 };
const NAMES = ['Ada', 'Grace', 'Linus', 'Margaret', 'Ken', 'Barbara'];

class CoffeeShop {
  #till = 0;

  constructor(name) {
    this.name = name;
    this.open = true;
    this.queue = [];
    this.served = 0;
    this.special = 'cappuccino';
  }

  /** Puts an order at the end of the queue. */
  placeOrder(customer, drink, size = 'medium') {
    if (!(drink in MENU)) throw new RangeError(`we have no ${drink}; there is ${Object.keys(MENU).join(', ')}`);
    this.queue.push({ customer, drink, size, price: MENU[drink] });
    return this.queue.length;
  }

  /** Serves the order that has waited longest. */
  serveNext() {
    const order = this.queue.shift();
    if (!order) return null;
    this.#till += order.price;
    this.served++;
    return order;
  }

  setSpecial(drink) {
    this.special = drink;
  }

  getRevenue() {
    return Math.round(this.#till * 100) / 100;
  }
}

const shop = new CoffeeShop('The Daily Grind');
shop.placeOrder('Ada', 'espresso');

let day = 0;
setInterval(() => {
  day++;
  if (!shop.open) return;
  if (shop.queue.length < 5) shop.placeOrder(NAMES[day % NAMES.length], Object.keys(MENU)[day % 3]);
  if (day % 3 === 0) shop.serveNext();
}, 3000);
console.log(`${shop.name} is open (pid ${process.pid})`);

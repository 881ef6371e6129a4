// A CommonJS shop: state in module variables, a class instance, a second module, a server that keeps it alive.
const http = require('node:http');
const { ledger } = require('./shop-ledger.cjs');

let visits = 0;
const settings = { currency: 'EUR', apiToken: 'tok_live_51Hx8KqLm29vTzR4', password: 'hunter2', theme: { dark: true } };
const rates = new Map([
  ['USD', 1.08],
  ['odd key', 7],
]);

class Cart {
  #discount = 0;
  constructor() {
    this.items = [];
    this.opened = new Date('2026-01-02T03:04:05.000Z');
  }
  addItem(name, price, quantity = 1) {
    this.items.push({ name, price: price * 1, quantity });
    ledger.record('add', name);
    return this.items.length;
  }
  removeItem(name) {
    const before = this.items.length;
    this.items = this.items.filter((item) => item.name !== name);
    return before - this.items.length;
  }
  getTotal() {
    return this.items.reduce((sum, item) => sum + item.price * item.quantity, 0) * (1 - this.#discount);
  }
  setCoupon(coupon) {
    this.coupon = coupon;
  }
  deleteEverything() {
    this.items = [];
  }
  applyDiscount(share) {
    if (share < 0 || share > 1) throw new RangeError('share must be between 0 and 1');
    this.#discount = share;
  }
  async checkout() {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const total = this.getTotal();
    this.items = [];
    return total;
  }
}

const cart = new Cart();
cart.addItem('apple', 2, 3);

const server = http.createServer((_request, response) => {
  visits++;
  response.end(JSON.stringify({ visits, settings, rates: rates.size, total: cart.getTotal() }));
});
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));

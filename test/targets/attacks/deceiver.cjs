// A program whose names are made to mislead whoever reads them: with a harmless method, and one that is not.
const http = require('node:http');

class Shop {
  constructor() {
    this.views = 3;
    this.orders = ['first', 'second'];
    this.rows = Array.from({ length: 400 }, (_, at) => `row ${at}`);
    this['amount\u202edeyap'] = 7;
  }
  getViews() {
    return this.views;
  }
  setNote(note) {
    this.note = note;
  }
  'set\u202eecirP\n'(price) {
    this.price = price;
  }
  wipe() {
    this.orders = [];
  }
}

const shop = new Shop();
const server = http.createServer((_request, response) => response.end(String(shop.getViews())));
server.listen(0, '127.0.0.1', () => console.log('ready'));

// Values that stand nowhere else, wherever a value can stand: in texts, numbers, lists and maps, in what methods give back,
// and in what they throw. Whoever may not read must meet none of them.
const http = require('node:http');

const TEXT = 'zqmark text';
const NUMBER = 918273.645;

class Notes {
  constructor() {
    this.text = TEXT;
    this.amount = NUMBER;
    this.rows = [{ title: `${TEXT} of a row`, price: NUMBER }];
    this.byName = new Map([['plain', `${TEXT} of a map`]]);
  }
  getText() {
    return this.text;
  }
  getAll() {
    return { text: this.text, rows: this.rows };
  }
  setText(text) {
    this.text = `${TEXT} ${text}`;
  }
  setAmount(amount) {
    if (amount < 0) throw new RangeError(`not ${amount}: it is ${this.amount}, and ${this.text}`);
    this.amount = NUMBER + amount;
  }
  async setSlowly(text) {
    await new Promise((resolve) => setTimeout(resolve, 700));
    this.text = `${TEXT} ${text}`;
    throw new Error(`late, with ${this.text}`);
  }
  deleteAll() {
    this.rows = [];
  }
}

const notes = new Notes();
const server = http.createServer((_request, response) => response.end(notes.getText()));
server.listen(0, '127.0.0.1', () => console.log(`listening ${server.address().port}`));

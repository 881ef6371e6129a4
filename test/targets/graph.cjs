// The object graph of test/contract/graph-contract.ts: the same is in java/graph and in csharp/graph.
const http = require('node:http');
const { Readable } = require('node:stream');

const LIMIT = 10;
const VERSION = '1.2.3';

class Size {
  constructor(label, order) {
    this.label = label;
    this.order = order;
  }
  static SMALL = new Size('small', 1);
  static LARGE = new Size('large', 2);
}

class Address {
  constructor(street, number) {
    this.street = street;
    this.number = number;
  }
}

class Person {
  constructor(name) {
    this.name = name;
    this.friends = [];
  }
}

class Parcel {
  constructor(code) {
    this.code = code;
    this.stops = [];
  }
}

/** Leads to a parcel that is a key of a map, too. */
class Shelf {
  parcels = [new Parcel('p2')];
}

class Depot {
  shelf = new Shelf();
}

/** The one object of its class. */
class Registry {
  static INSTANCE = new Registry();
  entries = 4;
  names = [];
}

class Worker {
  name = 'worker';
  shifts = 2;
}

class Employee extends Worker {
  name = 'employee';
  level = 3;
}

class ProtectedString {
  constructor(value) {
    this.value = value;
  }
}

class LoginCredentials {
  constructor(user, phrase) {
    this.user = user;
    this.phrase = phrase;
  }
}

class Logger {
  lines = 1;
  constructor(prefix) {
    this.prefix = prefix;
  }
}

class World {
  title = 'Corner "Shop"\nsecond line 𝄞 \u0000 end';
  empty = '';
  nothing = null;
  longText = '0123456789'.repeat(500);
  count = 3;
  most = 9223372036854775807n;
  least = -9223372036854775808n;
  exact = 9007199254740991;
  huge = 123456789012345678901234567890n;
  ratio = 0.1;
  largest = Number.MAX_VALUE;
  smallest = Number.MIN_VALUE;
  notANumber = Number.NaN;
  endless = Number.NEGATIVE_INFINITY;
  minusZero = -0;
  isOpen = true;
  letter = 'x';
  mood = 'STORMY';
  opened = new Date(1704164645000);
  present = 'here';
  missing = null;
  age = 36;
  size = Size.LARGE;
  address = new Address('Main Street', 12);
  again = this.address;
  owner = new Person('Ada');
  boss = this.owner;
  employee = new Employee();
  people = [];
  mixed = ['text', 7, true, null, new Address('Side Street', 3)];
  noList = [];
  noMap = new Map();
  noSet = new Set();
  numbers = [1, 2, 3];
  grid = [
    [1, 2],
    [3, 4],
  ];
  words = ['one', null, 'three'];
  text = Buffer.from('hello');
  picture = Buffer.from([0, 1, 2, 3]);
  stock = new Map([
    ['apple', 5],
    ['odd key', 6],
    ['a.b[0]', 7],
    ['', 8],
  ]);
  byNumber = new Map([
    [1, 'one'],
    [-2, 'minus two'],
  ]);
  byMood = new Map([['CALM', 1]]);
  byPerson = new Map([[this.owner, 1]]);
  byParcel = new Map([[new Parcel('p1'), 2]]);
  depot = new Depot();
  weights = new Map([[this.depot.shelf.parcels[0], 3]]);
  tags = new Set(['red', 'green']);
  longList = Array.from({ length: 600 }, (_, at) => at);
  settings = new Map([
    ['theme', 'dark'],
    ['apiToken', 'tok_live_51Hx8KqLm29vTzR4'],
  ]);
  password = 'hunter2';
  vault = new ProtectedString('swordfish');
  login = new LoginCredentials('ada', 'opensesame');
  logger = new Logger('world');
  stream = Readable.from([]);
  callback = () => {};

  constructor() {
    const grace = new Person('Grace');
    this.owner.friends.push(grace);
    grace.friends.push(this.owner);
    this.people.push(this.owner, grace);
  }
  total() {
    let sum = 0;
    for (const number of this.numbers) sum += number;
    return sum;
  }
  getTitle() {
    return this.title;
  }
  setTitle(title) {
    this.title = title;
  }
  addTag(tag) {
    this.tags.add(tag);
  }
  removeTag(tag) {
    this.tags.delete(tag);
  }
  deletePeople() {
    this.people.length = 0;
  }
  shutdown() {
    process.exit(0);
  }
}

const GLOSSARY = Array.from({ length: 600 }, (_, at) => `word ${at}`);
const world = new World();

const server = http.createServer((_request, response) =>
  response.end(`${world.title} ${VERSION} ${LIMIT} ${GLOSSARY.length} ${Registry.INSTANCE.entries}`),
);
server.listen(0, '127.0.0.1', () => console.log('ready'));

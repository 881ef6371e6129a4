import { configure, makeAutoObservable } from 'mobx';

// State may change in actions only.
configure({ enforceActions: 'always' });

class Todo {
  id;
  title;
  done = false;

  constructor(id, title, done = false) {
    this.id = id;
    this.title = title;
    this.done = done;
    makeAutoObservable(this, { id: false });
  }

  toggle() {
    this.done = !this.done;
  }
}

export class TodoStore {
  todos = [new Todo(1, 'Buy milk'), new Todo(2, 'Write report', true), new Todo(3, 'Call Grace')];
  filter = 'all';
  owner = { name: 'Grace Hopper', apiToken: 'mobx_live_a1b2c3d4e5f60718' };
  tags = new Map([
    ['home', 2],
    ['work', 1],
  ]);

  constructor() {
    makeAutoObservable(this);
  }

  get openCount() {
    return this.todos.filter((todo) => !todo.done).length;
  }

  get visible() {
    if (this.filter === 'all') return this.todos;
    return this.todos.filter((todo) => todo.done === (this.filter === 'done'));
  }

  add(title) {
    this.todos.push(new Todo(this.todos.length + 1, title));
  }

  show(filter) {
    this.filter = filter;
  }

  clearDone() {
    this.todos = this.todos.filter((todo) => !todo.done);
  }
}

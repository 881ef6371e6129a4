import { fromJS, Set as ImmutableSet, OrderedMap, Record } from 'immutable';
import { legacy_createStore as createStore } from 'redux';

const Card = Record({ id: 0, title: '', column: 'todo', labels: ImmutableSet() });

const INITIAL = fromJS({
  board: { name: 'Release 2', columns: ['todo', 'doing', 'done'] },
  user: { name: 'Linus', accessToken: 'imm_live_0f1e2d3c4b5a6978' },
}).set(
  'cards',
  OrderedMap([
    ['c1', Card({ id: 1, title: 'Fix login', column: 'todo', labels: ImmutableSet(['bug']) })],
    ['c2', Card({ id: 2, title: 'Write docs', column: 'doing' })],
  ]),
);

const NEXT = { todo: 'doing', doing: 'done', done: 'done' };

function reducer(state = INITIAL, action) {
  switch (action.type) {
    case 'card/advanced':
      return state.updateIn(['cards', action.key, 'column'], (column) => NEXT[column]);
    case 'board/renamed':
      return state.setIn(['board', 'name'], action.name);
    default:
      return state;
  }
}

export const makeStore = () => createStore(reducer);

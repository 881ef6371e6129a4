import { createRoot } from 'react-dom/client';
import { Provider, useDispatch, useSelector } from 'react-redux';
import { makeStore } from './store.js';

function Board() {
  const dispatch = useDispatch();
  const board = useSelector((state) => state.get('board'));
  const cards = useSelector((state) => state.get('cards'));
  return (
    <>
      <label>
        Board{' '}
        <input
          name="board"
          value={board.get('name')}
          onChange={(event) => dispatch({ type: 'board/renamed', name: event.target.value })}
        />
      </label>
      <ul id="cards">
        {[...cards].map(([key, card]) => (
          <li key={key}>
            {card.title}: <span className="column">{card.column}</span>
            <button
              type="button"
              aria-label={`Advance ${card.title}`}
              onClick={() => dispatch({ type: 'card/advanced', key })}
            >
              Advance
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

createRoot(document.getElementById('root')).render(
  <Provider store={makeStore()}>
    <h1>Board</h1>
    <Board />
  </Provider>,
);

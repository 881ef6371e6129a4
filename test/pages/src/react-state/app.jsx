import { createContext, useContext, useReducer, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { INITIAL_LINES, linesReducer } from './lines-reducer.js';

const SessionContext = createContext({ user: 'nobody' });

function Counter() {
  const [count, setCount] = useState(3);
  const clicks = useRef(0);
  return (
    <p>
      Copies: <output id="count">{count}</output>
      <button
        type="button"
        id="increment"
        onClick={() => {
          clicks.current += 1;
          setCount(count + 1);
        }}
      >
        One more
      </button>
    </p>
  );
}

function Invoice() {
  const [lines, dispatch] = useReducer(linesReducer, INITIAL_LINES);
  const { user } = useContext(SessionContext);
  const total = lines.reduce((sum, line) => sum + line.amount, 0);
  return (
    <section aria-label="Invoice">
      <p>Issued by {user}</p>
      <ul id="lines">
        {lines.map((line) => (
          <li key={line.id}>
            {line.text} {line.amount.toFixed(2)}
            <button
              type="button"
              aria-label={`Remove ${line.text}`}
              onClick={() => dispatch({ type: 'remove', id: line.id })}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <div>
        <span>Total</span> <span id="total">{total.toFixed(2)}</span>
      </div>
      <LineForm onAdd={(line) => dispatch({ type: 'add', ...line })} />
    </section>
  );
}

function LineForm({ onAdd }) {
  const [text, setText] = useState('');
  const [amount, setAmount] = useState('10');
  const [password, setPassword] = useState('hunter2-react');
  return (
    <form
      aria-label="New line"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd({ text, amount: Number(amount) });
        setText('');
      }}
    >
      <label>
        Text <input name="text" value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <label>
        Amount <input name="amount" type="number" value={amount} onChange={(event) => setAmount(event.target.value)} />
      </label>
      <label>
        Password{' '}
        <input
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </label>
      <button type="submit">Add line</button>
    </form>
  );
}

const root = createRoot(document.getElementById('root'));

function draw() {
  root.render(
    <SessionContext value={{ user: 'Ada Lovelace', role: 'accountant' }}>
      <h1>Invoice</h1>
      <Counter />
      <Invoice />
    </SessionContext>,
  );
}

// React listens from the start, so a page can be read before it is drawn.
if (location.search === '?late') document.addEventListener('draw', draw);
else draw();

import { observer } from 'mobx-react-lite';
import { createContext, useContext, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { TodoStore } from './todo-store.js';

const StoreContext = createContext(null);
const useStore = () => useContext(StoreContext);

const TodoItem = observer(function TodoItem({ todo }) {
  return (
    <li>
      <label>
        <input type="checkbox" checked={todo.done} onChange={() => todo.toggle()} /> {todo.title}
      </label>
    </li>
  );
});

const TodoList = observer(function TodoList() {
  const store = useStore();
  return (
    <>
      <p>
        Open: <output id="open">{store.openCount}</output>
      </p>
      <ul id="todos">
        {store.visible.map((todo) => (
          <TodoItem key={todo.id} todo={todo} />
        ))}
      </ul>
      <label>
        Show{' '}
        <select id="filter" value={store.filter} onChange={(event) => store.show(event.target.value)}>
          <option>all</option>
          <option>open</option>
          <option>done</option>
        </select>
      </label>
      <button type="button" onClick={() => store.clearDone()}>
        Clear done
      </button>
    </>
  );
});

function NewTodo() {
  const store = useStore();
  const [title, setTitle] = useState('');
  return (
    <form
      aria-label="New todo"
      onSubmit={(event) => {
        event.preventDefault();
        store.add(title);
        setTitle('');
      }}
    >
      <label>
        Title <input name="title" value={title} onChange={(event) => setTitle(event.target.value)} />
      </label>
      <button type="submit">Add todo</button>
    </form>
  );
}

createRoot(document.getElementById('root')).render(
  <StoreContext value={new TodoStore()}>
    <h1>Todo list</h1>
    <TodoList />
    <NewTodo />
  </StoreContext>,
);

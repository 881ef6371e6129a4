import { ApolloProvider, useApolloClient, useQuery } from '@apollo/client/react';
import { createRoot } from 'react-dom/client';
import { BOOKS, borrow, makeClient } from './client.js';

function Books() {
  const client = useApolloClient();
  const { data } = useQuery(BOOKS, { fetchPolicy: 'cache-only' });
  if (!data) return <p>Empty</p>;
  return (
    <>
      <p>Reader: {data.reader.name}</p>
      <ul id="books">
        {data.books.map((book) => (
          <li key={book.id}>
            {book.title}, {book.author.name} <span className="status">{book.available ? 'available' : 'lent'}</span>
            <button
              type="button"
              disabled={!book.available}
              aria-label={`Borrow ${book.title}`}
              onClick={() => borrow(client, book.id)}
            >
              Borrow
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

createRoot(document.getElementById('root')).render(
  <ApolloProvider client={makeClient()}>
    <h1>Library</h1>
    <Books />
  </ApolloProvider>,
);

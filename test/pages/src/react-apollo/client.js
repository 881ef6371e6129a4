import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client';

export const BOOKS = gql`
  query Books {
    books {
      id
      title
      available
      author {
        id
        name
      }
    }
    reader {
      id
      name
      cardNumber
    }
  }
`;

const DATA = {
  books: [
    book('b1', 'Notes on the Analytical Engine', true, author('a1', 'Ada Lovelace')),
    book('b2', 'The Education of a Computer', false, author('a2', 'Grace Hopper')),
  ],
  reader: { __typename: 'Reader', id: 'r1', name: 'Alan Turing', cardNumber: '4111111111111111' },
};

function book(id, title, available, by) {
  return { __typename: 'Book', id, title, available, author: by };
}

function author(id, name) {
  return { __typename: 'Author', id, name };
}

/** The cache is filled here and nothing is ever fetched. */
export function makeClient() {
  const cache = new InMemoryCache();
  cache.writeQuery({ query: BOOKS, data: DATA });
  return new ApolloClient({ cache, link: ApolloLink.empty(), devtools: { enabled: false } });
}

export function borrow(client, id) {
  client.cache.modify({ id: client.cache.identify({ __typename: 'Book', id }), fields: { available: () => false } });
}

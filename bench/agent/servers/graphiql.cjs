// A library of books behind GraphiQL. GET /truth tells how often the query ran.
const fromHere = require('node:module').createRequire(`${process.cwd()}/`);
const { buildSchema, graphql } = fromHere('graphql');
const { json, serve } = require('./static.cjs');

const schema = buildSchema(`
  """How a book is bound."""
  enum BindingKind { CLOTH LEATHER PAPER }
  """Something to read."""
  type Book { id: ID! title: String! author: Author! pages: Int binding: BindingKind! }
  """Whoever wrote it."""
  type Author { name: String! born: Int books: [Book!]! }
  type Query { "All books of the library." books: [Book!]! author(name: String!): Author }
  type Mutation { "Takes a book home." borrow(id: ID!, reader: String!): Book }
`);
const herbert = { name: 'Frank Herbert', born: 1920 };
const books = [
  { id: '1', title: 'Dune', author: herbert, pages: 412, binding: 'CLOTH' },
  { id: '2', title: 'Dune Messiah', author: herbert, pages: 256, binding: 'PAPER' },
];
herbert.books = books;
let runs = 0;

serve({
  lib: '.',
  html: `<!doctype html><title>GraphiQL</title><link rel="stylesheet" href="/lib/graphiql/graphiql.min.css">
<body style="margin:0"><div id="app" style="height:100vh"></div>
<script src="/lib/react/umd/react.production.min.js"></script>
<script src="/lib/react-dom/umd/react-dom.production.min.js"></script>
<script src="/lib/graphiql/graphiql.min.js"></script>
<script>ReactDOM.createRoot(document.getElementById('app')).render(React.createElement(GraphiQL, {
  fetcher: GraphiQL.createFetcher({ url: '/graphql' }), defaultQuery: 'query Shelf { books { title pages } }',
}))</script>`,
  async answer({ pathname, body, response }) {
    if (pathname === '/truth') return json(response, { runs });
    if (pathname !== '/graphql') return false;
    const { query, variables, operationName } = JSON.parse(body);
    if (/Shelf/.test(query)) runs++;
    return json(
      response,
      await graphql({ schema, source: query, rootValue: { books }, variableValues: variables, operationName }),
    );
  },
});

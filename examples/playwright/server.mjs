// A coffee shop on the web: a page that takes orders, and a server that keeps them. It knows nothing of substrate.
import { createServer } from 'node:http';

const shop = { name: 'The Daily Grind', orders: [] };

const PAGE = `<!doctype html>
<title>${shop.name}</title>
<h1>${shop.name}</h1>
<form>
  <label>Customer <input name="customer" required></label>
  <label>Drink <select name="drink"><option>tea<option>espresso</select></label>
  <button>Order</button>
</form>
<p role="status"></p>
<script>
  const counter = { sent: 0, ticket: null };
  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const order = Object.fromEntries(new FormData(event.target));
    const answer = await fetch('/orders', { method: 'POST', body: JSON.stringify(order) });
    counter.ticket = (await answer.json()).ticket;
    counter.sent++;
    document.querySelector('[role=status]').textContent = 'Ticket ' + counter.ticket;
  });
</script>`;

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(PAGE);
    return;
  }
  let text = '';
  for await (const chunk of request) text += chunk;
  const { customer, drink } = JSON.parse(text);
  shop.orders.push({ customer, drink, isPaid: false });
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ ticket: shop.orders.length }));
});
server.listen(Number(process.env.PORT ?? 4173), '127.0.0.1');

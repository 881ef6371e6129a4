// State as pages without a framework keep it: variables of a classic script, one global object, storage, the DOM.
const PRICES = { Teapot: 24.5, Cup: 6 };
let orderLines = [
  { product: 'Teapot', quantity: 1 },
  { product: 'Cup', quantity: 3 },
];
let orderStatus = 'open';
let saveCount = 0;

window.ShopConfig = { currency: 'EUR', taxRate: 0.19, apiKey: 'sk_live_51HqPlainPageSecret' };

localStorage.setItem('theme', 'dark');
localStorage.setItem('preferences', JSON.stringify({ pageSize: 25, columns: ['id', 'total'] }));
localStorage.setItem('authToken', 'eyJhbGciOiJIUzI1NiJ9.cGxhaW4tcGFnZQ.c2VjcmV0LXNpZ25hdHVyZQ');
sessionStorage.setItem('lastOrderId', '1001');

const byId = (id) => document.getElementById(id);
const orderTotal = () => orderLines.reduce((sum, { product, quantity }) => sum + PRICES[product] * quantity, 0);

function renderOrder() {
  byId('lines').tBodies[0].replaceChildren(
    ...orderLines.map(({ product, quantity }) => {
      const row = document.createElement('tr');
      for (const text of [product, quantity, PRICES[product].toFixed(2)]) {
        const cell = document.createElement('td');
        cell.textContent = text;
        row.append(cell);
      }
      return row;
    }),
  );
  byId('order-total').textContent = orderTotal().toFixed(2);
  byId('order-status').textContent = orderStatus;
}

function announce(text) {
  byId('status').textContent = text;
}

function addCup() {
  orderLines = orderLines.map((line) => (line.product === 'Cup' ? { ...line, quantity: line.quantity + 1 } : line));
  renderOrder();
}

function shipOrder() {
  orderStatus = 'shipped';
  announce('Order shipped');
  renderOrder();
}

function saveDelivery(event) {
  event.preventDefault();
  saveCount += 1;
  announce(`Saved ${saveCount} times`);
}

byId('add-cup').addEventListener('click', addCup);
byId('ship').addEventListener('click', shipOrder);
byId('delivery').addEventListener('submit', saveDelivery);
byId('open-help').addEventListener('click', () => byId('help').showModal());
renderOrder();

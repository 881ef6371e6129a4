import { orders } from './orders.js';

const BASE = '/spa-routes';
const current = { route: '', params: {}, visits: 0 };

const ROUTES = [
  { name: 'list', pattern: /^\/orders\/?$/, view: listView },
  { name: 'detail', pattern: /^\/orders\/(?<id>\d+)$/, view: detailView },
  { name: 'edit', pattern: /^\/orders\/(?<id>\d+)\/edit$/, view: editView },
];

function element(tag, text, attributes = {}) {
  const made = Object.assign(document.createElement(tag), attributes);
  made.textContent = text;
  return made;
}

const byId = (id) => orders.find((order) => order.id === Number(id));

function listView() {
  const list = element('ul', '', { id: 'orders' });
  list.append(...orders.map(({ id, customer, status }) => element('li', `${id} ${customer} ${status}`)));
  return [element('h1', 'All orders'), list];
}

function detailView({ id }) {
  const order = byId(id);
  const edit = element('a', 'Edit', { href: `${BASE}/orders/${id}/edit` });
  return [element('h1', `Order ${id}`), element('p', `${order.customer}: ${order.total.toFixed(2)}`), edit];
}

function editView({ id }) {
  const order = byId(id);
  const form = element('form', '', { ariaLabel: 'Edit order' });
  const label = element('label', 'Status ');
  const input = element('input', '', { name: 'status', value: order.status });
  label.append(input);
  form.append(label, element('button', 'Save order'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    order.status = input.value;
    go(`${BASE}/orders/${id}`);
  });
  return [element('h1', `Edit order ${id}`), form];
}

function render() {
  const path = location.pathname.slice(BASE.length);
  const route = ROUTES.find(({ pattern }) => pattern.test(path));
  current.route = route?.name ?? 'none';
  current.params = { ...route?.pattern.exec(path).groups };
  current.visits += 1;
  const views = route?.view(current.params) ?? [element('h1', 'No such page')];
  document.getElementById('main').replaceChildren(...views);
  document.title = views[0].textContent;
}

function go(url) {
  history.pushState({ from: location.pathname }, '', url);
  render();
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (!link) return;
  event.preventDefault();
  go(link.getAttribute('href'));
});
addEventListener('popstate', render);
if (location.pathname === `${BASE}/`) history.replaceState(null, '', `${BASE}/orders`);
render();

import { createRoot } from 'react-dom/client';
import { record } from './event-log.js';
import { ProfileForm } from './profile-form.jsx';

const byId = (id) => document.getElementById(id);

function flip(element, attribute) {
  const next = String(element.getAttribute(attribute) !== 'true');
  element.setAttribute(attribute, next);
  return next;
}

byId('refresh').addEventListener('click', (event) => record('refresh', event));
byId('reload').addEventListener('click', (event) => record('reload', event));
byId('archive').addEventListener('click', (event) => record('archive', event));
byId('archive').addEventListener('keydown', (event) => {
  if (event.key === 'Enter') record('archive by key', event);
});
byId('bold').addEventListener('click', (event) => record('bold', event, flip(byId('bold'), 'aria-pressed')));
byId('wifi').addEventListener('click', (event) => record('wifi', event, flip(byId('wifi'), 'aria-checked')));

byId('menu-button').addEventListener('click', (event) => {
  byId('menu').hidden = !byId('menu').hidden;
  record('menu', event, flip(byId('menu-button'), 'aria-expanded'));
});
// One listener for all items, as menus have it.
byId('menu').addEventListener('click', (event) => {
  const item = event.target.closest('[role^=menuitem]');
  if (!item) return;
  const checked = item.role === 'menuitemcheckbox' ? flip(item, 'aria-checked') : null;
  record(item.textContent.toLowerCase(), event, checked);
});
byId('files').addEventListener('click', (event) => {
  if (!event.target.matches('.delete')) return;
  const row = event.target.closest('tr');
  record('delete', event, row.cells[0].textContent);
  row.remove();
});

createRoot(byId('root')).render(<ProfileForm />);

import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useCart, usePreferences } from './stores.js';

function Cart() {
  const { items, voucher, addItem, removeItem, clear } = useCart();
  const currency = usePreferences((state) => state.currency);
  const total = items.reduce((sum, item) => sum + item.price * item.quantity, 0);
  return (
    <section aria-label="Cart">
      <ul id="items">
        {items.map((item) => (
          <li key={item.sku}>
            {item.name} × <span className="quantity">{item.quantity}</span>
            <button type="button" aria-label={`Add ${item.name}`} onClick={() => addItem(item.sku)}>
              +
            </button>
            <button type="button" aria-label={`Remove ${item.name}`} onClick={() => removeItem(item.sku)}>
              Remove
            </button>
          </li>
        ))}
      </ul>
      <p>
        Total: <output id="total">{`${total.toFixed(2)} ${currency}`}</output>
      </p>
      {voucher ? <p>Voucher: {voucher}</p> : null}
      <button type="button" onClick={clear}>
        Clear cart
      </button>
    </section>
  );
}

function Voucher() {
  const applyVoucher = useCart((state) => state.applyVoucher);
  const [code, setCode] = useState('');
  return (
    <form
      aria-label="Voucher"
      onSubmit={(event) => {
        event.preventDefault();
        applyVoucher(code);
      }}
    >
      <label>
        Code <input name="voucher" value={code} onChange={(event) => setCode(event.target.value)} />
      </label>
      <button type="submit">Apply</button>
    </form>
  );
}

function Preferences() {
  const { currency, theme, setCurrency, toggleTheme } = usePreferences();
  return (
    <section aria-label="Preferences">
      <label>
        Currency{' '}
        <select id="currency" value={currency} onChange={(event) => setCurrency(event.target.value)}>
          <option>EUR</option>
          <option>USD</option>
        </select>
      </label>
      <button type="button" id="theme" aria-pressed={theme === 'dark'} onClick={toggleTheme}>
        Dark theme
      </button>
    </section>
  );
}

createRoot(document.getElementById('root')).render(
  <>
    <h1>Cart</h1>
    <Cart />
    <Voucher />
    <Preferences />
  </>,
);

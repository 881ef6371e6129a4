// Nothing of this is a global: only the event listeners hold on to it.
(() => {
  const account = {
    holder: 'Ada Lovelace',
    balance: 120,
    frozen: false,
    transactions: [{ amount: 120, note: 'opening' }],
    apiSecret: 'clo_live_13579bdf02468ace',
  };
  let depositCount = 0;

  const byId = (id) => document.getElementById(id);

  function render() {
    byId('balance').textContent = account.balance.toFixed(2);
    byId('transactions').replaceChildren(
      ...account.transactions.map(({ amount, note }) => {
        const item = document.createElement('li');
        item.textContent = `${note}: ${amount.toFixed(2)}`;
        return item;
      }),
    );
  }

  function deposit(amount) {
    if (account.frozen) return;
    depositCount += 1;
    account.balance += amount;
    account.transactions.push({ amount, note: `deposit ${depositCount}` });
    render();
  }

  byId('deposit').addEventListener('submit', (event) => {
    event.preventDefault();
    deposit(event.target.elements.amount.valueAsNumber);
  });
  byId('freeze').addEventListener('click', () => {
    account.frozen = true;
    byId('freeze').textContent = 'Frozen';
  });
  render();
})();

export const orders = [
  { id: 1001, customer: 'Ada', status: 'open', total: 42.5 },
  { id: 1002, customer: 'Grace', status: 'paid', total: 17 },
];

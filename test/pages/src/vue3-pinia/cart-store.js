import { defineStore } from 'pinia';
import { useProducts } from './products-store.js';

export const useCart = defineStore('cart', {
  state: () => ({
    lines: [{ productId: 2, quantity: 2 }],
    coupon: '',
    orders: 0,
    paymentToken: 'pay_live_4e5f60718293a4b5',
  }),
  getters: {
    total: (state) =>
      state.lines.reduce((sum, line) => sum + useProducts().byId(line.productId).price * line.quantity, 0),
  },
  actions: {
    addItem(productId, quantity = 1) {
      const line = this.lines.find((candidate) => candidate.productId === productId);
      if (line) line.quantity += quantity;
      else this.lines.push({ productId, quantity });
    },
    removeItem(productId) {
      this.lines = this.lines.filter((line) => line.productId !== productId);
    },
    checkout() {
      if (this.lines.length === 0) return false;
      this.orders += 1;
      this.lines = [];
      return true;
    },
  },
});

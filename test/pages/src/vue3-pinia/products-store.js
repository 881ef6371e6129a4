import { defineStore } from 'pinia';

export const useProducts = defineStore('products', {
  state: () => ({
    items: [
      { id: 1, name: 'Teapot', price: 24.5, stock: 7 },
      { id: 2, name: 'Cup', price: 6, stock: 40 },
      { id: 3, name: 'Kettle', price: 39.9, stock: 0 },
    ],
  }),
  getters: {
    byId: (state) => (id) => state.items.find((item) => item.id === id),
    available: (state) => state.items.filter((item) => item.stock > 0),
  },
});

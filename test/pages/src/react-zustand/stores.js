import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';

const without = (items, sku) => items.filter((item) => item.sku !== sku);

export const useCart = create((set, get) => ({
  items: [
    { sku: 'TEA-1', name: 'Green tea', price: 4.5, quantity: 2 },
    { sku: 'CUP-7', name: 'Cup', price: 6, quantity: 1 },
  ],
  voucher: null,
  addItem: (sku) =>
    set({ items: get().items.map((item) => (item.sku === sku ? { ...item, quantity: item.quantity + 1 } : item)) }),
  removeItem: (sku) => set({ items: without(get().items, sku) }),
  applyVoucher: (voucher) => set({ voucher }),
  clear: () => set({ items: [], voucher: null }),
}));

export const usePreferences = create(
  persist(
    (set) => ({
      currency: 'EUR',
      theme: 'light',
      sessionToken: 'sess_live_71c2d3e4f5a6b7c8',
      setCurrency: (currency) => set({ currency }),
      toggleTheme: () => set(({ theme }) => ({ theme: theme === 'light' ? 'dark' : 'light' })),
    }),
    {
      name: 'preferences',
      storage: createJSONStorage(() => localStorage),
      partialize: ({ currency, theme }) => ({ currency, theme }),
    },
  ),
);

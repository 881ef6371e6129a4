import { createStore } from 'vuex';

const tickets = {
  namespaced: true,
  state: () => ({
    list: [
      { id: 71, title: 'Printer on fire', priority: 'high', open: true },
      { id: 72, title: 'Slow login', priority: 'low', open: true },
    ],
    sortBy: 'id',
  }),
  getters: {
    openCount: (state) => state.list.filter((ticket) => ticket.open).length,
  },
  mutations: {
    closed(state, id) {
      state.list.find((ticket) => ticket.id === id).open = false;
    },
    added(state, title) {
      state.list.push({ id: 71 + state.list.length, title, priority: 'normal', open: true });
    },
  },
  actions: {
    close: ({ commit }, id) => commit('closed', id),
    add: ({ commit }, title) => commit('added', title),
  },
};

export const store = createStore({
  strict: false,
  state: { agent: { name: 'Margaret Hamilton', refreshToken: 'vuex_live_8a7b6c5d4e3f2a1b' } },
  modules: { tickets },
});

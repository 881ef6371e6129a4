import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { createRouter, createWebHashHistory } from 'vue-router';
import App from './App.vue';
import ProductList from './ProductList.vue';
import ProductPage from './ProductPage.vue';

const router = createRouter({
  history: createWebHashHistory(),
  routes: [
    { path: '/', name: 'products', component: ProductList },
    { path: '/products/:id', name: 'product', component: ProductPage },
  ],
});

createApp(App).use(createPinia()).use(router).mount('#app');

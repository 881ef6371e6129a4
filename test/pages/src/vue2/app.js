import Vue from 'vue2/dist/vue.esm.js';
import { ContactCard } from './contact-card.js';

new Vue({
  el: '#root',
  components: { ContactCard },
  data: {
    contacts: [
      { id: 1, name: 'Ada Lovelace', phone: '555-0101', favourite: true },
      { id: 2, name: 'Alan Turing', phone: '555-0102', favourite: false },
    ],
    search: '',
    account: { user: 'grace', secretKey: 'vue2_live_1122334455667788' },
  },
  computed: {
    found() {
      return this.contacts.filter(({ name }) => name.toLowerCase().includes(this.search.toLowerCase()));
    },
  },
  methods: {
    toggle(contact) {
      contact.favourite = !contact.favourite;
    },
    remove(contact) {
      this.contacts = this.contacts.filter((other) => other !== contact);
    },
  },
  template: `
    <div>
      <h1>Address book</h1>
      <label>Search <input v-model="search" name="search" /></label>
      <p>Found: <output id="found">{{ found.length }}</output></p>
      <ul id="contacts">
        <contact-card v-for="contact in found" :key="contact.id" :contact="contact"
          @toggle="toggle(contact)" @remove="remove(contact)" />
      </ul>
    </div>`,
});

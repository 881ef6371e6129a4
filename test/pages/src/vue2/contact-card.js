export const ContactCard = {
  props: { contact: { type: Object, required: true } },
  data: () => ({ expanded: false }),
  template: `
    <li>
      <button :aria-expanded="String(expanded)" :aria-label="'Show ' + contact.name" @click="expanded = !expanded">
        {{ contact.name }}
      </button>
      <span v-if="expanded" class="phone">{{ contact.phone }}</span>
      <button :aria-pressed="String(contact.favourite)" :aria-label="'Favourite ' + contact.name" @click="$emit('toggle')">
        ★
      </button>
      <button :aria-label="'Remove ' + contact.name" @click="$emit('remove')">Remove</button>
    </li>`,
};

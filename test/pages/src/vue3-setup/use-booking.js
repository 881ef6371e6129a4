import { computed, reactive, ref } from 'vue';

/** State that lives in the module, shared by all components. */
const booking = reactive({ room: 'Blue', nights: 2, guests: [{ name: 'Ada', age: 36 }] });
const pricePerNight = ref(95);

export function useBooking() {
  const total = computed(() => booking.nights * pricePerNight.value);
  return { booking, pricePerNight, total, addGuest: (name, age) => booking.guests.push({ name, age }) };
}

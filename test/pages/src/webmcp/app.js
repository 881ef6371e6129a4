// A page that offers its functions to agents itself: one tool by script, one by a form's attributes.
const flights = [
  { number: 'AF123', from: 'Paris', to: 'Oslo', seats: 4 },
  { number: 'LH456', from: 'Berlin', to: 'Lyon', seats: 0 },
];
const bookings = [];
let lastSearch = null;

const modelContext = document.modelContext ?? navigator.modelContext;

function searchFlights({ to }) {
  lastSearch = to;
  document.getElementById('last-search').textContent = to;
  return flights.filter((flight) => flight.to === to);
}

const searchTool = {
  name: 'search_flights',
  description: 'Search flights by destination',
  inputSchema: {
    type: 'object',
    properties: { to: { type: 'string', description: 'Destination city' } },
    required: ['to'],
  },
  annotations: { readOnlyHint: true },
  async execute(input) {
    return { content: [{ type: 'text', text: JSON.stringify(searchFlights(input)) }] };
  },
};

document.getElementById('support').textContent = modelContext ? 'present' : 'absent';
modelContext?.registerTool(searchTool);

document.getElementById('book').addEventListener('submit', (event) => {
  event.preventDefault();
  bookings.push(Object.fromEntries(new FormData(event.target)));
  document.getElementById('bookings').textContent = bookings.length;
});

// Event Calendar, made with Svelte. window.calendar is its own object.
const { serve } = require('./static.cjs');

const EVENTS = [
  { title: 'Dredging the inner basin', start: '2031-05-12 09:00', end: '2031-05-12 16:00' },
  { title: 'Pilot exam of Solveig', start: '2031-05-20 14:30', end: '2031-05-20 16:00' },
];

serve({
  lib: '@event-calendar/build/dist',
  html: `<!doctype html><meta charset="utf-8"><title>Harbour days</title><link rel="stylesheet" href="/lib/event-calendar.min.css">
<div id="app"></div><script src="/lib/event-calendar.min.js"></script>
<script>window.calendar = EventCalendar.create(document.getElementById('app'), {
  date: '2031-05-14', view: 'dayGridMonth', events: ${JSON.stringify(EVENTS)}, buttonText: (text) => ({ ...text, listMonth: 'Agenda' }),
  headerToolbar: { start: 'prev,next', center: 'title', end: 'dayGridMonth,timeGridWeek,listMonth' },
})</script>`,
});

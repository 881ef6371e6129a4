import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';

/** Svelte. */
export const eventCalendar: App = {
  name: 'event-calendar',
  packages: { dependencies: { '@event-calendar/build': '5.10.1' } },
  start: (place) => startServer('event-calendar', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('Dredging')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'At which time is the "Pilot exam of Solveig"?', check: says('2:30') },
    {
      kind: 'act',
      words: 'Press "Agenda".',
      check: ({ evaluate }) => evaluate(`calendar.getOption('view') === 'listMonth'`),
    },
    {
      kind: 'wait',
      words: 'Wait until there is an event "Storm drill".',
      event: ({ evaluate }) =>
        evaluate(
          `void calendar.addEvent({ title: 'Storm drill', start: '2031-05-15 08:00', end: '2031-05-15 09:00' })`,
        ),
      check: ({ evaluate }) => evaluate(`document.body.innerText.includes('Storm drill')`),
    },
  ],
};

import { type App, says } from '../../app.ts';
import { startServer } from '../../start.ts';

/** Preact, a form. */
export const surveyJs: App = {
  name: 'survey-js',
  packages: { dependencies: { 'survey-js-ui': '2.5.38', 'survey-core': '2.5.38' } },
  start: (place) => startServer('survey-js', place),
  ready: ({ evaluate }) => evaluate(`document.body.innerText.includes('Length in metres')`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'Which "Cargo" is announced?', check: says('herring') },
    {
      kind: 'act',
      words: 'Set the "Ship name" to "Petrel". Set the "Length in metres" to "48". Press "Complete".',
      check: ({ evaluate }) =>
        evaluate(`survey.state === 'completed' && survey.data.ship === 'Petrel' && Number(survey.data.length) === 48`),
    },
    {
      kind: 'wait',
      words: 'Wait until the page says "Thank you for the announcement".',
      event: ({ evaluate }) => evaluate('void survey.doComplete()'),
      check: ({ evaluate }) => evaluate(`document.body.innerText.includes('Thank you for the announcement')`),
    },
  ],
};

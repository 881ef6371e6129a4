// SurveyJS, drawn by Preact. window.survey is its own model.
const { serve } = require('./static.cjs');

const SURVEY = {
  title: 'Arrival of a ship',
  completedHtml: '<p>Thank you for the announcement</p>',
  elements: [
    { type: 'text', name: 'ship', title: 'Ship name', isRequired: true },
    { type: 'text', name: 'length', title: 'Length in metres', inputType: 'number' },
    { type: 'radiogroup', name: 'pier', title: 'Pier', choices: ['east-3', 'west-1'] },
    { type: 'comment', name: 'cargo', title: 'Cargo' },
  ],
};

serve({
  lib: '.',
  html: `<!doctype html><meta charset="utf-8"><title>Arrival</title><link rel="stylesheet" href="/lib/survey-core/survey-core.min.css">
<div id="app"></div><script src="/lib/survey-core/survey.core.min.js"></script><script src="/lib/survey-js-ui/survey-js-ui.min.js"></script>
<script>window.survey = new Survey.Model(${JSON.stringify(SURVEY)});
survey.data = { ship: 'Gannet', cargo: 'herring and salt' }; survey.render(document.getElementById('app'))</script>`,
});

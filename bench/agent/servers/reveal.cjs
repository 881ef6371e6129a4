// reveal.js: of its slides one is seen. window.Reveal is its own object.
const { serve } = require('./static.cjs');

const SLIDES = [
  ['Harbour council', 'Minutes of the spring meeting'],
  ['Berths', 'The Gannet moors at west-1 from now on.'],
  ['Tolls', 'A lorry pays 64 crowns.'],
  ['The end', 'Questions to the harbour master'],
];

serve({
  lib: 'reveal.js/dist',
  html: `<!doctype html><meta charset="utf-8"><title>Council</title><link rel="stylesheet" href="/lib/reveal.css"><link rel="stylesheet" href="/lib/theme/white.css">
<div class="reveal"><div class="slides">${SLIDES.map(([title, text]) => `<section><h2>${title}</h2><p>${text}</p></section>`).join('')}</div></div>
<script src="/lib/reveal.js"></script><script>Reveal.initialize()</script>`,
});

/** The entry point of the page. */
import { render } from 'preact';
import { Page } from './shell/page.tsx';
import { showKeptTheme } from './shell/theme.ts';

showKeptTheme();
const place = document.getElementById('page');
if (place) render(<Page />, place);

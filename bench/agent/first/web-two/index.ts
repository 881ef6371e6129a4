import { agGrid } from './ag-grid.ts';
import { eventCalendar } from './event-calendar.ts';
import { grapesjs } from './grapesjs.ts';
import { konva } from './konva.ts';
import { maildevWeb } from './maildev-web.ts';
import { openapiExplorer } from './openapi-explorer.ts';
import { redoc } from './redoc.ts';
import { reveal } from './reveal.ts';
import { surveyJs } from './survey-js.ts';

/** The second set of web apps: written before the first run. */
export const FIRST_WEB_TWO = [
  ...[redoc, eventCalendar, surveyJs, openapiExplorer, maildevWeb],
  ...[grapesjs, agGrid, reveal, konva],
];

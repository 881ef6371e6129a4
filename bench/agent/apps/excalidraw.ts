import { type App, says } from '../app.ts';
import { startServer } from '../start.ts';

const DRAWING = `document.body[Symbol.for('bench')]`;

export const excalidraw: App = {
  name: 'excalidraw',
  packages: { dependencies: { '@excalidraw/excalidraw': '0.17.6', react: '18.3.1', 'react-dom': '18.3.1' } },
  start: (place) => startServer('excalidraw', place),
  ready: ({ evaluate }) => evaluate(`(${DRAWING}?.getSceneElements().length ?? 0) > 3`),
  page: '/',
  tasks: [
    { kind: 'read', words: 'What does the text of the drawing say about the deadline?', check: says('14 March') },
    {
      kind: 'act',
      words: 'Choose the tool "Rectangle".',
      check: ({ evaluate }) => evaluate(`${DRAWING}.getAppState().activeTool.type === 'rectangle'`),
    },
    {
      kind: 'wait',
      words: 'Wait until a text of the drawing says "Review passed".',
      event: ({ evaluate }) =>
        evaluate(`${DRAWING}.updateScene({ elements: [...${DRAWING}.getSceneElements(),
          ...ExcalidrawLib.convertToExcalidrawElements([{ type: 'text', x: 700, y: 200, text: 'Review passed' }])] })`),
      check: ({ evaluate }) => evaluate(`${DRAWING}.getSceneElements().some(({ text }) => text === 'Review passed')`),
    },
  ],
};

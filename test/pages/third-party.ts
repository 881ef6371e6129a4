/**
 * Apps that other people wrote, and what an observer should find in them. The page server has each under `/third/<name>/`;
 * what a host of the app adds to it (a page, some data) is in `third/<name>/`.
 */

export type Value = string | number | boolean | null;

/** Something that the app holds, and an expression that asks the app itself for it. */
export interface Finding {
  readonly what: string;
  /** Where it lives, in words: a store, a component, a closure, only the DOM. */
  readonly where: string;
  /** Evaluated in the page. */
  readonly read: string;
  readonly value: Value;
}

export interface ThirdPartyApp {
  readonly name: string;
  /** The npm package in test/pages/node_modules. */
  readonly folder: string;
  /** Where the folder is, when not at the app's root. */
  readonly at?: string;
  /** Every other address below `at` is a route of the app's own script. */
  readonly hasRoutes?: boolean;
  /** The address to open, below `/third/<name>/`; empty for the folder itself. */
  readonly open?: string;
  readonly builtWith: string;
  /** An expression that is true once the app is up. */
  readonly ready: string;
  readonly holds: readonly Finding[];
  /** An action of a person, and an expression that does it by script. */
  readonly action: { readonly what: string; readonly run: string };
  readonly changes: readonly Finding[];
}

const text = (selector: string) => `document.querySelector('${selector}')?.textContent.trim()`;

/** Sets a field the way a framework with controlled inputs notices. */
const fill = (selector: string, value: string) => `(() => {
  const field = document.querySelector('${selector}');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${value}');
  field.dispatchEvent(new Event('input', { bubbles: true }));
})()`;

/** All of these have the same page; apps of different years listen for different events of the Enter key. */
const addTodo = (title: string) => `(() => {
  const field = document.querySelector('#new-todo, .new-todo');
  field.focus();
  document.execCommand('insertText', false, '${title}');
  field.dispatchEvent(new Event('change', { bubbles: true }));
  for (const type of ['keydown', 'keypress', 'keyup']) {
    const charCode = type === 'keypress' ? 13 : 0;
    field.dispatchEvent(
      new KeyboardEvent(type, { key: 'Enter', code: 'Enter', keyCode: 13, which: 13, charCode, bubbles: true }),
    );
  }
  field.form?.requestSubmit();
})()`;

interface TodoApp {
  readonly name: string;
  readonly builtWith: string;
  readonly folder?: string;
  readonly where: string;
  readonly count: string;
  readonly firstTitle: string;
}

const shownTodos = `document.querySelectorAll('#todo-list li, .todo-list li').length`;
const shownTitle = `document.querySelector('#todo-list label, .todo-list label')?.textContent.trim()`;
const stored = (key: string) => `JSON.parse(localStorage['${key}'] ?? '[]')`;

function todoApp({ name, builtWith, folder, where, count, firstTitle }: TodoApp): ThirdPartyApp {
  return {
    name: `todomvc-${name}`,
    folder: folder ?? `todomvc/examples/${name}`,
    builtWith,
    ready: `document.querySelector('#new-todo, .new-todo') !== null`,
    holds: [{ what: 'number of todos', where, read: count, value: 0 }],
    action: { what: 'type "Buy milk" into "What needs to be done?" and press Enter', run: addTodo('Buy milk') },
    changes: [
      { what: 'number of todos', where, read: count, value: 1 },
      { what: 'title of the first todo', where, read: firstTitle, value: 'Buy milk' },
      { what: 'items left', where: 'DOM', read: `parseInt(${text('#todo-count, .todo-count')}, 10)`, value: 1 },
    ],
  };
}

const TODO_APPS: readonly TodoApp[] = [
  {
    name: 'angularjs',
    builtWith: 'AngularJS 1',
    where: "the controller's $scope, and localStorage",
    count: `angular.element(document.querySelector('#new-todo')).scope().todos.length`,
    firstTitle: `angular.element(document.querySelector('#new-todo')).scope().todos[0].title`,
  },
  {
    name: 'backbone',
    builtWith: 'Backbone, jQuery',
    where: 'the global app.todos, a collection whose models keep `attributes`',
    count: 'app.todos.length',
    firstTitle: `app.todos.at(0).get('title')`,
  },
  {
    name: 'canjs',
    builtWith: 'CanJS',
    where: 'observable lists inside closures; localStorage',
    count: shownTodos,
    firstTitle: shownTitle,
  },
  {
    name: 'closure',
    builtWith: 'Google Closure, compiled with advanced optimizations',
    where: 'closures; localStorage',
    count: `${stored('todos-closure')}.length`,
    firstTitle: `${stored('todos-closure')}[0].title`,
  },
  {
    name: 'dojo',
    builtWith: 'Dojo',
    where: 'stateful objects behind the AMD loader',
    count: shownTodos,
    firstTitle: shownTitle,
  },
  {
    name: 'emberjs',
    builtWith: 'Ember 1, Ember Data',
    where: "the container of the global Todos: Ember Data's store",
    count: `Todos.__container__.lookup('store:main').all('todo').get('length')`,
    firstTitle: `Todos.__container__.lookup('store:main').all('todo').get('firstObject.title')`,
  },
  {
    name: 'knockoutjs',
    builtWith: 'Knockout',
    where: 'observables of a view model that only the bindings hold',
    count: `ko.dataFor(document.querySelector('#todoapp')).todos().length`,
    firstTitle: `ko.dataFor(document.querySelector('#todoapp')).todos()[0].title()`,
  },
  {
    name: 'mithril',
    builtWith: 'Mithril 0.1',
    where: 'the controller of the global app; localStorage',
    count: `${stored('todos-mithril')}.length`,
    firstTitle: `${stored('todos-mithril')}[0].title`,
  },
  {
    name: 'ractive',
    builtWith: 'Ractive',
    where: 'the data of a Ractive instance; localStorage',
    count: `${stored('todos-ractive')}.length`,
    firstTitle: `${stored('todos-ractive')}[0].description`,
  },
  {
    name: 'react',
    builtWith: 'React 0.x, JSX compiled in the browser',
    where: 'a model object inside a closure, handed to the root component; localStorage',
    count: `${stored('react-todos')}.length`,
    firstTitle: `${stored('react-todos')}[0].title`,
  },
  {
    name: 'react16',
    folder: 'todomvc-react/dist',
    builtWith: 'React 16, production build',
    where: 'state.todos of the root class component',
    count: shownTodos,
    firstTitle: shownTitle,
  },
  {
    name: 'vanillajs',
    builtWith: 'no framework',
    where: 'a store object inside a closure; localStorage',
    count: `JSON.parse(localStorage['todos-vanillajs']).todos.length`,
    firstTitle: `JSON.parse(localStorage['todos-vanillajs']).todos[0].title`,
  },
  {
    name: 'vue',
    builtWith: 'Vue 0.x',
    where: 'the global app, a Vue instance; localStorage',
    count: 'app.todos.length',
    firstTitle: 'app.todos[0].title',
  },
];

const piniaOfDirectus = `document.querySelector('#app').__vue_app__.config.globalProperties.$pinia.state.value`;

export const THIRD_PARTY: readonly ThirdPartyApp[] = [
  {
    name: 'swagger-ui',
    folder: 'swagger-ui-dist',
    builtWith: 'React, Redux with Immutable.js state, minified by webpack',
    ready: `document.querySelector('#operations-orders-listOrders') !== null`,
    holds: [
      {
        what: 'title of the API',
        where: "the Redux store's Immutable map: spec.json.info.title",
        read: `ui.getState().getIn(['spec', 'json', 'info', 'title'])`,
        value: 'Teahouse',
      },
      {
        what: 'layout',
        where: 'the Redux store: layout.layout',
        read: `ui.getState().getIn(['layout', 'layout'])`,
        value: 'StandaloneLayout',
      },
      { what: 'heading', where: 'DOM', read: text('.info .title'), value: 'Teahouse 1.4.0 OAS 3.0' },
    ],
    action: {
      what: 'press the row "GET /orders List all orders"',
      run: `document.querySelector('#operations-orders-listOrders .opblock-summary-control').click()`,
    },
    changes: [
      {
        what: 'operations that are open',
        where: 'the Redux store: layout.shown, whose keys are Immutable lists',
        read: `ui.getState().getIn(['layout', 'shown']).size`,
        value: 1,
      },
      {
        what: 'the row is open',
        where: 'DOM (aria-expanded of its button)',
        read: `document.querySelector('#operations-orders-listOrders .opblock-summary-control').ariaExpanded`,
        value: 'true',
      },
    ],
  },
  {
    name: 'redoc',
    folder: 'redoc/bundles',
    builtWith: 'React, MobX, styled-components, minified by webpack',
    ready: `document.querySelectorAll('[role=menuitem]').length >= 5`,
    holds: [
      { what: 'heading', where: 'DOM; the MobX spec store', read: text('h1'), value: 'Teahouse (1.4.0)' },
      {
        what: 'entries of the menu',
        where: 'DOM; the MobX menu store',
        read: `document.querySelectorAll('[role=menuitem]').length`,
        value: 5,
      },
    ],
    action: {
      what: 'press the menu item "get List all orders"',
      run: `document.querySelector('[role=menuitem] [role=menuitem] label').click()`,
    },
    changes: [
      {
        what: 'active entry of the menu',
        where: "the MobX menu store's active item; DOM",
        read: text('label.active'),
        value: 'getList all orders',
      },
      {
        what: 'route',
        where: 'location.hash',
        read: 'location.hash',
        value: '#tag/orders/operation/listOrders',
      },
    ],
  },
  {
    name: 'bpmn',
    folder: 'bpmn-js/dist',
    builtWith: 'diagram-js with dependency injection, minified; its instance lives in a closure of the host page',
    ready: `document.querySelector('[data-element-id=StartEvent_1]') !== null`,
    holds: [
      {
        what: 'shapes on the canvas',
        where: "the modeler's element registry; DOM",
        read: `document.querySelectorAll('.djs-shape[data-element-id]').length`,
        value: 1,
      },
      {
        what: 'tools of the palette',
        where: 'DOM',
        read: `document.querySelectorAll('.djs-palette .entry').length`,
        value: 14,
      },
    ],
    action: {
      what: 'press the start event (the circle), then "Append task" in the menu beside it',
      run: `(async () => {
        const shape = document.querySelector('[data-element-id=StartEvent_1] .djs-hit');
        const { x, y, width, height } = shape.getBoundingClientRect();
        const at = { bubbles: true, button: 0, clientX: x + width / 2, clientY: y + height / 2 };
        for (const type of ['mousedown', 'mouseup', 'click']) shape.dispatchEvent(new MouseEvent(type, at));
        const find = () => document.querySelector('.djs-context-pad [data-action="append.append-task"]');
        while (find() === null) await new Promise(requestAnimationFrame);
        find().click();
      })()`,
    },
    changes: [
      {
        what: 'shapes on the canvas',
        where: "the modeler's element registry; DOM",
        read: `document.querySelectorAll('.djs-shape[data-element-id]').length`,
        value: 2,
      },
      {
        what: 'connections on the canvas',
        where: "the modeler's element registry; DOM",
        read: `document.querySelectorAll('.djs-connection[data-element-id]').length`,
        value: 1,
      },
    ],
  },
  {
    name: 'jsoneditor',
    folder: 'jsoneditor',
    open: 'examples/01_basic_usage.html',
    builtWith: 'no framework; a bundle by webpack',
    ready: `document.querySelector('.jsoneditor-tree') !== null`,
    holds: [
      {
        what: 'fields of the document',
        where: '`const editor` of an inline script: a tree of nodes',
        read: `Object.keys(editor.get()).length`,
        value: 0,
      },
    ],
    action: { what: 'press "Set JSON"', run: `document.querySelector('#setJSON').click()` },
    changes: [
      { what: 'field "number"', where: 'the tree of nodes', read: 'editor.get().number', value: 123 },
      { what: 'field "string"', where: 'the tree of nodes', read: 'editor.get().string', value: 'Hello World' },
    ],
  },
  {
    name: 'bundle-analyzer',
    folder: 'webpack-bundle-analyzer/public',
    builtWith: 'Preact, MobX, minified by webpack',
    ready: `document.body.innerText.includes('vendor.js')`,
    holds: [
      {
        what: 'size of everything',
        where: 'computed by the MobX store; DOM',
        read: `/All \\((.*?)\\)/.exec(document.body.innerText)?.[1]`,
        value: '168 kB',
      },
      { what: 'sizes shown', where: 'the global defaultSizes', read: 'defaultSizes', value: 'parsed' },
    ],
    action: {
      what: 'press "Stat" of "Treemap sizes"',
      run: `[...document.querySelectorAll('button')].find((button) => button.textContent === 'Stat').click()`,
    },
    changes: [
      {
        what: 'size of everything',
        where: 'computed by the MobX store, whose selectedSize is now "statSize"; DOM',
        read: `/All \\((.*?)\\)/.exec(document.body.innerText)?.[1]`,
        value: '336 kB',
      },
    ],
  },
  {
    name: 'verdaccio',
    folder: '@verdaccio/ui-theme/static',
    at: '-/static/',
    builtWith: 'React, Redux, MUI, minified by webpack in chunks',
    ready: `document.body.innerText.includes('kettle')`,
    holds: [
      {
        what: 'title of the registry',
        where: 'the global options of the page',
        read: '__VERDACCIO_BASENAME_UI_OPTIONS.title',
        value: 'Teahouse registry',
      },
      {
        what: 'packages in the list',
        where: 'the Redux store (two packages: teapot 2.1.0, kettle 0.9.3); DOM',
        read: `document.querySelectorAll('[data-testid=package-item-list]').length`,
        value: 2,
      },
    ],
    action: {
      what: 'press "Login" and type "ada" as the username',
      run: `(async () => {
        document.querySelector('[data-testid=header--button-login]').click();
        while (!document.querySelector('#login--dialog-username')) await new Promise(requestAnimationFrame);
        ${fill('#login--dialog-username', 'ada')};
      })()`,
    },
    changes: [
      {
        what: 'the login dialog is open',
        where: 'state of a component; DOM',
        read: `document.querySelector('[role=dialog]') !== null`,
        value: true,
      },
      {
        what: 'username',
        where: 'state of the form; DOM',
        read: `document.querySelector('#login--dialog-username')?.value ?? null`,
        value: 'ada',
      },
    ],
  },
  {
    name: 'directus',
    folder: '@directus/app/dist',
    at: 'admin/',
    hasRoutes: true,
    open: 'admin/',
    // Its login page draws an animation, which is slow without a GPU: `--force-prefers-reduced-motion` stops it.
    builtWith: 'Vue 3, Pinia, Vue Router, minified by Vite in chunks',
    ready: `document.querySelector('input[type=password]') !== null`,
    holds: [
      {
        what: 'name of the project',
        where: 'the Pinia store serverStore: info.project.project_name',
        read: `${piniaOfDirectus}.serverStore.info.project.project_name`,
        value: 'Teahouse',
      },
      {
        what: 'whether somebody is signed in',
        where: 'the Pinia store appStore: authenticated',
        read: `${piniaOfDirectus}.appStore.authenticated`,
        value: false,
      },
      { what: 'route', where: 'Vue Router', read: `location.pathname.split('/').pop()`, value: 'login' },
    ],
    action: {
      what: 'press the link "Forgot Password"',
      run: `document.querySelector('a[href*=reset-password]').click()`,
    },
    changes: [
      { what: 'route', where: 'Vue Router', read: `location.pathname.split('/').pop()`, value: 'reset-password' },
      {
        what: 'fields for a password',
        where: 'DOM',
        read: `document.querySelectorAll('input[type=password]').length`,
        value: 0,
      },
    ],
  },
  ...TODO_APPS.map(todoApp),
];

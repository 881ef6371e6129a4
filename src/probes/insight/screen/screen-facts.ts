/**
 * What the agents of desktop programs report of the windows: a neutral tree of facts, without any judgement. A widget is sent
 * whole when something about it has changed, and names its children by their ids. An id is a number that stays as long as
 * the component lives, shown or not.
 */
import * as z from 'zod';
import { REDACTED } from '../../../model/secrets.ts';

/** Agents cut longer texts. */
const MAX_TEXT = 10_100;
const MAX_WIDGETS = 6_000;
const MAX_ROWS = 1_000;
const MAX_COLUMNS = 64;

const id = z.int().min(1);
const text = z.string().max(MAX_TEXT);
const scalar = z.union([text, z.number(), z.boolean(), z.null()]);
const flag = z.boolean().optional();
const coordinate = z.int().optional();

const rows = z.object({
  /** Titles of the columns; absent: a row is one value. */
  columns: z.array(text).max(MAX_COLUMNS).optional(),
  shown: z.array(z.union([scalar, z.array(scalar).max(MAX_COLUMNS)])).max(MAX_ROWS),
  /** How many there are, shown or not. */
  total: z.int().min(0),
  /** Index of the selected row. */
  selected: z.int().min(0).optional(),
  /** All selected rows, where several can be. */
  allSelected: z.array(z.int()).max(MAX_ROWS).optional(),
  selectedValue: scalar.optional(),
  /** Cells may be written; of a choice: any text. */
  editable: flag,
  /** Rows can be ticked; the last column says which are. */
  ticks: flag,
});
export type Rows = z.infer<typeof rows>;

/** `list_box`: a list as small as a field, whose label stands beside it. */
const role = z.enum([
  ...['window', 'group', 'scroll', 'strip', 'frame', 'message', 'menu', 'popup', 'item', 'label', 'button', 'link'],
  ...['toggle', 'check', 'radio', 'text', 'password', 'choice', 'list', 'list_box', 'table', 'tree', 'tabs', 'slider'],
  ...['spinner', 'date', 'progress'],
] as const);
export type Role = z.infer<typeof role>;

const reportedFacts = z.object({
  id,
  role,
  children: z.array(id).max(MAX_WIDGETS).optional(),
  /** In its parent. */
  x: coordinate,
  y: coordinate,
  width: coordinate,
  height: coordinate,
  disabled: flag,
  /** Its own words; the title of a window; the message of a box that only says or asks something. */
  text: text.optional(),
  /** Set by the app for people who do not see it. */
  accessible: text.optional(),
  tip: text.optional(),
  /** Title of the border or box around its children. */
  border: text.optional(),
  /** Set by the app for itself. */
  name: text.optional(),
  /** The field of the window or panel that holds it. */
  field: text.optional(),
  /** The app's own class; absent: one of the toolkit, or one without a name. */
  type: text.optional(),
  /** What the app calls the command behind it. */
  command: text.optional(),
  /** What it holds. A menu item that has one can be ticked; null: only the app could tell whether it is. */
  value: scalar.optional(),
  /** It holds a password or the like, which the agent has not read. */
  secret: flag,
  rows: rows.optional(),
  /** `1 to 9` */
  range: text.optional(),
  editable: flag,
  selected: flag,
  /** The app listens to Enter in it. */
  submits: flag,
  /** The app listens to double clicks on its rows. */
  opens: flag,
  /** A menu that is a button, too. */
  presses: flag,
  /** A window inside of a window that can be asked to close. */
  closes: flag,
  /** The widget that a label is tied to. */
  labelFor: id.optional(),
  /** Radio buttons with this number exclude each other. */
  group: id.optional(),
  /** Of a window: name of its class. */
  className: text.optional(),
  /** Of a dialog; absent: it is none. */
  modal: flag,
  /** A modal dialog keeps the window from being used. */
  blocked: flag,
  active: flag,
  /** Of a window that only says or asks something, and paints it itself. */
  message: text.optional(),
});
const widgetFacts = reportedFacts.transform((facts) => (facts.secret ? { ...facts, value: REDACTED } : facts));
export type WidgetFacts = z.infer<typeof reportedFacts>;

export const TOOLKITS = ['swing', 'javafx', 'forms'] as const;
export type Toolkit = (typeof TOOLKITS)[number];

export const screenUpdate = z.object({
  toolkit: z.enum(TOOLKITS),
  /** What was known before does not count any more. */
  full: z.boolean(),
  /** All windows, the oldest first. */
  windows: z.array(id).max(64),
  widgets: z.array(widgetFacts).max(MAX_WIDGETS),
  removed: z.array(id),
});
export type ScreenUpdate = z.infer<typeof screenUpdate>;

/** What an agent can be asked to do with a widget. */
export type UiOperation =
  | 'press'
  | 'set'
  | 'submit'
  | 'choose'
  | 'select'
  | 'tick'
  | 'open'
  | 'expand'
  | 'collapse'
  | 'set_cell'
  | 'close';

/**
 * The facts that the agents of desktop programs report about windows: a neutral tree, without judgement. A changed
 * widget is sent whole, and names its children by their ids. An id stays the same while the component exists, shown or
 * not.
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
  /** The titles of the columns; absent if a row is one value. */
  columns: z.array(text).max(MAX_COLUMNS).optional(),
  shown: z.array(z.union([scalar, z.array(scalar).max(MAX_COLUMNS)])).max(MAX_ROWS),
  /** The number of all rows, shown or not. */
  total: z.int().min(0),
  /** The index of the selected row. */
  selected: z.int().min(0).optional(),
  /** All selected rows, if several can be. */
  allSelected: z.array(z.int()).max(MAX_ROWS).optional(),
  selectedValue: scalar.optional(),
  /** Cells can be edited; for a choice, any text can be entered. */
  editable: flag,
  /** Rows can be ticked; the last column says which are. */
  ticks: flag,
});
export type Rows = z.infer<typeof rows>;

/** `list_box`: a list as small as a field, with its label beside it. */
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
  /** Relative to its parent. */
  x: coordinate,
  y: coordinate,
  width: coordinate,
  height: coordinate,
  disabled: flag,
  /** Its own text; the title of a window; the message of a message box. */
  text: text.optional(),
  /** The name for assistive technology, set by the app. */
  accessible: text.optional(),
  tip: text.optional(),
  /** The title of the border or box around its children. */
  border: text.optional(),
  /** The app's internal name. */
  name: text.optional(),
  /** The field of the window or panel that refers to it. */
  field: text.optional(),
  /** The app's own class; absent for classes of the toolkit and anonymous ones. */
  type: text.optional(),
  /** The app's name for the command behind it. */
  command: text.optional(),
  /** Its value. A menu item with a value can be ticked; null if only the app knows whether it is. */
  value: scalar.optional(),
  /** It holds a password or the like, which the agent has not read. */
  secret: flag,
  rows: rows.optional(),
  /** `1 to 9` */
  range: text.optional(),
  editable: flag,
  selected: flag,
  /** The app handles Enter in it. */
  submits: flag,
  /** The app handles double clicks on its rows. */
  opens: flag,
  /** A menu that is also a button. */
  presses: flag,
  /** An internal window that can be closed. */
  closes: flag,
  /** The widget that a label is assigned to. */
  labelFor: id.optional(),
  /** The group of a radio button. */
  group: id.optional(),
  /** The class name of a window. */
  className: text.optional(),
  /** Absent if it is no dialog. */
  modal: flag,
  /** A modal dialog blocks the window. */
  blocked: flag,
  active: flag,
  /** The message of a message box that paints its text itself. */
  message: text.optional(),
});
const widgetFacts = reportedFacts.transform((facts) => (facts.secret ? { ...facts, value: REDACTED } : facts));
export type WidgetFacts = z.infer<typeof reportedFacts>;

export const TOOLKITS = ['swing', 'javafx', 'forms'] as const;
export type Toolkit = (typeof TOOLKITS)[number];

export const screenUpdate = z.object({
  toolkit: z.enum(TOOLKITS),
  /** Discards everything reported before. */
  full: z.boolean(),
  /** All windows, the oldest first. */
  windows: z.array(id).max(64),
  widgets: z.array(widgetFacts).max(MAX_WIDGETS),
  removed: z.array(id),
});
export type ScreenUpdate = z.infer<typeof screenUpdate>;

/** The operations of agents on widgets. */
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

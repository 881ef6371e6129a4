/** The actions that every page has. */
import type { RawAction, RawParameter } from '../../../../model/raw-action.ts';
import type { TypeName } from '../../../../model/scalar.ts';

/**
 * The contract fixes how these are judged: `click`, `type`, `navigate` and `clear` as `reversible_write`, `focus` and
 * `scroll` as `reversible_read`. A click at a point is therefore judged as a click, not by what lies there.
 */
export const BUILTINS: readonly RawAction[] = [
  builtin('click', 'setter', 'Clicks at a point of the window', [
    parameter('x', 'number', 'CSS pixels from the left edge of the page area'),
    parameter('y', 'number', 'CSS pixels from its top edge'),
  ]),
  builtin('click_text', 'setter', 'Clicks on what shows a text, whatever it is', [
    parameter('text', 'string', 'as it is shown; case does not matter'),
    optional('in', 'string', 'words of the part of the page, where several show the text'),
    optional('twice', 'boolean', 'true: a double click'),
    optional('right', 'boolean', 'true: with the right button, which opens a menu'),
  ]),
  // Where it is dropped decides what it does.
  builtin('drag', 'unknown', 'Drags what shows a text onto what shows another', [
    parameter('text', 'string', 'of what is dragged, as it is shown'),
    parameter('to', 'string', 'of where it is dropped'),
    optional('in', 'string', 'words of the part of the page that what is dragged is in'),
  ]),
  builtin('press_key', 'setter', 'Presses a key in what has the focus', [
    parameter('key', 'string', 'Enter, Escape, Tab, ArrowDown, Delete, F2, a letter; Control+s, Shift+Tab'),
  ]),
  builtin('hover', 'none', 'Moves the pointer onto what shows a text', [
    parameter('text', 'string', 'as it is shown'),
    optional('in', 'string', 'words of the part of the page'),
  ]),
  builtin('type', 'setter', 'Types a text into the field that has the focus', [
    parameter('text', 'string', 'takes the place of what is selected; a line end presses Enter, a tab Tab'),
  ]),
  builtin('fill', 'setter', 'Sets one field of a form, which is not sent', [
    parameter('field', 'string', 'its key or label: forms.address.city, or City'),
    parameter('value', 'string', 'of a box that is ticked: true or false'),
  ]),
  builtin('navigate', 'setter', 'Opens an address in this page', [
    parameter('url', 'string', "a whole http or https URL, about:blank, or an address of the app's own scheme"),
  ]),
  builtin('clear', 'setter', 'Deletes what a field holds', [parameter('selector', 'string', 'a CSS selector')]),
  builtin('focus', 'none', 'Gives the focus to an element', [parameter('selector', 'string', 'a CSS selector')]),
  builtin('scroll', 'none', 'Turns the mouse wheel over a point of the window', [
    parameter('x', 'number', 'CSS pixels from the left edge of the page area'),
    parameter('y', 'number', 'CSS pixels from its top edge'),
    parameter('deltaY', 'number', 'CSS pixels; above 0 is down'),
  ]),
];

/** Offered only where the configuration names folders. Many pages send a file as soon as it is chosen. */
export const UPLOAD: RawAction = builtin('upload', 'unknown', 'Chooses a file in what asks for one', [
  parameter('text', 'string', 'of the button, label or field that opens the choice'),
  parameter('file', 'string', 'its whole path on this machine, in a folder that the configuration allows'),
  optional('in', 'string', 'words of the part of the page'),
]);

function builtin(
  name: string,
  effect: RawAction['effect'],
  description: string,
  parameters: readonly RawParameter[],
): RawAction {
  return { binding: name, name, effect, description, parameters, returns: 'void' };
}

function optional(name: string, type: TypeName, description: string): RawParameter {
  return { name, type, required: false, description };
}

function parameter(name: string, type: TypeName, description: string): RawParameter {
  return { name, type, required: true, description };
}

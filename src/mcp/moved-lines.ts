/** Moved rows, for reading: `shop.queue: "Grace" moved from [2] to [0]`. */
import type { Scalar } from '../model/scalar.ts';
import type { KeyChange, StateLook } from '../model/state-look.ts';
import { briefText, cut } from './app-data.ts';
import type { Move, MovedList, Row } from './moved-rows.ts';

export interface ReportedList {
  readonly lines: readonly { readonly text: string; readonly changes: readonly KeyChange[] }[];
  readonly salience: number;
}

const LONGEST_LINE = 240;
const LONGEST_VALUE = 60;
/** More of one kind are summarised. */
const FEW = 3;
/** Rows that are compared to find the field with their names. */
const SAMPLE = 20;

const NOTES = { none: '', up: ' (the rest moved up)', down: ' (the rest moved down)', both: ' (the rest moved)' };

type Look = Pick<StateLook, 'get' | 'salience'>;
/** A value of a row, before or after the move. */
type Value = (row: Row, field: string) => Scalar | undefined;

export function reportMoved(moved: MovedList, look: Look, isReported: (key: string) => boolean): ReportedList {
  const { list, idField, moves, gone, appeared, others, last } = moved;
  const keyOf = ({ at }: Row, field: string) => `${list}[${at}]${field}`;
  const was: Value = (row, field) => {
    const change = row.changes.get(field);
    return change ? change.before : look.get(keyOf(row, field));
  };
  const is: Value = (row, field) => {
    const change = row.changes.get(field);
    return change ? change.after : look.get(keyOf(row, field));
  };
  const places = [last, ...moves.flatMap(({ from, to }) => [from, to]), ...gone, ...appeared].slice(0, SAMPLE);
  const fields = [...new Set(places.flatMap(({ changes }) => [...changes.keys()]))].filter(
    (field) => /^\.[^.[]+$/.test(field) && places.some((row) => isReported(keyOf(row, field))),
  );
  const nameField = nameFieldOf(moved, fields, is);
  const nameOf = (row: Row) => {
    const text = briefText(is(row, nameField), LONGEST_VALUE);
    return typeof is(row, nameField) === 'string' ? text : `${idField.slice(1)} ${text}`;
  };
  const texts = (row: Row, of: Value) =>
    [...new Set([idField, ...fields])]
      .filter((field) => of(row, field) !== undefined)
      .map((field) => `${field === '' ? '' : `${field.slice(1)} = `}${briefText(of(row, field), LONGEST_VALUE)}`)
      .join(', ');
  const way = ({ from, to }: Move) => `from [${from.at}] to [${to.at}]`;
  const note = gone.length + appeared.length === 0 ? '' : NOTES[others];
  const reported = [
    ...together(
      moves,
      (move) => `${list}: ${nameOf(move.to)} moved ${way(move)}`,
      (some) =>
        `${list}: ${moves.length} rows moved: ${some.map((move) => `${nameOf(move.to)} ${way(move)}`).join('; ')}`,
    ),
    ...together(
      gone,
      (row) => `${list}[${row.at}] gone: ${texts(row, was)}`,
      (some) => `${list}: ${gone.length} rows gone: ${some.map((row) => `[${row.at}] ${texts(row, was)}`).join('; ')}`,
    ),
    ...together(
      appeared,
      (row) => `${list}[${row.at}] appeared: ${texts(row, is)}`,
      (some) =>
        `${list}: ${appeared.length} rows appeared: ${some.map((row) => `[${row.at}] ${texts(row, is)}`).join('; ')}`,
    ),
  ];
  const lines = reported.map(({ text, of }, at) => ({
    text: cut(text, LONGEST_LINE) + (at === reported.length - 1 ? note : ''),
    changes: of.flatMap((item) => [...('to' in item ? item.to : item).changes.values()]),
  }));
  const salience = Math.max(0, ...places.flatMap((row) => fields.map((field) => look.salience(keyOf(row, field)))));
  return { lines, salience };
}

interface Reported<Item> {
  readonly text: string;
  readonly of: readonly Item[];
}

/** A few have a line each, many share one. */
function together<Item>(
  items: readonly Item[],
  alone: (item: Item) => string,
  all: (some: readonly Item[]) => string,
): Reported<Item>[] {
  if (items.length > FEW) return [{ text: all(items.slice(0, FEW)), of: items }];
  return items.map((item) => ({ text: alone(item), of: [item] }));
}

/** A text field that is unique among the rows; otherwise their id. */
function nameFieldOf({ idField, moves, appeared }: MovedList, fields: readonly string[], is: Value): string {
  if (!/^\.(?:_?id|key|uuid)$/.test(idField)) return idField;
  const rows = [...moves.map(({ to }) => to), ...appeared].slice(0, SAMPLE);
  const isName = (field: string) => {
    const values = rows.map((row) => is(row, field));
    return (
      values.every((value) => typeof value === 'string' && /\p{L}/u.test(value)) &&
      new Set(values).size === values.length
    );
  };
  const named = fields.filter((field) => field !== idField && isName(field));
  return named.find((field) => /^\.(?:name|title|label|subject)$/.test(field)) ?? named[0] ?? idField;
}

export const INITIAL_LINES = [
  { id: 1, text: 'Consulting', amount: 320 },
  { id: 2, text: 'Travel', amount: 80.5 },
];

export function linesReducer(lines, action) {
  switch (action.type) {
    case 'add':
      return [...lines, { id: lines.length + 1, text: action.text, amount: action.amount }];
    case 'remove':
      return lines.filter((line) => line.id !== action.id);
    default:
      return lines;
  }
}

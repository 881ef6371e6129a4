/** The captures seen by this page, newest first, with two marks to select what is compared. */
import { useState } from 'preact/hooks';
import type { CaptureNote } from '../live/app-model.ts';
import { Button } from '../ui/button.tsx';
import { grouped } from '../ui/grouped.ts';
import type { Choice, Pair } from './choice.ts';
import { clockTime } from './clock.ts';

const AT_ONCE = 50;

export interface CaptureTimelineProps {
  readonly captures: readonly CaptureNote[];
  readonly pair: Pair | null;
  readonly onChoose: (choice: Choice) => void;
}

export function CaptureTimeline({ captures, pair, onChoose }: CaptureTimelineProps) {
  const [shown, setShown] = useState(AT_ONCE);
  const newestFirst = captures.slice(-shown).reverse();
  const to = pair ? (pair.to ?? 'now') : null;
  const chooseFrom = (captureId: string) => onChoose({ from: captureId, to: to ?? 'now' });
  const chooseTo = (captureId: string) =>
    onChoose({ from: pair?.from ?? captures.at(-1)?.captureId ?? null, to: captureId });
  return (
    <div class="changes-timeline">
      <table>
        <caption class="ui-hidden">Captures, newest first</caption>
        <thead>
          <tr>
            <th scope="col">A</th>
            <th scope="col">B</th>
            <th scope="col">Seen</th>
            <th scope="col">Keys</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td />
            <td>
              <Mark name="B" label="Compare with now" isChosen={to === 'now'} onChoose={() => chooseTo('now')} />
            </td>
            <td colSpan={2}>now</td>
          </tr>
          {newestFirst.map(({ captureId, capturedAt, changedCount, changedKeys }) => (
            <tr key={captureId} title={changedKeys.join('\n')}>
              <td>
                <Mark
                  name="A"
                  label={`Compare from ${clockTime(capturedAt)}`}
                  isChosen={pair?.from === captureId}
                  onChoose={() => chooseFrom(captureId)}
                />
              </td>
              <td>
                <Mark
                  name="B"
                  label={`Compare with ${clockTime(capturedAt)}`}
                  isChosen={to === captureId}
                  onChoose={() => chooseTo(captureId)}
                />
              </td>
              <td>
                <time dateTime={capturedAt}>{clockTime(capturedAt)}</time>
              </td>
              <td class="changes-count">{changedCount === null ? 'first' : grouped(changedCount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {captures.length > shown && <Button onClick={() => setShown(shown + AT_ONCE)}>Show earlier ones</Button>}
    </div>
  );
}

function Mark(props: { name: 'A' | 'B'; label: string; isChosen: boolean; onChoose: () => void }) {
  return (
    <input
      type="radio"
      name={`changes-${props.name}`}
      aria-label={`${props.name}: ${props.label}`}
      checked={props.isChosen}
      onChange={props.onChoose}
    />
  );
}

import { createStore, Provider, useAtom, useAtomValue, useSetAtom } from 'jotai';
import { createRoot } from 'react-dom/client';
import { coldRoomsAtom, heatAtom, roomsAtom, targetAtom, unitAtom } from './atoms.js';

const inUnit = (celsius, unit) => (unit === 'C' ? celsius : celsius * 1.8 + 32).toFixed(1);

function Rooms() {
  const rooms = useAtomValue(roomsAtom);
  const cold = useAtomValue(coldRoomsAtom);
  const unit = useAtomValue(unitAtom);
  const heat = useSetAtom(heatAtom);
  return (
    <>
      <ul id="rooms">
        {rooms.map((room) => (
          <li key={room.id}>
            {room.name}: {inUnit(room.celsius, unit)} °{unit}
            <button type="button" aria-label={`Heat ${room.name}`} onClick={() => heat(room.id)}>
              Heat
            </button>
          </li>
        ))}
      </ul>
      <p>
        Cold rooms: <output id="cold">{cold.length}</output>
      </p>
    </>
  );
}

function Controls() {
  const [target, setTarget] = useAtom(targetAtom);
  const [unit, setUnit] = useAtom(unitAtom);
  return (
    <>
      <label>
        Target{' '}
        <input type="number" name="target" value={target} onChange={(event) => setTarget(event.target.valueAsNumber)} />
      </label>
      <label>
        Unit{' '}
        <select name="unit" value={unit} onChange={(event) => setUnit(event.target.value)}>
          <option>C</option>
          <option>F</option>
        </select>
      </label>
    </>
  );
}

createRoot(document.getElementById('root')).render(
  <Provider store={createStore()}>
    <h1>Thermostat</h1>
    <Rooms />
    <Controls />
  </Provider>,
);

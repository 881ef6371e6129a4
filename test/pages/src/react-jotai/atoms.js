import { atom } from 'jotai';
import { atomWithStorage } from 'jotai/utils';

export const targetAtom = atom(21);
targetAtom.debugLabel = 'target';

export const roomsAtom = atom([
  { id: 'kitchen', name: 'Kitchen', celsius: 19.5 },
  { id: 'study', name: 'Study', celsius: 22 },
]);
roomsAtom.debugLabel = 'rooms';

export const unitAtom = atomWithStorage('thermostat-unit', 'C');

export const coldRoomsAtom = atom((get) => get(roomsAtom).filter((room) => room.celsius < get(targetAtom)));

export const heatAtom = atom(null, (get, set, id) => {
  set(
    roomsAtom,
    get(roomsAtom).map((room) => (room.id === id ? { ...room, celsius: room.celsius + 1 } : room)),
  );
});

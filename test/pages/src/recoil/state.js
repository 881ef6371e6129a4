import { atom, selector } from 'recoil';

export const notesState = atom({
  key: 'notes',
  default: [
    { id: 1, text: 'Water the plants', pinned: true },
    { id: 2, text: 'Renew passport', pinned: false },
  ],
});

export const searchState = atom({ key: 'search', default: '' });

export const foundNotes = selector({
  key: 'foundNotes',
  get: ({ get }) => get(notesState).filter((note) => note.text.toLowerCase().includes(get(searchState).toLowerCase())),
});

/** State of a module: every component that imports it sees the same. */
export const player = $state({ playing: false, volume: 70, position: { track: 0, seconds: 12 } });

export function togglePlaying() {
  player.playing = !player.playing;
}

export class Queue {
  tracks = $state([
    { title: 'Blue in Green', artist: 'Bill Evans', seconds: 327 },
    { title: 'So What', artist: 'Miles Davis', seconds: 562 },
  ]);
  total = $derived(this.tracks.reduce((sum, track) => sum + track.seconds, 0));

  add(title, artist) {
    this.tracks.push({ title, artist, seconds: 180 });
  }

  remove(index) {
    this.tracks.splice(index, 1);
  }
}

export const queue = new Queue();

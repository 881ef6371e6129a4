// Open MCT with its storage in the browser, and a few objects in it.
const { serve } = require('./static.cjs');

const object = (key, name, more) => ({
  name,
  type: 'folder',
  notes: '',
  composition: [],
  location: 'mine',
  identifier: { key, namespace: '' },
  created: 1700000000000,
  modified: 1700000000000,
  persisted: 1700000000000,
  ...more,
});
const reference = (key) => ({ key, namespace: '' });
const OBJECTS = {
  mine: object('mine', 'My Items', { location: 'ROOT', composition: ['thermal', 'clock', 'docking'].map(reference) }),
  thermal: object('thermal', 'Thermal Board', { notes: 'panel seven runs hot' }),
  docking: object('docking', 'Docking Plan', { notes: 'approach at four metres per minute' }),
  clock: object('clock', 'Mission Clock', {
    type: 'clock',
    configuration: { baseFormat: 'YYYY/MM/DD HH:mm:ss', use24: 'clock24', timezone: 'UTC' },
  }),
};

serve({
  lib: 'openmct/dist',
  html: `<!doctype html><html><head><title>Open MCT</title><script src="/lib/openmct.js"></script></head><body><div id="app"></div>
<script>
if (localStorage.getItem('mct') === null) localStorage.setItem('mct', ${JSON.stringify(JSON.stringify(OBJECTS))});
openmct.setAssetPath('/lib');
openmct.install(openmct.plugins.LocalStorage());
openmct.install(openmct.plugins.MyItems());
openmct.install(openmct.plugins.Clock({ enableClockIndicator: true }));
openmct.install(openmct.plugins.Espresso());
openmct.install(openmct.plugins.UTCTimeSystem());
openmct.time.clock('local', { start: -1800000, end: 0 });
openmct.time.timeSystem('utc');
document.addEventListener('DOMContentLoaded', () => openmct.start());
</script></body></html>`,
});

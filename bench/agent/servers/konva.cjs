// Konva: everything is drawn on a canvas. window.plan is its own object.
const { serve } = require('./static.cjs');

serve({
  lib: 'konva',
  html: `<!doctype html><meta charset="utf-8"><title>Plan</title><h1>Plan of the port</h1><div id="app"></div><script src="/lib/konva.min.js"></script>
<script>
  const plan = new Konva.Stage({ container: 'app', width: 900, height: 500 });
  const layer = new Konva.Layer();
  plan.add(layer);
  const ship = (name, pier, x) => {
    const group = new Konva.Group({ x, y: 60, name: 'ship' });
    group.add(new Konva.Rect({ width: 160, height: 50, fill: 'steelblue' }), new Konva.Text({ text: name + ' at ' + pier, y: 15, x: 10, fontSize: 16 }));
    layer.add(group);
  };
  ship('Skua', 'east-3', 40);
  ship('Gannet', 'west-1', 300);
  const gate = new Konva.Text({ id: 'gate', text: 'The lock gate is open', x: 40, y: 200, fontSize: 18 });
  const lever = new Konva.Label({ x: 40, y: 260, id: 'lever' });
  lever.add(new Konva.Tag({ fill: 'lightgray' }), new Konva.Text({ text: 'Close the gate', padding: 8, fontSize: 16 }));
  lever.on('click', () => gate.text('The lock gate is closed'));
  layer.add(gate, lever);
  window.plan = plan;
</script>`,
});

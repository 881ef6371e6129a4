// State that is hard on whoever shows it: as many rows as it is told, names and texts that look like markup, a value that ticks.
const MARKUP = '<img src=x onerror=globalThis.ran=1>';

class Wall {
  constructor() {
    this.ticks = 0;
    this.text = `${MARKUP}<script>globalThis.ran=1</script>`;
    this.rows = Array.from({ length: Number(process.argv[2] ?? 10) }, (_, at) => `row ${at}`);
    this[MARKUP] = 'a name like markup';
  }
  setText(text) {
    this.text = text;
  }
  [`set${MARKUP}`](text) {
    this.text = text;
  }
}

const wall = new Wall();
setInterval(() => wall.ticks++, 200);
console.log('ready');

// A Deno server: all that leads to its state is the handler, which Deno keeps where JavaScript cannot look.
let visits = 0;
const prices = new Map([['apple', 2]]);

class Basket {
  items: string[] = [];
  add(name: string): number {
    if (!prices.has(name)) throw new RangeError('not in this shop');
    return this.items.push(name);
  }
}

const basket = new Basket();

Deno.serve({ hostname: '127.0.0.1', port: 0, onListen: ({ port }) => console.log(`ready ${port}`) }, () => {
  visits++;
  return new Response(`${visits} ${basket.items.length}`);
});

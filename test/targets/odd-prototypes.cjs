// Prototypes that claim to be what they are not, as libraries have them.
class Grouper extends Map {}
class Bag extends Set {}
class Stack extends Array {}
const groups = new Grouper([['a', 1]]);
const bag = new Bag(['x']);
const stack = Stack.of(1, 2);
const impostor = Object.create(Map.prototype);
const bare = Object.create({ inherited: true }, { own: { value: 1, enumerable: true } });
setInterval(() => [groups, bag, stack, impostor, bare, Grouper, Bag], 1000);
console.log('ready');

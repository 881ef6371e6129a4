import groovy.transform.Field

class Drink { String name; int cents }

@Field int served = 4
orders = [[id: 1, drink: 'latte']]
total = 12.5
greeting = "till ${orders.size()}"
best = new Drink(name: 'mocha', cents: 400)
add = { orders << [id: orders.size() + 1, drink: it] }
println 'ready'
System.in.eachLine { line ->
  add(line)
  println 'added'
}

; A shop whose orders come in on its standard input.
(ns shop.core)

(defrecord Order [id drink qty])
(defprotocol Sells (sell [this]))
(defmulti price :drink)
(defmacro twice [x] `(do ~x ~x))
(declare undefined)

(defonce orders (atom {}))
(def ^:private stock (ref {:beans 10 :milk-litres 4.5}))
(def journal (agent []))
(def opened (delay :now))
(def closed (delay (println "ran") :never))
(def counter (volatile! 3))
(def menu ["espresso" "latte" :shop/special])
(def prices {:espresso 2.5 :latte 7/2 "tap water" 0})
(def tags #{:hot})
(def many (vec (range 1100)))
(def by-id (into {} (map (fn [i] [i (str "n" i)]) (range 40))))
(def by-age (sorted-map 3 :c 1 :a 2 nil))
(def part (subvec ["a" "b" "c" "d"] 1 3))
(def no-notes {})
(def no-errors {})
(def later (map inc [1 2 3]))
(def now (doall (map inc [1 2 3])))
(def waiting (conj clojure.lang.PersistentQueue/EMPTY :x :y))
(def large (* 2N 9223372036854775807))
(def nothing nil)

(defn add! [drink]
  (swap! orders (fn [all] (let [id (inc (count all))] (assoc all id (->Order id drink 1)))))
  (dosync (alter stock update :beans dec)))

(add! "latte")
(send journal conj "opened")
(await journal)
(deref opened)

(in-ns 'user)
(def scratch {:a {:b '(1 2)}})
(println "ready")
(loop [line (read-line)]
  (when line
    (shop.core/add! line)
    (println "added")
    (recur (read-line))))

package com.example.act;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;

/** A method for each kind of parameter; each counts that it was called and tells what it got. */
public final class Kitchen {
    public int calls;

    private String got(Object value) {
        calls++;
        return value == null ? "null" : value.getClass().getSimpleName() + ":" + value;
    }

    public String takeByte(byte value) { return got(value); }
    public String takeShort(short value) { return got(value); }
    public String takeInt(int value) { return got(value); }
    public String takeLong(long value) { return got(value); }
    public String takeFloat(float value) { return got(value); }
    public String takeDouble(double value) { return got(value); }
    public String takeChar(char value) { return got(value); }
    public String takeFlag(boolean value) { return got(value); }
    public String takeBoxed(Integer value) { return got(value); }
    public String takeText(String value) { return got(value); }
    public String takeBigDecimal(BigDecimal value) { return got(value); }
    public String takeBigInteger(BigInteger value) { return got(value); }
    public String takeStatus(Item.Status value) { return got(value.name()); }
    public java.util.concurrent.TimeUnit takeUnit(java.util.concurrent.TimeUnit value) { calls++; return value; }
    public String takeUnitName(java.util.concurrent.TimeUnit value) { return got(value.name()); }
    public String takeDate(LocalDate value) { return got(value); }
    public String takeInstant(Instant value) { return got(value); }
    public String takeOldDate(Date value) { return got(value.getTime()); }
    public String takeDuration(Duration value) { return got(value); }
    public String takeUuid(UUID value) { return got(value); }
    public String takeLocale(Locale value) { return got(value); }
    public String takeCurrency(Currency value) { return got(value); }
    public String takeClass(Class<?> value) { return got(value); }
    public String takeRunnable(Runnable value) { return got(value); }
    public String takeCallable(java.util.concurrent.Callable<String> value) { return got(value); }
    public String takeComparator(java.util.Comparator<String> value) { return got(value); }
    public String takeFunction(int times, java.util.function.Function<String, Integer> value) { return got(value); }
    public String takeSupplier(java.util.function.IntSupplier value) { return got(value); }
    public String takeRecipe(Recipe value) { return got(value); }
    public String takeNarrowRecipe(NarrowRecipe value) { return got(value); }
    public String takeRecipes(Recipe... value) { return got(value.length); }
    public String takeMaybeRecipe(Optional<Recipe> value) { return got(value); }
    public String takePantry(Pantry value) { return got(value); }
    /** Types that are bound by themselves. */
    public <E extends Enum<E>> String takeOne(E value, String note) { return got(value + note); }
    public <C extends Comparable<? super C>> String takeSorted(List<C> values) { return got(values.size()); }
    public String takeAny(Object value) { return got(value); }
    public String takeInts(int[] value) { return got(value.length + "/" + value[0]); }
    public String takeRest(String first, String... rest) { return got(first + rest.length); }
    public String takeOptional(Optional<Integer> value) { return got(value); }
    public String takeOptionalInt(OptionalInt value) { return got(value); }
    public String takeNumbers(List<Integer> value) { int sum = 0; for (int each : value) sum += each; return got(sum); }
    public String takeSet(Set<? extends Long> value) { return got(value); }
    public String takeQueue(Queue<String> value) { return got(value.peek()); }
    public String takeMap(Map<String, Integer> value) { return got(value); }
    public String takeSorted(SortedMap<Integer, String> value) { return got(value); }
    public String takeItem(Item item) { return got(item.text()); }
    public String takeItems(List<Item> items) { return got(items.size() + " " + items.get(0).text()); }
    public String takePoint(Point point) { return got(point); }
    public String takeAddress(Address address) { return got(address.text()); }
    public String takeCart(Cart cart) { return got(cart == null ? null : cart.getOwner()); }
    public String takeNamed(Shop.Named named) { return got(named.getClass().getSimpleName()); }
    public String takeBoth(int first, Address second) { return got(first + second.text()); }

    public interface Recipe<T> {
        String cook(T from);
        boolean equals(Object other);
        default String name() { return "recipe"; }
        static int count() { return 1; }
    }

    public interface NarrowRecipe extends Recipe<Item> {
        @Override String cook(Item from);
    }

    /** An object of the program for several methods, which may be named. */
    public interface Pantry {
        int count();
        String first();
    }

    public final Pantry pantry = new Pantry() {
        @Override public int count() { return 1; }
        @Override public String first() { return "salt"; }
    };
    public final NarrowRecipe recipe = new NarrowRecipe() {
        @Override public String cook(Item from) { return from.text(); }
    };
}

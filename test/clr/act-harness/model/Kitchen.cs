using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;

namespace Example
{
    /// <summary>A method for each kind of parameter; each counts that it was called and tells what it got.</summary>
    public sealed class Kitchen
    {
        public int calls;

        string Got(object value)
        {
            calls++;
            if (value == null) return "null";
            return value.GetType().Name + ":" + Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        string All(IEnumerable values)
        {
            return Got(values.GetType().Name + " " + string.Join(",", values.Cast<object>()));
        }

        public string TakeSByte(sbyte value) { return Got(value); }
        public string TakeByte(byte value) { return Got(value); }
        public string TakeShort(short value) { return Got(value); }
        public string TakeUShort(ushort value) { return Got(value); }
        public string TakeInt(int value) { return Got(value); }
        public string TakeUInt(uint value) { return Got(value); }
        public string TakeLong(long value) { return Got(value); }
        public string TakeULong(ulong value) { return Got(value); }
        public string TakeFloat(float value) { return Got(value); }
        public string TakeDouble(double value) { return Got(value); }
        public string TakeDecimal(decimal value) { return Got(value); }
        public string TakeChar(char value) { return Got(value); }
        public string TakeFlag(bool value) { return Got(value); }
        public string TakeText(string value) { return Got(value); }
        public string TakeMaybe(int? value) { return Got(value); }
        public DayOfWeek TakeDay(DayOfWeek value) { calls++; return value; }
        public string TakeStatus(Status value) { return Got(value); }
        public string TakeRights(Rights value) { return Got(value); }
        public string TakeMaybeStatus(Status? value) { return Got(value); }
        public string TakeDateTime(DateTime value) { return Got(value.ToString("o")); }
        public string TakeMoment(DateTimeOffset value) { return Got(value.UtcDateTime.ToString("o")); }
        public string TakeSpan(TimeSpan value) { return Got(value); }
        public string TakeGuid(Guid value) { return Got(value); }
        public string TakeUri(Uri value) { return Got(value); }
        public string TakeVersion(Version value) { return Got(value); }
        public string TakeAny(object value) { return Got(value); }
        public string TakeInts(int[] value) { return All(value); }
        public string TakeList(List<int> value) { return All(value); }
        public string TakeIList(IList<string> value) { return All(value); }
        public string TakeSequence(IEnumerable<string> value) { return All(value); }
        public string TakeReadOnly(IReadOnlyList<long> value) { return All(value); }
        public string TakeSet(HashSet<int> value) { return All(value.OrderBy(each => each).ToList()); }
        public string TakeQueue(Queue<string> value) { return Got(value.Peek()); }
        public string TakePlain(IEnumerable value) { return All(value); }
        public string TakeMap(Dictionary<string, int> value)
        {
            return All(value.Select(each => each.Key + each.Value).ToList());
        }
        public string TakeNumbered(IDictionary<int, string> value)
        {
            return All(value.Select(each => each.Key + each.Value).ToList());
        }
        public string TakeSorted(SortedDictionary<int, string> value) { return All(value.Values.ToList()); }
        public string TakeTuple(Tuple<int, string> value) { return Got(value.Item1 + value.Item2); }
        public string TakeItem(Item item) { return Got(item.Text()); }
        public string TakeItems(List<Item> items) { return Got(items.Count + " " + items[0].Text()); }
        public string TakePoint(Point point) { return Got(point.X + "/" + point.Y); }
        public string TakeAddress(Address address) { return Got(address.Text()); }
        public string TakeCart(Cart cart) { return Got(cart == null ? null : cart.GetOwner()); }
        public string TakeNamed(INamed named) { return Got(named.Name); }
        public string TakeRest(string first, params string[] rest) { return Got(first + rest.Length); }
        public string TakeDefaults(string first, int second = 7, Status third = Status.Paid, decimal fourth = 1.5m,
            DateTime fifth = default(DateTime), int? sixth = 6)
        {
            return Got(first + second + third + fourth.ToString(CultureInfo.InvariantCulture) + fifth.Year + sixth);
        }
        public string TakeToken(int value, CancellationToken token, IProgress<int> progress)
        {
            return Got(value + " " + token.CanBeCanceled + " " + (progress == null));
        }
        public string TakeAction(Action value) { return Got(value); }
        public string TakeFunc(int times, Func<int, string> value) { return Got(value); }
        public string TakePredicate(Predicate<string> value) { return Got(value); }
        public string TakeComparison(Comparison<string> value) { return Got(value); }
        public string TakeRecipe(Recipe value) { return Got(value); }
        public string TakeMaybeRecipe(int times, Recipe value = null) { return Got(value); }
        public string TakeRecipes(List<Recipe> value) { return Got(value); }
        public string TakeRestOfRecipes(params Recipe[] value) { return Got(value); }
        public Recipe Cook { get; set; }
        public delegate string Recipe(Item from);
        public string TakeType(Type value) { return Got(value); }
        public string TakeStream(System.IO.Stream value) { return Got(value); }
        public unsafe string TakePointer(int* value) { return Got(*value); }
    }
}

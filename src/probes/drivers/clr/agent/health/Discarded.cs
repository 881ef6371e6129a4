using System;
using System.Threading;
using Substrate.Json;

namespace Substrate.Health
{
    // Counts the exceptions that the agent ignores, by place. It keeps the type name of the first exception of a place:
    // a message can hold values of the program. Nothing is allocated after the first exception of a place.
    static class Discarded
    {
        const int MaxPlaces = 64;
        const int MaxLength = 80;
        // The label of all places beyond the limit.
        const string Other = "other";
        static readonly string[] places = new string[MaxPlaces];
        // Each place with the type of its first exception, as reported.
        static readonly string[] labels = new string[MaxPlaces];
        static readonly int[] counts = new int[MaxPlaces];

        // `place`: a literal, `Type.Method`. Throws nothing.
        internal static void Count(string place, Exception error)
        {
            try
            {
                int at = IndexOf(place);
                Increment(ref counts[at]);
                // The bare place first: where there is no memory for more, it is tried once.
                string bare = Volatile.Read(ref places[at]);
                if (Volatile.Read(ref labels[at]) == null && Interlocked.CompareExchange(ref labels[at], bare, null) == null)
                    Volatile.Write(ref labels[at], Label(bare, error));
            }
            catch (Exception)
            {
                // Nothing is lost: it is counted, and without memory for the name of its type the place stands alone.
            }
        }

        // The count stays at the largest number instead of overflowing.
        static void Increment(ref int count)
        {
            int before = Volatile.Read(ref count);
            while (before != int.MaxValue)
            {
                int now = Interlocked.CompareExchange(ref count, before + 1, before);
                if (now == before) return;
                before = now;
            }
        }

        static int IndexOf(string place)
        {
            for (int at = 0; at < MaxPlaces - 1; at++)
            {
                string known = Volatile.Read(ref places[at]);
                if (known == null) known = Interlocked.CompareExchange(ref places[at], place, null) ?? place;
                if (ReferenceEquals(known, place) || known == place) return at;
            }
            Interlocked.CompareExchange(ref places[MaxPlaces - 1], Other, null);
            return MaxPlaces - 1;
        }

        static string Label(string place, Exception error)
        {
            if (ReferenceEquals(place, Other) || error == null) return place;
            string name = error.GetType().Name;
            foreach (char c in name)
            {
                bool isPlain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
                if (!isPlain) return place;
            }
            return place.Length + 1 + name.Length > MaxLength ? place : place + ":" + name;
        }

        // The sum of all counts, which only grows.
        internal static long Total
        {
            get
            {
                long total = 0;
                for (int at = 0; at < MaxPlaces; at++) total += Volatile.Read(ref counts[at]);
                return total;
            }
        }

        // `{"Type.Method:Exception": 3}`
        internal static void Write(JsonWriter answer)
        {
            char separator = '{';
            for (int at = 0; at < MaxPlaces; at++)
            {
                int count = Volatile.Read(ref counts[at]);
                if (count == 0) continue;
                answer.Raw(separator).Text(Volatile.Read(ref labels[at]) ?? places[at]).Raw(':').Whole(count);
                separator = ',';
            }
            answer.Raw(separator == '{' ? "{}" : "}");
        }
    }
}

using System;
using System.Collections.Generic;

namespace Substrate.Read
{
    // The rules of the walk, as the daemon sent them: src/probes/insight/walk-rules.ts explains each. They come before the
    // first capture, and are the same for all connections.
    static class Rules
    {
        internal static int MaxDepth;
        internal static int MaxText;
        internal static int MaxKey;
        internal static int MaxNumbers;
        internal static int MaxWithNulls;
        internal static int MaxFlat;
        internal static int MaxOrdered;
        internal static int MaxWrappers;
        internal static int SmallCollection;
        internal static int NearDepth;
        internal static int LeastShare;
        internal static int ShareGrowth;
        internal static int SlowRounds;
        internal static int MaxRounds;
        internal static int LongTable;
        internal static int LeastObjects;
        internal static int MaxRoots;
        internal static int MaxFormerRoots;

        internal static NameList NoiseTypes;
        internal static NameList SecretTypes;
        internal static NameList PlainData;
        internal static NameList DataInterfaces;
        internal static NameList SharedEmpties;
        internal static List<object> Singletons;
        static readonly List<Type> machinery = new List<Type>();

        // Without rules any object could be a secret, so none may be read.
        internal static void Require()
        {
            if (Singletons == null) throw new InvalidOperationException("the rules of the walk have not come");
        }

        internal static void Learn(Dictionary<string, object> rules)
        {
            var limits = (Dictionary<string, object>)rules["limits"];
            MaxDepth = Limit(limits, "maxDepth");
            MaxText = Limit(limits, "maxText");
            MaxKey = Limit(limits, "maxKey");
            MaxNumbers = Limit(limits, "maxNumbers");
            MaxWithNulls = Limit(limits, "maxWithNulls");
            MaxFlat = Limit(limits, "maxFlat");
            MaxOrdered = Limit(limits, "maxOrdered");
            MaxWrappers = Limit(limits, "maxWrappers");
            SmallCollection = Limit(limits, "smallCollection");
            NearDepth = Limit(limits, "nearDepth");
            LeastShare = Limit(limits, "leastShare");
            ShareGrowth = Limit(limits, "shareGrowth");
            SlowRounds = Limit(limits, "slowRounds");
            MaxRounds = Limit(limits, "maxRounds");
            LongTable = Limit(limits, "longTable");
            LeastObjects = Limit(limits, "leastObjects");
            MaxRoots = Limit(limits, "maxRoots");
            MaxFormerRoots = Limit(limits, "maxFormerRoots");
            NoiseTypes = new NameList(rules["noiseTypes"]);
            SecretTypes = new NameList(rules["secretTypes"]);
            PlainData = new NameList(rules["plainData"]);
            DataInterfaces = new NameList(rules["dataInterfaces"]);
            SharedEmpties = new NameList(rules["sharedEmpties"]);
            Singletons = (List<object>)rules["singletons"];
            machinery.Clear();
            foreach (object name in (List<object>)rules["machinery"])
            {
                // All of them are in the assembly of object, both in .NET and in Mono.
                Type type = typeof(object).Assembly.GetType((string)name, false);
                if (type != null) machinery.Add(type);
            }
            Ownership.Learn((Dictionary<string, object>)rules["owners"]);
        }

        static int Limit(Dictionary<string, object> limits, string name)
        {
            return (int)(long)limits[name];
        }

        internal static bool IsMachinery(Type type)
        {
            foreach (Type kind in machinery) if (kind.IsAssignableFrom(type)) return true;
            return false;
        }
    }
}

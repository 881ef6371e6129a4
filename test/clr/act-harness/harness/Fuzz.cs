using System;
using System.Collections.Generic;
using System.Reflection;
using Substrate.Budget;
using Substrate.Code;
using System.Threading;
using Substrate.Meta;

namespace Substrate.Act
{
    /// <summary>Random input: what must come of it is an answer or a refusal, and soon.</summary>
    static class Fuzz
    {
        const BindingFlags Any =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static
            | BindingFlags.DeclaredOnly;

        /// <summary>Code with flipped, missing and random bytes; gives what went wrong.</summary>
        internal static List<object> Il(Assembly model, int runs)
        {
            var wrong = new List<object>();
            var random = new Random(7);
            var bodies = new List<MethodCode>();
            foreach (Type type in model.GetTypes())
                foreach (MethodInfo method in type.GetMethods(Any))
                {
                    MethodCode code = MethodCode.Of(method);
                    if (code != null) bodies.Add(code);
                }
            var reporter = new CodeReporter(
                AppDomain.CurrentDomain.GetAssemblies(), new Tokens(Loaded.Now), new TypeIds(), type => true, Pace.Free());
            FieldInfo bytes = typeof(MethodCode).GetField("Bytes", BindingFlags.NonPublic | BindingFlags.Instance);
            var known = new HashSet<int>();
            for (int run = 0; run < runs; run++)
            {
                MethodCode body = bodies[random.Next(bodies.Count)];
                byte[] original = body.Bytes;
                bytes.SetValue(body, Mangled(original, random));
                int begin = Environment.TickCount;
                try
                {
                    List<int> references = reporter.ReferencesOf(body);
                    known.Add(references == null ? -1 : Math.Min(references.Count, 3));
                }
                catch (Exception escaped)
                {
                    wrong.Add(body.Method + ": " + escaped);
                }
                if (unchecked(Environment.TickCount - begin) > 3000) wrong.Add(body.Method + " took too long");
                bytes.SetValue(body, original);
            }
            // Some of it must still mean something: else nothing was tried.
            if (known.Count < 2) wrong.Add("all was refused");
            return wrong;
        }

        static byte[] Mangled(byte[] original, Random random)
        {
            var copy = (byte[])original.Clone();
            switch (random.Next(4))
            {
                case 0:
                    random.NextBytes(copy);
                    return copy;
                case 1:
                    Array.Resize(ref copy, random.Next(copy.Length) + 1);
                    return copy;
                case 2:
                    Array.Resize(ref copy, copy.Length + random.Next(8));
                    break;
            }
            for (int flips = random.Next(4); flips >= 0; flips--)
                copy[random.Next(copy.Length)] = (byte)random.Next(256);
            return copy;
        }

        /// <summary>Metadata with flipped and missing bytes, asked for random tokens.</summary>
        internal static List<object> Metadata(Assembly model, int runs)
        {
            var wrong = new List<object>();
            var random = new Random(13);
            byte[] original = MetadataBytes.Of(model);
            int understood = 0;
            for (int run = 0; run < runs; run++)
            {
                int begin = Environment.TickCount;
                try
                {
                    var bytes = (byte[])original.Clone();
                    if (random.Next(4) == 0) Array.Resize(ref bytes, random.Next(bytes.Length));
                    for (int flips = random.Next(6); flips > 0 && bytes.Length > 0; flips--)
                        bytes[random.Next(Math.Min(bytes.Length, random.Next(2) == 0 ? 400
                            : int.MaxValue))] = (byte)random.Next(256);
                    var references = new References(new Meta.Metadata(bytes), null, name => name.Length % 2 == 0);
                    for (int asked = 0; asked < 20; asked++)
                        if (references.AreThere(random.Next(0x2d) << 24 | random.Next(300))) understood++;
                    foreach (int token in references.Types(random.Next(2) == 0))
                        references.Attributes.Has(token, "FlagsAttribute");
                }
                catch (FormatException)
                {
                    // As it should be.
                }
                catch (Exception escaped)
                {
                    wrong.Add(escaped.ToString());
                }
                if (unchecked(Environment.TickCount - begin) > 3000) wrong.Add("took too long");
            }
            if (understood == 0) wrong.Add("all was refused");
            return wrong;
        }
    }
}

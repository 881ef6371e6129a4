using System;
using System.Collections.Generic;
using System.Text;
using System.Threading;

namespace Substrate.Act
{
    // The shape of a path, `shop.users{*}.cart`: what an action is called, what it must be told, where it then goes.
    sealed class ShapePath
    {
        // What stands before each gap, and at last behind them all.
        readonly List<string> fixedParts = new List<string>();
        readonly HashSet<string> names = new HashSet<string>();
        internal readonly List<Parameter> Gaps = new List<Parameter>();
        // 1 for a root; each member, element and entry is one deeper.
        internal readonly int Depth = 1;
        // It leads over a constant that is an object by itself (`Direction.NORTH`), not a list or map of objects.
        internal readonly bool IsConstant;

        internal ShapePath(string shape)
        {
            int begin = 0;
            int word = 0;
            int indices = 0;
            int keys = 0;
            for (int at = 0; at < shape.Length; at++)
            {
                char letter = shape[at];
                if (letter == '"') at = AtClosingQuote(shape, at);
                else if (Is(shape, at, "[*]") || Is(shape, at, "{*}"))
                {
                    fixedParts.Add(shape.Substring(begin, at - begin));
                    Gaps.Add(letter == '[' ? Index(++indices) : Key(++keys));
                    Depth++;
                    begin = at + 3;
                    at += 2;
                    word = -1;
                }
                else if (letter == '.' || letter == '[')
                {
                    if (letter == '.') IsConstant |= IsWrittenAsConstant(shape, word, at);
                    Depth++;
                    word = letter == '.' ? at + 1 : -1;
                }
            }
            IsConstant |= IsWrittenAsConstant(shape, word, shape.Length);
            fixedParts.Add(shape.Substring(Math.Min(begin, shape.Length)));
            foreach (Parameter gap in Gaps) names.Add(gap.Name);
        }

        static bool Is(string shape, int at, string gap)
        {
            return string.CompareOrdinal(shape, at, gap, 0, gap.Length) == 0;
        }

        // All capitals, but not the one object of a type, which is what there is to call.
        static bool IsWrittenAsConstant(string shape, int begin, int end)
        {
            if (begin <= 0 || end - begin < 2) return false;
            for (int at = begin; at < end; at++)
            {
                char letter = shape[at];
                if ((letter < 'A' || letter > 'Z') && (letter < '0' || letter > '9') && letter != '_') return false;
            }
            return !Is(shape, begin, "INSTANCE");
        }

        static Parameter Index(int count)
        {
            return new Parameter(count == 1 ? "index" : "index" + count, "number", true, "which element of the list");
        }

        static Parameter Key(int count)
        {
            return new Parameter(count == 1 ? "key" : "key" + count, "string", true, "which entry of the dictionary");
        }

        static int AtClosingQuote(string shape, int at)
        {
            for (at++; at < shape.Length && shape[at] != '"'; at++) if (shape[at] == '\\') at++;
            return at;
        }

        // A parameter of a method that is called like one of the gaps gets another name.
        internal string NameFor(string parameter)
        {
            return names.Contains(parameter) ? parameter + "_argument" : parameter;
        }

        internal bool AsksFor(string name)
        {
            return names.Contains(name);
        }

        // What the action is called: the shape without its gaps.
        internal string Name(string method)
        {
            var name = new StringBuilder();
            foreach (string part in fixedParts) name.Append(part);
            Join(name, method);
            return name.ToString();
        }

        // The path of one object.
        internal string Path(Dictionary<string, object> args)
        {
            var path = new StringBuilder(fixedParts[0]);
            for (int at = 0; at < Gaps.Count; at++)
            {
                Parameter gap = Gaps[at];
                object given;
                args.TryGetValue(gap.Name, out given);
                if (gap.Type == "number") path.Append('[').Append(IndexOf(given, gap.Name)).Append(']');
                else Join(path, KeyOf(given, gap.Name));
                path.Append(fixedParts[at + 1]);
            }
            return path.ToString();
        }

        static int IndexOf(object given, string name)
        {
            Plan plan = given == null ? Plan.Ready(-1, 0) : ScalarFromJson.Plan(given, typeof(int), name);
            var index = (int)plan.Make(CancellationToken.None);
            if (index >= 0) return index;
            string found = given == null ? " is missing" : " is " + TypeWords.Given(given);
            throw new BadArgument(name + found + "; expected which element of the list, from 0");
        }

        static string KeyOf(object given, string name)
        {
            if (given is string) return (string)given;
            if (given is long || given is bool) return TypeWords.Text(given);
            string found = given == null ? " is missing" : " is " + TypeWords.Given(given);
            throw new BadArgument(name + found + "; expected which entry of the dictionary");
        }

        static void Join(StringBuilder path, string segment)
        {
            if (!IsIdentifier(segment)) path.Append('[').Append(TypeWords.Text(segment)).Append(']');
            else path.Append(path.Length > 0 ? "." : "").Append(segment);
        }

        internal static bool IsIdentifier(string text)
        {
            for (int at = 0; at < text.Length; at++)
            {
                char letter = text[at];
                bool isLetter = letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z' || letter == '_'
                    || letter == '$';
                if (!isLetter && (at == 0 || letter < '0' || letter > '9')) return false;
            }
            return text.Length > 0;
        }
    }
}

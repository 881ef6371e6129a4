using System;
using System.Collections.Generic;
using System.Text;
using System.Threading;

namespace Substrate.Act
{
    // From the shape of a path, `shop.users{*}.cart`, to the path of one object.
    static class ShapePath
    {
        // `steps`: for each gap in the shape what it is called and, if it was given, its value.
        internal static string Path(string shape, List<object> steps)
        {
            var path = new StringBuilder();
            int next = 0;
            for (int at = 0; at < shape.Length; at++)
            {
                bool isIndex = Is(shape, at, "[*]");
                if (shape[at] == '"')
                {
                    int end = Math.Min(AtClosingQuote(shape, at), shape.Length - 1);
                    path.Append(shape, at, end - at + 1);
                    at = end;
                }
                else if (isIndex || Is(shape, at, "{*}"))
                {
                    if (next == steps.Count) throw new BadArgument("a step of " + shape + " is missing");
                    var step = (Dictionary<string, object>)steps[next++];
                    var name = (string)step["name"];
                    if (isIndex) path.Append('[').Append(IndexOf(step["value"], name)).Append(']');
                    else Join(path, KeyOf(step["value"], name));
                    at += 2;
                }
                else path.Append(shape[at]);
            }
            return path.ToString();
        }

        static bool Is(string shape, int at, string gap)
        {
            return string.CompareOrdinal(shape, at, gap, 0, gap.Length) == 0;
        }

        static int AtClosingQuote(string shape, int at)
        {
            for (at++; at < shape.Length && shape[at] != '"'; at++) if (shape[at] == '\\') at++;
            return at;
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

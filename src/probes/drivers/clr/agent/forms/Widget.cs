using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Substrate.Forms
{
    // The facts of one control, item of a strip or menu, as ASCII JSON; holds no object of the app.
    // src/probes/insight/screen/screen-facts.ts explains the facts.
    sealed class Widget
    {
        const long MaxSafe = 9007199254740991L;
        const int UsualLength = 200;
        internal readonly Memory Memory;
        internal readonly WeakReference Window;
        internal readonly List<Widget> Children = new List<Widget>(0);
        internal Kind Kind;
        internal int X;
        internal int Width;
        internal int Height;
        internal Rows Rows;
        readonly StringBuilder facts = new StringBuilder(UsualLength);

        internal Widget(Kind kind, Memory memory, WeakReference window)
        {
            Kind = kind;
            Memory = memory;
            Window = window;
        }

        // Nothing is written for null.
        internal void Fact(string name, object value)
        {
            if (value != null) Write(facts, name, value);
        }

        internal void Flag(string name, bool value)
        {
            if (value) Write(facts, name, true);
        }

        internal void Place(int x, int y, int width, int height)
        {
            X = x;
            Width = width;
            Height = height;
            Fact("x", x);
            Fact("y", y);
            Fact("width", width);
            Fact("height", height);
        }

        // Children are written as ids only.
        internal string Json()
        {
            var json = new StringBuilder("{\"id\":", facts.Length + UsualLength).Append(Memory.Id);
            Write(json, "role", Kinds.Role(Kind));
            json.Append(facts);
            if (Rows != null) Rows.Write(json);
            if (Children.Count > 0) Write(json, "children", Children.ConvertAll(child => child.Memory.Id));
            return json.Append('}').ToString();
        }

        // Booleans, numbers, text, and lists of them and of null.
        internal static void Write(StringBuilder json, string name, object value)
        {
            json.Append(",\"").Append(name).Append("\":");
            Write(json, value);
        }

        static void Write(StringBuilder json, object value)
        {
            var list = value is string ? null : value as IEnumerable;
            if (list != null)
            {
                char separator = '[';
                foreach (object item in list)
                {
                    Write(json.Append(separator), item);
                    separator = ',';
                }
                json.Append(separator == '[' ? "[]" : "]");
            }
            else if (value == null) json.Append("null");
            else if (IsDecimal(value)) json.Append(((IFormattable)value).ToString("R", CultureInfo.InvariantCulture));
            else if (IsNumber(value)) json.Append(Words.TextOf(value));
            else Quote(json, Words.TextOf(value));
        }

        static bool IsDecimal(object value)
        {
            double number = value is double ? (double)value : value is float ? (float)value : double.NaN;
            return !double.IsNaN(number) && !double.IsInfinity(number);
        }

        // A number that JSON can write, and JavaScript can hold; or a boolean.
        static bool IsNumber(object value) =>
            value is bool || value is int || value is byte || value is sbyte || value is short || value is ushort
                || value is uint || (value is long && Math.Abs((decimal)(long)value) <= MaxSafe)
                || (value is ulong && (ulong)value <= MaxSafe);

        static void Quote(StringBuilder json, string text)
        {
            json.Append('"');
            int end = Math.Min(text.Length, Words.MaxText + 1);
            for (int at = 0; at < end; at++)
            {
                char character = text[at];
                if (character == '"' || character == '\\') json.Append('\\').Append(character);
                else if (character >= ' ' && character < 127) json.Append(character);
                else json.Append("\\u").Append(((int)character).ToString("x4", CultureInfo.InvariantCulture));
            }
            json.Append('"');
        }
    }
}

using System;
using System.Collections.Generic;
using System.Globalization;
using Substrate.Act;

namespace Substrate.Forms
{
    /// <summary>The arguments of an action, checked.</summary>
    sealed class Given
    {
        readonly Dictionary<string, object> args;

        internal Given(Dictionary<string, object> args)
        {
            this.args = args;
        }

        internal object Any(string name)
        {
            object value;
            return args.TryGetValue(name, out value) ? value : null;
        }

        /// <summary>A number is taken for what a person would write.</summary>
        internal string Text(string name)
        {
            object value = Any(name);
            if (value is string || value is bool || IsNumber(value)) return TextOf(value);
            throw new BadArgument(name + " must be a text");
        }

        internal static string TextOf(object value)
        {
            if (value is bool) return (bool)value ? "true" : "false";
            return value == null ? "" : Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        static bool IsNumber(object value)
        {
            return value is long || value is int || value is double || value is decimal;
        }

        internal bool Flag(string name)
        {
            object value = Any(name);
            if (value is bool) return (bool)value;
            throw new BadArgument(name + " must be true or false");
        }

        internal decimal Number(string name)
        {
            object value = Any(name);
            try
            {
                if (IsNumber(value)) return Convert.ToDecimal(value, CultureInfo.InvariantCulture);
            }
            catch (OverflowException)
            {
                throw new BadArgument(name + " is out of range");
            }
            throw new BadArgument(name + " must be a number");
        }

        /// <summary>A number from `min` to `max`.</summary>
        internal decimal Number(string name, decimal min, decimal max)
        {
            decimal value = Number(name);
            if (value >= min && value <= max) return value;
            const string Range = "{0} must be from {1} to {2}";
            throw new BadArgument(string.Format(CultureInfo.InvariantCulture, Range, name, min, max));
        }

        internal int Whole(string name)
        {
            decimal value = Number(name);
            if (value != decimal.Truncate(value) || value < int.MinValue || value > int.MaxValue)
                throw new BadArgument(name + " must be a whole number");
            return (int)value;
        }

        internal int Index(string name, int count)
        {
            int index = Whole(name);
            if (index >= 0 && index < count) return index;
            if (count == 0) throw new BadArgument(name + ": there are no rows");
            throw new BadArgument(name + " must be from 0 to " + (count - 1));
        }

        internal DateTime Date(string name)
        {
            DateTime value;
            const DateTimeStyles AsItIs = DateTimeStyles.RoundtripKind;
            if (DateTime.TryParse(Text(name), CultureInfo.InvariantCulture, AsItIs, out value)) return value;
            throw new BadArgument(name + " must be a date such as 2024-05-31");
        }

        /// <summary>For something that holds values of this type.</summary>
        internal object As(string name, Type type)
        {
            object value = Any(name);
            Type plain = (type == null ? null : Nullable.GetUnderlyingType(type)) ?? type;
            if (plain == null || plain == typeof(object) || value == null) return value;
            if (plain == typeof(string)) return Text(name);
            if (plain == typeof(bool)) return Flag(name);
            if (plain == typeof(DateTime)) return Date(name);
            try
            {
                if (plain.IsEnum) return Enum.Parse(plain, Text(name), true);
                return Convert.ChangeType(value, plain, CultureInfo.InvariantCulture);
            }
            catch (Exception)
            {
                throw new BadArgument(name + " is not a value of " + plain.Name);
            }
        }

        internal static BadArgument Unknown(string name, string value)
        {
            return new BadArgument(name + ": there is no \"" + Names.Shorten(value, 100) + "\" to choose");
        }
    }
}
